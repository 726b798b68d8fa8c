import { describe, expect, it } from '@jest/globals';
import { untilAnswered, type Patience } from './until-answered.ts';

const away = new Error('away');
const refused = new Error('refused');
const patience: Patience = { pause: { firstMs: 1, lastMs: 2 }, passes: (error) => error !== refused };

/** Fails with each of the errors, then answers. */
function asking(...errors: readonly Error[]) {
  const left = [...errors];
  return async () => {
    const error = left.shift();
    if (error) throw error;
    return 'the answer';
  };
}

describe('an answer that is waited for', () => {
  it('comes when what failed has passed, and whoever waits is told of each failure', async () => {
    const told: unknown[] = [];
    const onFailure = (error: unknown) => void told.push(error);
    expect(await untilAnswered(asking(away, away), { ...patience, onFailure })).toBe('the answer');
    expect(told).toEqual([away, away]);
  });

  it('is not waited for where waiting changes nothing', async () => {
    await expect(untilAnswered(asking(away, refused), patience)).rejects.toBe(refused);
  });

  it('is not waited for longer than the patience lasts', async () => {
    const neverAnswered = async () => Promise.reject(away);
    await expect(untilAnswered(neverAnswered, { ...patience, lastsMs: 20 })).rejects.toBe(away);
  });

  it('is not waited for behind the signal', async () => {
    const stopping = new AbortController();
    const forHours = { firstMs: 3_600_000, lastMs: 3_600_000 };
    const onFailure = () => stopping.abort(refused);
    const waiting = { ...patience, pause: forHours, until: stopping.signal, onFailure };
    await expect(untilAnswered(asking(away), waiting)).rejects.toBe(refused);
  });

  it('is none where it comes behind the signal', async () => {
    const until = AbortSignal.abort(refused);
    await expect(untilAnswered(asking(), { ...patience, until })).rejects.toBe(refused);
  });
});
