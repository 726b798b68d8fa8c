import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonPieces, type Member } from './json-pieces.ts';

async function* listOf(entries: readonly unknown[]) {
  yield* entries;
}
async function piecesOf(members: Readonly<Record<string, Member>>) {
  const pieces: string[] = [];
  for await (const piece of jsonPieces(members)) pieces.push(piece);
  return pieces;
}

describe('jsonPieces', () => {
  it('are together the JSON of values and lists, in their order', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), fc.array(fc.jsonValue()), fc.jsonValue(), async (a, b, value) => {
        const members = { 'a "list"': { list: listOf(a) }, value: { value }, b: { list: listOf(b) } };
        const expected = JSON.stringify({ 'a "list"': a, value, b });
        expect((await piecesOf(members)).join('')).toBe(expected);
      }),
    ));

  it('are an empty object of nothing', async () => expect((await piecesOf({})).join('')).toBe('{}'));

  it('are small however long the list is, and none is read before it is asked for', async () => {
    let read = 0;
    async function* counted() {
      for (; read < 10_000; read++) yield 'x'.repeat(1_000);
    }
    const pieces = jsonPieces({ list: { list: counted() } });
    const { value } = await pieces.next();
    expect(String(value).length).toBeLessThan(70_000);
    expect(read).toBeLessThan(100);
  });

  it('end with the fault of a list', async () => {
    async function* broken() {
      yield 1;
      throw new Error('the database is away');
    }
    await expect(piecesOf({ list: { list: broken() } })).rejects.toThrow('the database is away');
  });
});
