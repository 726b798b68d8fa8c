import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
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

  it('asks for one batch at a time, however many come while it is answered in time', async () => {
    const { asked, answers, load, turn } = slowLoad();
    const look = coalescing(load, { patienceMs: 3_600_000 });
    const found = [];
    for (const key of ['a', 'b', 'c', 'd']) {
      found.push(look(key));
      await turn();
    }
    expect(asked).toEqual([['a']]);
    answers[0]?.resolve();
    await found[0];
    await turn();
    answers[1]?.resolve();
    expect(await Promise.all(found)).toEqual(['A', 'B', 'C', 'D']);
    expect(asked).toEqual([['a'], ['b', 'c', 'd']]);
  });

  it('lets those who come later not wait for one that hangs', async () => {
    const { asked, answers, load, turn } = slowLoad();
    const look = coalescing(load, { patienceMs: 1 });
    const hanging = look('a');
    await turn();
    const later = Promise.all([look('a'), look('b')]);
    while (asked.length < 2) await turn();
    answers[1]?.resolve();
    expect(await later).toEqual(['A', 'B']);
    answers[0]?.resolve();
    expect(await hanging).toBe('A');
    expect(asked).toEqual([['a'], ['a', 'b']]);
  });

  it('begins no more than three beside each other, and goes on when one ends', async () => {
    const { asked, answers, load, turn } = slowLoad();
    const look = coalescing(load, { patienceMs: 1 });
    const found = [];
    for (const key of ['a', 'b', 'c']) {
      found.push(look(key));
      while (asked.length < found.length) await turn();
    }
    found.push(look('d'));
    await delay(10); // all three are late by then
    found.push(look('e'));
    await turn();
    expect(asked).toEqual([['a'], ['b'], ['c']]);
    answers[1]?.reject(new Error('away'));
    await expect(found[1]).rejects.toThrow('away');
    while (asked.length < 4) await turn();
    for (const { resolve } of answers) resolve();
    expect(await Promise.all(found.toSpliced(1, 1))).toEqual(['A', 'C', 'D', 'E']);
    expect(asked).toEqual([['a'], ['b'], ['c'], ['d', 'e']]);
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
