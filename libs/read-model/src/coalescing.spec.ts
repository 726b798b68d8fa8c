import { describe, expect, it } from '@jest/globals';
import { coalescing } from './coalescing.ts';

/** A load that notes what it is asked for, and answers when it is told to. */
function slowLoad() {
  const asked: (readonly string[])[] = [];
  const answers: PromiseWithResolvers<void>[] = [];
  const load = async (keys: readonly string[]) => {
    asked.push(keys);
    const answer = Promise.withResolvers<void>();
    answers.push(answer);
    await answer.promise;
    return new Map(keys.filter((key) => key !== 'none').map((key) => [key, key.toUpperCase()]));
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { asked, answers, load, turn };
}

describe('a coalescing lookup', () => {
  it('asks once for all who come at once, and once for a key', async () => {
    const { asked, answers, load, turn } = slowLoad();
    const look = coalescing(load);
    const found = Promise.all([look('a'), look('b'), look('a'), look('none')]);
    await turn();
    answers[0]?.resolve();
    expect(await found).toEqual(['A', 'B', 'A', null]);
    expect(asked).toEqual([['a', 'b', 'none']]);
  });

  it('gathers those who come while it asks', async () => {
    const { asked, answers, load, turn } = slowLoad();
    const look = coalescing(load);
    const first = look('a');
    await turn();
    const later = Promise.all([look('a'), look('b')]);
    answers[0]?.resolve();
    expect(await first).toBe('A');
    await turn();
    answers[1]?.resolve();
    expect(await later).toEqual(['A', 'B']);
    expect(asked).toEqual([['a'], ['a', 'b']]);
  });

  it('tells a fault to those it was asked for, and goes on', async () => {
    const { answers, load, turn } = slowLoad();
    const look = coalescing(load);
    const failing = expect(Promise.all([look('a'), look('b')])).rejects.toThrow('away');
    await turn();
    answers[0]?.reject(new Error('away'));
    await failing;
    const next = look('a');
    await turn();
    answers[1]?.resolve();
    expect(await next).toBe('A');
  });
});
