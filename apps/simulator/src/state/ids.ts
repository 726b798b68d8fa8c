import { createHash } from 'node:crypto';
import type { Purchase } from '../domain/purchase.ts';

const hashOf = (name: string): Buffer => createHash('sha256').update(name).digest();

/** Twenty-four letters and digits, the same for the same name. */
export const lettersFromName = (name: string): string => hashOf(name).toString('hex', 0, 12);

/** Seventeen digits, the same for the same name. */
const digitsFromName = (name: string): string => String(hashOf(name).readBigUInt64BE() % 10n ** 17n).padStart(17, '0');

/** Play's id of an order of a purchase token: the first is 0, and renewals are counted from it. */
export function orderIdOf(token: string, number: number): string {
  const first = digitsFromName(token).replace(/^(.{4})(.{4})(.{4})(.{5})$/, 'GPA.$1-$2-$3-$4');
  return number === 0 ? first : `${first}..${number - 1}`;
}

/** The store's id of what paid for a period: transaction, order or invoice; at Stripe a single payment is its own. */
export function paymentIdOf({ store, id, kind, periods: [{ carried }] }: Purchase, period: number): string {
  switch (store) {
    case 'app-store':
      return String(BigInt(id) + BigInt(period));
    case 'play-store':
      if (carried === undefined) return orderIdOf(id, period);
      return period === 0 ? orderIdOf(carried.token, carried.number) : orderIdOf(id, period - 1);
    case 'stripe':
      return kind === 'one-time' ? id : `in_${lettersFromName(`${id}/${period}`)}`;
    default:
      store satisfies never;
      return id;
  }
}
