import { describe, expect, it } from '@jest/globals';
import { snapshotId } from '@paywright/selection-engine';
import { ModelRecord, type SnapshotPart } from './model-record.ts';
import { modelKeyOfPart, sha256Of, SnapshotParts, snapshotRecords, type PublishedSnapshot } from './snapshot-parts.ts';

function snapshotOf(length: number, seed: number): PublishedSnapshot {
  const bytes = new Uint8Array(length).map((_, at) => (at * 31 + seed) % 251);
  return { appId: 1, model: 'main', sha256: sha256Of(bytes), learnedUntil: seed, bytes };
}

const partsOf = (snapshot: PublishedSnapshot): readonly SnapshotPart[] =>
  snapshotRecords(snapshot).map(({ value }) => ModelRecord.parse(JSON.parse(String(value))) as SnapshotPart);

/** The first snapshot that comes together of the parts. */
const together = (parts: readonly SnapshotPart[], into = new SnapshotParts()) =>
  parts.map((part) => into.add(part)).find((whole) => whole !== null);

describe('snapshots in parts', () => {
  it.each([1, 675_000, 675_001, 2_000_000])('of %i bytes come out as they went in, in any order', (length) => {
    const snapshot = snapshotOf(length, 7);
    const parts = partsOf(snapshot);
    expect(parts).toHaveLength(Math.ceil(length / 675_000));
    const whole = together([...parts].reverse());
    expect(whole).toMatchObject({ appId: 1, model: 'main', sha256: snapshot.sha256, learnedUntil: 7 });
    expect(Buffer.compare(Buffer.from(whole?.bytes ?? []), Buffer.from(snapshot.bytes))).toBe(0);
  });

  it('have a key each, so that compaction keeps all, and fit into a record', () => {
    const records = snapshotRecords(snapshotOf(2_000_000, 1));
    expect(records.map(({ key }) => key)).toEqual(['1/main/snapshot/0', '1/main/snapshot/1', '1/main/snapshot/2']);
    expect(new Set(records.map(({ key }) => modelKeyOfPart(key ?? '')))).toEqual(new Set(['1/main']));
    expect(modelKeyOfPart('1/main/control')).toBeNull();
    expect(Math.max(...records.map(({ value }) => String(value).length))).toBeLessThan(1_000_000);
  });

  it('are not put together of two snapshots, nor twice of one', () => {
    const [older, newer] = [partsOf(snapshotOf(1_000_000, 1)), partsOf(snapshotOf(1_000_000, 2))];
    const parts = new SnapshotParts();
    expect(together([older[0]!, newer[1]!, newer[1]!], parts)).toBeUndefined();
    expect(together([newer[0]!], parts)).toMatchObject({ learnedUntil: 2 });
  });

  it('are forgotten with their model', () => {
    const [first, second] = partsOf(snapshotOf(1_000_000, 1));
    const parts = new SnapshotParts();
    parts.add(first!);
    parts.forget('1/main');
    expect(together([second!], parts)).toBeUndefined();
    expect(together([first!], parts)).toMatchObject({ learnedUntil: 1 });
  });

  it('are refused where they are not what their name says', () => {
    const [part] = partsOf(snapshotOf(10, 1));
    expect(() => new SnapshotParts().add({ ...part!, base64: 'AAAA' })).toThrow(RangeError);
  });

  it('are named as the engine names them', () => {
    const { bytes } = snapshotOf(1_000, 3);
    expect(sha256Of(bytes)).toBe(snapshotId(bytes));
  });
});
