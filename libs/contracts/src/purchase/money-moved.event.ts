import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { Decimal, Money } from './purchase-facts.ts';
import { observedFields, PurchaseOrigin } from './purchase-fields.ts';

export const movementTypes = ['charge', 'refund', 'refund_reversed'] as const;

export const MoneyMoved = defineEvent(
  'MoneyMoved',
  1,
  'A row of the ledger: one movement of money, booked once. Chain and movement id are its key. The ' +
    'rate is that of the purchase’s UTC day for all rows of a transaction, so that a full refund nets to ' +
    '0: what was booked before the store told another day is taken off there, and booked anew. A rate ' +
    'that is not known yet is told by MoneyValued. Payer and origin are those of the chain, once ' +
    'PurchaseClaimed and PurchaseAttributed told them. One charge row of a transaction has the store’s ' +
    'share of all of them; one that the store tells later comes with MoneyShareTold.',
  z.object({
    ...observedFields,
    movementId: z
      .string()
      .describe(
        "The movement, by the store's id of it; with a suffix where an amount is mended by a difference, or a refund taken back",
      ),
    type: z.enum(movementTypes).describe('Of which kind; refund_reversed: the store took a refund back'),
    transactionId: z.string().describe('The transaction, by its id in the store'),
    originalTransactionId: z
      .string()
      .nullable()
      .describe('What people know the chain by; never a purchase token; null: it has nothing else'),
    productId: z
      .string()
      .describe('Product id in the store; its plan is in the TransactionObserved of the same chain and transaction'),
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
