import type { ByteReader } from '../snapshot/byte-reader.ts';
import type { ByteWriter } from '../snapshot/byte-writer.ts';
import type { WaitingExposure } from './waiting-exposures.ts';

const sides = [null, 'ai', 'baseline'] as const;
const doubles = ['at', 'arrivedAt', 'share', 'predicted', 'given', 'weight'] as const;

/** Exposures as columns: with 15 fields and UUIDs some 170 bytes each, where JSON has 300. */
export function writeWaiting(writer: ByteWriter, line: readonly WaitingExposure[]): void {
  const shorts = (of: (exposure: WaitingExposure) => number) => writer.uint16s(Uint16Array.from(line, of));
  writer.jsons(line.map(({ id }) => id));
  shorts(({ active }) => active.length);
  writer.int32s(activesOf(line));
  shorts(({ arm }) => arm);
  shorts(({ side }) => sides.indexOf(side));
  shorts(({ starts }) => starts);
  shorts(({ delayBin }) => (delayBin === null ? 0 : 1 + delayBin));
  shorts(({ isCompared }) => (isCompared ? 1 : 0));
  for (const column of doubles) writer.float64s(Float64Array.from(line, (exposure) => exposure[column]));
  writer.float64s(Float64Array.from(line, ({ logValue }) => logValue ?? NaN));
}

/** Reads what `writeWaiting` wrote. */
export function readWaiting(reader: ByteReader): readonly WaitingExposure[] {
  const ids = reader.jsons() as readonly string[];
  const lengths = reader.uint16s();
  const actives = reader.int32s();
  const [arms, sidesOf, starts, bins, compared] = [1, 2, 3, 4, 5].map(() => reader.uint16s());
  const [at, arrivedAt, share, predicted, given, weight] = doubles.map(() => reader.float64s());
  const logValues = reader.float64s();
  let end = 0;
  return ids.map((id, row) => ({
    id,
    at: at![row]!,
    arrivedAt: arrivedAt![row]!,
    arm: arms![row]!,
    active: actives.slice(end, (end += lengths[row]!)),
    side: sides[sidesOf![row]!] ?? null,
    share: share![row]!,
    logValue: Number.isNaN(logValues[row]) ? null : logValues[row]!,
    predicted: predicted![row]!,
    given: given![row]!,
    weight: weight![row]!,
    starts: starts![row]!,
    delayBin: bins![row] === 0 ? null : bins![row]! - 1,
    isCompared: compared![row] === 1,
  }));
}

function activesOf(line: readonly WaitingExposure[]): Int32Array {
  const all = new Int32Array(line.reduce((sum, { active }) => sum + active.length, 0));
  let end = 0;
  for (const { active } of line) {
    all.set(active, end);
    end += active.length;
  }
  return all;
}
