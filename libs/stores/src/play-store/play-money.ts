import type { Money } from '@paywright/contracts';
import { z } from 'zod';
import { decimalText } from '../decimal-text.ts';

/** Google's `Money`: `units` are whole units as text, `nanos` are billionths; either may be absent, and is then 0. */
export const PlayMoney = z.object({
  currencyCode: z.string().regex(/^[A-Z]{3}$/),
  units: z
    .string()
    .regex(/^-?\d{1,18}$/)
    .nullish(),
  nanos: z.int().min(-999_999_999).max(999_999_999).nullish(),
});
export type PlayMoney = z.output<typeof PlayMoney>;

/** The same amount as decimal text. */
export function playMoney(money: PlayMoney): Money {
  return { amount: decimalText(billionthsOf(money), 9), currency: money.currencyCode };
}

/** The amount in billionths of the currency's unit. */
export const billionthsOf = ({ units, nanos }: PlayMoney): bigint =>
  BigInt(units ?? '0') * 1_000_000_000n + BigInt(nanos ?? 0);
