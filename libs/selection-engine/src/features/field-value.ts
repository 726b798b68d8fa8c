import { floorLog2 } from '../numbers/log.ts';

/** What a field has whose value is not known: a value like others, so that absence is learned from. */
export const absent = '∅';

const longest = 64;

/** A text as features compare it: NFC, trimmed, lower case, 64 code points, without NUL. Empty is absent. */
export function textValue(text: string | null | undefined): string {
  if (text === null || text === undefined) return absent;
  const plain = text.normalize('NFC').replaceAll('\0', '').trim().toLowerCase();
  if (plain === '') return absent;
  return plain.length <= longest ? plain : [...plain.slice(0, 2 * longest)].slice(0, longest).join('');
}

/** A number by its sign and order of magnitude: `+2^3` from 8 to below 16, `0`. Absent if it is not finite. */
export function magnitudeValue(number: number): string {
  if (!Number.isFinite(number)) return absent;
  if (number === 0) return '0';
  return number > 0 ? `+2^${floorLog2(number)}` : `-2^${floorLog2(-number)}`;
}

const decimal = /^[+-]?\d{1,15}(\.\d{1,15})?$/;

/** A custom attribute's value: by magnitude if it is written as a decimal number, else as text. */
export function customValue(text: string): string {
  const trimmed = text.length <= 40 ? text.trim() : '';
  return decimal.test(trimmed) ? magnitudeValue(Number(trimmed)) : textValue(text);
}
