/**
 * Arrays in Postgres' binary format: `pg` sends a buffer as it is. Beside the text format, whose elements are
 * quoted here and unquoted there, JSON of 1.2 KB goes in 1.6 times as fast. Null elements are null.
 */
type Elements<Value> = readonly (Value | null)[];

/** Type ids of Postgres' catalog, which never change. */
const typeIds = { uuid: 2950, int4: 23, float8: 701, bool: 16, text: 25, timestamptz: 1184 } as const;

const headerBytes = 20;
const uuidBytes = 16;
/** Postgres counts microseconds since the year 2000. */
const postgresEpochMs = Date.UTC(2000, 0, 1);

/** For `$n::uuid[]`. @throws TypeError if a text is no UUID: it would leave bytes as they were in memory */
export const uuidArray = (values: Elements<string>): Buffer =>
  fixedWidthArray(typeIds.uuid, uuidBytes, values, writeUuid);

/** For `$n::int[]`. */
export const intArray = (values: Elements<number>): Buffer =>
  fixedWidthArray(typeIds.int4, 4, values, (out, at, value) => out.writeInt32BE(value, at));

/** For `$n::float8[]`. */
export const floatArray = (values: Elements<number>): Buffer =>
  fixedWidthArray(typeIds.float8, 8, values, (out, at, value) => out.writeDoubleBE(value, at));

/** For `$n::bool[]`. */
export const boolArray = (values: Elements<boolean>): Buffer =>
  fixedWidthArray(typeIds.bool, 1, values, (out, at, value) => out.writeUInt8(value ? 1 : 0, at));

/** For `$n::timestamptz[]`, from milliseconds since the epoch. */
export const timeArray = (values: Elements<number>): Buffer =>
  fixedWidthArray(typeIds.timestamptz, 8, values, (out, at, ms) => {
    const microseconds = (ms - postgresEpochMs) * 1_000; // exact until the year 2285
    out.writeInt32BE(Math.floor(microseconds / 2 ** 32), at);
    out.writeUInt32BE(microseconds >>> 0, at + 4);
  });

/** For `$n::text[]`, from text or its UTF-8 bytes. */
export function textArray(values: Elements<string | Buffer>): Buffer {
  const sizes = values.map((value) => (value === null ? 0 : Buffer.byteLength(value)));
  const out = arrayOf(typeIds.text, values, 4 * values.length + sizes.reduce((sum, size) => sum + size, 0));
  let at = headerBytes;
  for (const [index, value] of values.entries()) {
    const size = sizes[index] ?? 0;
    at = out.writeInt32BE(value === null ? -1 : size, at);
    if (typeof value === 'string') out.write(value, at);
    else value?.copy(out, at);
    at += size;
  }
  return out;
}

/** Digit by digit: half the time that it takes to drop the hyphens first. */
function writeUuid(out: Buffer, at: number, uuid: string): void {
  let next = 0;
  for (let index = 0; index < uuidBytes; index++) {
    if (uuid.charCodeAt(next) === hyphen) next++;
    const high = digitValues[uuid.charCodeAt(next++)] ?? noDigit;
    const low = digitValues[uuid.charCodeAt(next++)] ?? noDigit;
    if (high === noDigit || low === noDigit) throw new TypeError('A text is no UUID.');
    out[at + index] = (high << 4) | low;
  }
  if (next !== uuid.length) throw new TypeError('A text is no UUID.');
}

const hyphen = '-'.charCodeAt(0);
const noDigit = 0xff;
/** By character code. */
const digitValues = new Uint8Array(128).fill(noDigit);
for (const digit of '0123456789abcdefABCDEF') digitValues[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

function fixedWidthArray<Value>(
  typeId: number,
  width: number,
  values: Elements<Value>,
  write: (out: Buffer, at: number, value: Value) => void,
): Buffer {
  const present = values.reduce((count, value) => (value === null ? count : count + 1), 0);
  const out = arrayOf(typeId, values, 4 * values.length + width * present);
  let at = headerBytes;
  for (const value of values) {
    at = out.writeInt32BE(value === null ? -1 : width, at);
    if (value === null) continue;
    write(out, at, value);
    at += width;
  }
  return out;
}

/** One dimension, whose indices begin at 1. */
function arrayOf(typeId: number, values: readonly unknown[], bodyBytes: number): Buffer {
  const out = Buffer.allocUnsafe(headerBytes + bodyBytes);
  const head = [1, values.includes(null) ? 1 : 0, typeId, values.length, 1];
  for (const [index, word] of head.entries()) out.writeInt32BE(word, 4 * index);
  return out;
}
