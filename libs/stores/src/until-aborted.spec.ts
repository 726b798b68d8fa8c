import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { untilAborted } from './until-aborted.ts';

const forever = new Promise<never>(() => undefined);

describe('untilAborted', () => {
  it('is the work, while there is time, and leaves no listener behind', async () => {
    const { signal } = new AbortController();
    await expect(untilAborted(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(untilAborted(Promise.reject(new RangeError('no')), signal)).rejects.toThrow(RangeError);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('ends with the signal, be it aborted before or meanwhile', async () => {
    await expect(untilAborted(forever, AbortSignal.abort())).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(untilAborted(forever, AbortSignal.timeout(5))).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
