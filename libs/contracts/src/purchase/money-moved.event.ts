import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { Decimal, Money } from './purchase-facts.ts';
import { observedFields, PurchaseOrigin } from './purchase-fields.ts';

export const movementTypes = ['charge', 'refund', 'refund_reversed'] as const;

/**
 * A row of the ledger: one movement of money, booked once under `movementId`, the store's own id of it (with a
 * suffix where an amount is mended by a difference, or a refund taken back). Chain and movement id are its key.
 *
 * `amount` and `usd` are signed and exact to a millionth; `usd` = `amount` × `rate`, rounded half up, with the rate
 * of the purchase's UTC day for all rows of a transaction, so that a full refund nets to 0: what was booked before the
 * store told another day is taken off there, and booked anew. Both are null until a rate is known: see MoneyValued.
 * `isEstimate` marks a list price in place of what was paid. `originalTime` is when the transaction was bought; times
 * in milliseconds. Payer and origin are what was known when the row was booked: those of the chain, once
 * PurchaseClaimed and PurchaseAttributed told them.
 *
 * `storeShare` is what the store keeps, in the currency it settles in: positive of a charge, negative where it gives
 * back of a refund. One charge row of a transaction has the share of all of them. Null or absent as long as the store
 * does not say: see MoneyShareTold.
 */
export const MoneyMoved = defineEvent(
  'MoneyMoved',
  1,
  z.object({
    ...observedFields,
    movementId: z.string(),
    type: z.enum(movementTypes),
    transactionId: z.string(),
    originalTransactionId: z.string().nullable(),
    productId: z.string(),
    time: z.int(),
    originalTime: z.int(),
    amount: Decimal,
    currency: z.string(),
    usd: Decimal.nullable(),
    rate: Decimal.nullable(),
    refundOf: z.string().nullable(),
    storeShare: Money.nullable().optional(),
    isEstimate: z.boolean(),
    payerProfileId: z.uuid().nullable(),
    origin: PurchaseOrigin.nullable(),
  }),
);
export type MoneyMoved = EventOf<typeof MoneyMoved>;
