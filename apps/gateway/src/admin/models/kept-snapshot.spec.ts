import { describe, expect, it } from '@jest/globals';
import { encodeSnapshot, Trainer } from '@paywright/selection-engine';
import { keptSnapshot } from './kept-snapshot.ts';

const snapshot = Trainer.fresh('1/main').snapshot();
const bytes = encodeSnapshot(snapshot);
const ofAnotherEngine = encodeSnapshot({ ...snapshot, engine: 'learned-0' });

const kept = (stored: Uint8Array | null) =>
  keptSnapshot({ modelSnapshot: () => Promise.resolve(stored) }, 1, 'of the decision');

describe('a kept snapshot', () => {
  it('is what the model had learned', async () => expect(await kept(bytes)).toEqual(snapshot));

  it('is none where it is not kept, or another engine wrote it, in whatever form', async () => {
    expect(await kept(null)).toBeNull();
    expect(await kept(ofAnotherEngine)).toBeNull();
    expect(await kept(ofAnotherEngine.subarray(0, -8))).toBeNull();
  });

  it.each([
    ['cut off', bytes.subarray(0, -8)],
    ['too long', Uint8Array.of(...bytes, 0)],
    ['of nothing', new Uint8Array()],
    ['no model', new Uint8Array(40)],
  ])('is a defect where this engine wrote it and it is %s', async (_, damaged) => {
    await expect(kept(damaged)).rejects.toThrow(RangeError);
  });
});
