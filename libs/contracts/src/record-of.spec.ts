import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { recordOf } from './record-of.ts';

const texts = recordOf(z.string());

describe('recordOf', () => {
  it('keeps every name, also those that objects have by nature, and pollutes no prototype', () => {
    const json = '{"__proto__":"a","constructor":"b","toString":"c","hasOwnProperty":"d","":"e"}';
    const read = z.object({ custom: texts }).parse(JSON.parse(`{"custom":${json}}`));
    expect(JSON.stringify(read.custom)).toBe(json);
    expect(Object.entries(read.custom)).toHaveLength(5);
    expect(Object.getPrototypeOf(read.custom)).toBe(Object.prototype);
  });

  it.each([null, [], 'a', { a: 1 }, JSON.parse('{"__proto__":{}}') as unknown])('is not %j', (other) => {
    expect(texts.safeParse(other).success).toBe(false);
  });

  it('is published as what it is', () => {
    const within = (record: z.ZodType) => z.toJSONSchema(z.object({ record }));
    expect(within(recordOf(z.int()))).toEqual(within(z.record(z.string(), z.int())));
  });
});
