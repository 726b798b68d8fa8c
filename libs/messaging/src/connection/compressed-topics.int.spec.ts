import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConsumerTest, textOf } from '../testing/consumer-test.ts';

describe('a topic that the broker compresses', () => {
  let test: ConsumerTest;
  beforeAll(async () => {
    test = await ConsumerTest.open();
  });
  afterAll(() => test.close());

  it.each(['gzip', 'zstd'])(
    'is read as it was written: %s',
    async (compression) => {
      const topic = await test.topic(1, { 'compression.type': compression });
      const texts = ['a'.repeat(5_000), '', 'ü€😀', ...Array.from({ length: 100 }, (_, index) => `text ${index}`)];

      await test.publish(topic, 0, ...texts);

      expect((await test.recordsOf(topic)).map(textOf)).toEqual(texts);
    },
    30_000,
  );
});
