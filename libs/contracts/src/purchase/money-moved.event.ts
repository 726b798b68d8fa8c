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
    movementId: z
      .string()
      .describe(
        "The movement, by the store's id of it; with a suffix where an amount is mended by a difference, or a refund taken back",
      ),
    type: z.enum(movementTypes).describe('refund_reversed: the store took a refund back'),
    transactionId: z.string().describe('The transaction, by its id in the store'),
    originalTransactionId: z
      .string()
      .nullable()
      .describe('What people know the chain by; never a purchase token; null: it has nothing else'),
    productId: z.string().describe('Product id in the store'),
    time: z.int().describe('When the money moved, in milliseconds since the epoch'),
    originalTime: z.int().describe('When the transaction was bought, in milliseconds since the epoch'),
    amount: Decimal.describe('Signed, exact to a millionth, a decimal text'),
    currency: z.string().describe('ISO 4217 code of amount'),
    usd: Decimal.nullable().describe(
      'amount × rate, signed, rounded half up to a millionth, a decimal text; null: no rate is known yet',
    ),
    rate: Decimal.nullable().describe(
      'USD of a unit of the currency on the UTC day of the purchase; null: not known yet',
    ),
    refundOf: z.string().nullable().describe('The movement that it takes back; null: none'),
    storeShare: Money.nullable()
      .optional()
      .describe(
        'What the store keeps, in the currency that it settles in; negative: what it gives back; null or absent: not told',
      ),
    isEstimate: z.boolean().describe('Whether amount is a list price, in place of what was paid'),
    payerProfileId: z.uuid().nullable().describe('Whose revenue it is, as known when it was booked; null: not known'),
    origin: PurchaseOrigin.nullable().describe(
      'What the purchase came of, as known when it was booked; null: not known',
    ),
  }),
);
export type MoneyMoved = EventOf<typeof MoneyMoved>;
