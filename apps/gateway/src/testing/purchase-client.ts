import { ValidatePurchase, type ErrorCode } from '@paywright/contracts';
import type { LightMyRequestResponse } from 'fastify';
import { v1, type TestGateway } from './test-gateway.ts';
import type { SentCommand } from './fake-backend.ts';

type Headers = Record<string, string>;

export const appStoreUrl = `${v1}/purchases/apple-store/validate`;
export const playUrl = `${v1}/purchases/play-store/validate`;

/** Reports purchases of one profile to a test gateway, and knows what became of them. */
export class PurchaseClient {
  readonly #gateway: TestGateway;
  readonly profileId: string;

  private constructor(gateway: TestGateway, profileId: string) {
    this.#gateway = gateway;
    this.profileId = profileId;
  }

  /** With a profile of its own, by the customer user id `u`; all that was before is forgotten. */
  static async startedOver(gateway: TestGateway): Promise<PurchaseClient> {
    gateway.reset();
    const { data } = (await gateway.request('POST', `${v1}/profiles`, { customerUserId: 'u' })).json();
    return new PurchaseClient(gateway, data.profileId);
  }

  appStoreBody(changes: object = {}): object {
    const ids = { productId: 'premium.monthly', transactionId: '2000', originalTransactionId: '1000' };
    return { profileId: this.profileId, ...ids, ...changes };
  }

  playBody(changes: object = {}): object {
    return { profileId: this.profileId, productId: 'premium', purchaseToken: 'token-1', ...changes };
  }

  appStore(changes?: object, headers?: Headers): Promise<LightMyRequestResponse> {
    return this.#gateway.request('POST', appStoreUrl, this.appStoreBody(changes), headers);
  }

  play(changes?: object, headers?: Headers): Promise<LightMyRequestResponse> {
    return this.#gateway.request('POST', playUrl, this.playBody(changes), headers);
  }

  /** What the purchase service was asked, in order. */
  get asked(): readonly SentCommand[] {
    return this.#gateway.backend.sent.filter(({ type }) => type === ValidatePurchase.type);
  }

  /** The last of it. */
  get command(): ValidatePurchase['body'] {
    return ValidatePurchase.body.parse(this.asked.at(-1)?.body);
  }

  /** From now on every purchase is refused. */
  refuseWith(code: ErrorCode): void {
    this.#gateway.backend.on(ValidatePurchase, () => ({ refusal: { code, message: 'No.' } }));
  }

  /** From now on every purchase is done, in this chain or its own. */
  sell(chainId?: string): void {
    const { backend } = this.#gateway;
    backend.on(ValidatePurchase, (sent) => backend.sell(chainId === undefined ? sent : { ...sent, key: chainId }));
  }
}

/** A refusal by its status and code. */
export const refusalIn = ({ statusCode, body }: { statusCode: number; body: string }): [number, ErrorCode] => [
  statusCode,
  JSON.parse(body).code,
];

/** What a store says that need not hold. */
export const storesNo = [
  'TRANSACTION_NOT_FOUND',
  'BUNDLE_MISMATCH',
  'PRODUCT_MISMATCH',
  'ORIGINAL_TRANSACTION_MISMATCH',
  'TRANSACTION_REVOKED',
  'PURCHASE_PENDING',
  'ACCOUNT_MISMATCH',
] as const satisfies readonly ErrorCode[];

const freePhase = { priceAmountMicros: 0, currencyCode: 'USD', billingPeriod: 'P1W', recurrenceMode: 2 };
const paidPhase = { ...freePhase, priceAmountMicros: 9_990_000, billingPeriod: 'P1M', recurrenceMode: 1 };
/** Phases as Play gives them to an app. */
export const phases = { free: freePhase, paid: paidPhase };
export const subscriptionOffer = (...pricingPhases: object[]): object => ({
  basePlanId: 'monthly',
  offerToken: 'offer',
  pricingPhases,
});

/** Names no profile. */
export const nobody = '0190a5b0-0000-7000-8000-000000000009';
