import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { learnedPolicy } from '../choice/learned-policy.ts';
import { sha256 } from '../numbers/sha256.ts';
import { noFacts } from '../features/no-facts.ts';
import { candidatesOf, sampleModel } from '../testing/sample-model.ts';
import { decodeSnapshot, encodeSnapshot, snapshotId } from './snapshot-bytes.ts';

const { snapshot } = sampleModel();
const bytes = encodeSnapshot(snapshot);

describe('a snapshot', () => {
  it('is the same after a round trip, and so are its bytes and its choices', () => {
    const again = decodeSnapshot(bytes);
    expect(again).toEqual(snapshot);
    expect(Buffer.compare(encodeSnapshot(again), bytes)).toBe(0);
    const context = { facts: { ...noFacts, country: 'c2' }, at: 0, placementId: 'a' };
    const [one, other] = [snapshot, again].map((read) => learnedPolicy('x', read).choose(context, candidatesOf(5)));
    expect(other).toEqual(one);
  });

  it('of the same stream has the same name on every machine', () => {
    expect(snapshotId(bytes)).toBe('746e13ee86d1a4871b0d7e1f5e5907c89360e64a1f9c3f30a320011b1ae9c006');
  });

  it('has another name if one weight differs in its last bit', () => {
    const changed = structuredClone(snapshot);
    changed.starts.arms.mean[3]! += 2 ** -30;
    expect(snapshotId(encodeSnapshot(changed))).not.toBe(snapshotId(bytes));
  });

  it('refuses bytes that are cut off, too many, or of another engine', () => {
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 1 }), (length) => {
        expect(() => decodeSnapshot(bytes.slice(0, length))).toThrow(RangeError);
      }),
    );
    expect(() => decodeSnapshot(Uint8Array.of(...bytes, 0))).toThrow('More bytes');
    expect(() => decodeSnapshot(encodeSnapshot({ ...snapshot, engine: 'other' }))).toThrow('engine other');
    expect(() => decodeSnapshot(new Uint8Array(40))).toThrow('no model');
  });

  it('is refused with a weight that is no number, on both ways', () => {
    const broken = structuredClone(snapshot);
    broken.values.arms.mean[0] = NaN;
    expect(() => encodeSnapshot(broken)).toThrow(RangeError);
    const sound = bytes.slice();
    new DataView(sound.buffer).setFloat32(sound.length - 8, NaN, true);
    expect(() => decodeSnapshot(sound)).toThrow('no number');
  });
});

describe('sha256', () => {
  it('is what the standard’s examples and another implementation say', () => {
    const text = (one: string) => new TextEncoder().encode(one);
    expect(sha256(text('abc'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (any) => {
        expect(sha256(any)).toBe(createHash('sha256').update(any).digest('hex'));
      }),
    );
  });
});
