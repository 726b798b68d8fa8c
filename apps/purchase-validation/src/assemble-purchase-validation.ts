import type { WriteServiceContext, WriteServiceParts } from '@paywright/write-service';
import type { PurchaseEvent } from '@paywright/purchases';
import { openAsking } from './asking/open-asking.ts';
import type { PurchaseValidationConfig } from './config.ts';
import { purchaseDecider, type PurchaseCommand } from './domain/purchase-decider.ts';
import type { PurchaseStream } from './domain/purchase-stream.ts';

/** The service's own parts: the decider, and beside it what asks the stores and gives it their answers. */
export function assemblePurchaseValidation(
  context: WriteServiceContext<PurchaseValidationConfig>,
): WriteServiceParts<PurchaseCommand, PurchaseStream, PurchaseEvent> {
  const asking = openAsking(context);
  return {
    decider: purchaseDecider,
    checks: asking.checks,
    start: (stopping) => asking.start(stopping),
    stop: () => asking.stop(),
  };
}
