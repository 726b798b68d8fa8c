import { randomBytes } from 'node:crypto';
import type { SimulatorState } from '../state/simulator-state.ts';

const chainsApart = 10_000n;
const firstChain = 2_000_000_000_000_000n;
const base62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const letters = (count: number) => [...randomBytes(count)].map((byte) => base62[byte % base62.length]).join('');

/** An original transaction id; those of later periods follow it. */
export const newOriginalId = (state: SimulatorState): string =>
  String(firstChain + BigInt(state.nextNumber()) * chainsApart);

export const newPurchaseToken = (): string => `${letters(24).toLowerCase()}.AO-J1O${letters(120)}`;

/** Such as `sub_1Q…`. */
export const newStripeId = (prefix: string): string => `${prefix}_${letters(24)}`;
