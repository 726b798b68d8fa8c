import { Inject, Injectable } from '@nestjs/common';
import { Sealing } from '@paywright/platform';
import type { GatewayConfig } from '../config.ts';
import { GATEWAY_CONFIG } from '../gateway-parts.ts';

/** Play's purchase tokens as they may travel through Kafka: whoever holds one can use it. */
@Injectable()
export class PurchaseTokens {
  readonly #sealing: Sealing;

  constructor(@Inject(GATEWAY_CONFIG) { MASTER_KEY }: Pick<GatewayConfig, 'MASTER_KEY'>) {
    this.#sealing = new Sealing(MASTER_KEY, 'purchase-token');
  }

  /** Opens for the purchase service, and for this app alone. */
  seal(appId: number, token: string): string {
    return this.#sealing.seal(token, String(appId));
  }
}
