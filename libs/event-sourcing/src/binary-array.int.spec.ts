import { afterAll, expect, it } from '@jest/globals';
import { anyCharacter } from '@paywright/platform/testing';
import fc from 'fast-check';
import { boolArray, floatArray, intArray, textArray, timeArray, uuidArray } from './binary-array.ts';
import { createPool } from './pool.ts';

const pool = createPool({ databaseUrl: process.env['TEST_DATABASE_URL']!, schema: 'public', max: 1 });
afterAll(() => pool.end());

const orNull = <Value>(values: fc.Arbitrary<Value>) => fc.array(fc.option(values), { maxLength: 20 });
/** What Postgres makes of an array, as JSON: the same as it makes of the values themselves. */
async function readBack(type: string, values: Buffer): Promise<unknown> {
  const { rows } = await pool.query<{ read: unknown }>(
    `select coalesce(json_agg(value order by place), '[]') as read from unnest($1::${type}[]) with ordinality as t (value, place)`,
    [values],
  );
  return rows[0]?.read;
}
const check = <Value>(values: fc.Arbitrary<Value>, holds: (given: Value) => Promise<void>) =>
  fc.assert(fc.asyncProperty(values, holds), { numRuns: 25 });

it('writes UUIDs', () =>
  check(orNull(fc.uuid()), async (values) => expect(await readBack('uuid', uuidArray(values))).toEqual(values)));

const uuid = '0198f7c2-7d2e-7a44-9f0e-0123456789ab';
it.each(['', 'no uuid', uuid.slice(1), `${uuid}c`, uuid.replace('a', 'g'), `{${uuid}}`])(
  'refuses %j as a UUID, and does not say it',
  (text) => {
    expect(() => uuidArray([uuid, text, uuid])).toThrow(new TypeError('A text is no UUID.'));
  },
);

it('writes integers', () =>
  check(orNull(fc.integer()), async (values) => expect(await readBack('int', intArray(values))).toEqual(values)));

it('writes floating point numbers, to the last digit', () =>
  check(orNull(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)), async (values) =>
    expect(await readBack('float8', floatArray(values))).toEqual(values),
  ));

it('writes booleans', () =>
  check(orNull(fc.boolean()), async (values) => expect(await readBack('bool', boolArray(values))).toEqual(values)));

it('writes times, to the millisecond', () =>
  check(orNull(fc.integer({ min: 0, max: 4_102_444_800_000 })), async (values) => {
    const read = await pool.query<{ ms: string | null }>(
      `select (extract(epoch from value) * 1000)::bigint as ms from unnest($1::timestamptz[]) with ordinality as t (value, place) order by place`,
      [timeArray(values)],
    );
    expect(read.rows.map(({ ms }) => (ms === null ? null : Number(ms)))).toEqual(values);
  }));

it('writes text of any script, and its bytes', () =>
  check(orNull(fc.string({ unit: anyCharacter }).filter((text) => !text.includes('\0'))), async (values) => {
    const bytes = values.map((value) => (value === null ? null : Buffer.from(value)));
    expect(await readBack('text', textArray(values))).toEqual(values);
    expect(await readBack('text', textArray(bytes))).toEqual(values);
  }));
