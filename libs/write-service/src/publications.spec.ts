import { expect, it } from '@jest/globals';
import { sizeOf, type OutgoingMessage } from '@paywright/messaging';
import { publications } from './publications.ts';

const mebibyte = 1024 * 1024;
const message = (key: string, bytes = 0): OutgoingMessage => ({
  topic: 't',
  key,
  headers: {},
  value: 'x'.repeat(bytes),
});

async function* pagesOf(...pages: readonly (readonly OutgoingMessage[])[]) {
  yield* pages;
}

async function published(...pages: readonly (readonly OutgoingMessage[])[]) {
  const found: (readonly OutgoingMessage[])[] = [];
  for await (const some of publications(pagesOf(...pages))) found.push(some);
  return found;
}

it('gathers short messages, in their order, a thousand at once', async () => {
  const pages = Array.from({ length: 251 }, (_, page) => ['a', 'b', 'c', 'd'].map((key) => message(`${page}${key}`)));
  const found = await published(...pages);
  expect(found.map(({ length }) => length)).toEqual([1_000, 4]);
  expect(found.flat()).toEqual(pages.flat());
});

it('parts long ones by bytes, also of one page, and gives one above the bound alone', async () => {
  const long = [message('a', 9 * mebibyte), message('b', 6 * mebibyte), message('c', 6 * mebibyte)];
  const found = await published([...long, message('d', 20 * mebibyte), message('e')], [message('f')]);
  expect(found.map((some) => some.map(({ key }) => key).join(''))).toEqual(['ab', 'c', 'd', 'ef']);
  for (const some of found.filter(({ length }) => length > 1))
    expect(some.reduce((sum, one) => sum + sizeOf(one), 0)).toBeLessThanOrEqual(16 * mebibyte);
});

it('gives nothing of nothing', async () => expect(await published([], [])).toEqual([]));
