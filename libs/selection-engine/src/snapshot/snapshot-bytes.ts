import { sha256 } from '../numbers/sha256.ts';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { engineVersion, type BlockSnapshot, type ModelSnapshot, type WeightsSnapshot } from './model-snapshot.ts';

const magic = 'paywright-model';

type Header = Omit<ModelSnapshot, 'starts' | 'values'>;

/**
 * A snapshot's bytes, one spelling for equal snapshots.
 * @throws RangeError if a weight is no number
 */
export function encodeSnapshot({ starts, values, ...header }: ModelSnapshot): Uint8Array {
  const { engine, learnedUntil, catalogRevision, horizonDays, exposures, fields, entries, tokens, arms, calibration } =
    header;
  const writer = new ByteWriter();
  writer.text(magic);
  writer.text(engine);
  // Named one by one: the order of an object's keys is no part of its meaning.
  const { alpha, beta } = calibration;
  const rows = arms.map(({ paywall, design }) => [paywall, design]);
  writer.json([learnedUntil, catalogRevision, horizonDays, exposures, fields, entries, tokens, rows]);
  writer.float64s([alpha, beta]);
  writeWeights(writer, starts);
  writeWeights(writer, values);
  return writer.bytes();
}

/** The name of a snapshot: the SHA-256 of its bytes, in hexadecimal. */
export const snapshotId = (bytes: Uint8Array): string => sha256(bytes);

/**
 * The version of the engine that wrote a snapshot: another one may not read it.
 * @throws RangeError if the bytes are no snapshot of any engine
 */
export const engineOf = (bytes: Uint8Array): string => readEngine(new ByteReader(bytes));

function readEngine(reader: ByteReader): string {
  if (reader.text() !== magic) throw new RangeError('These bytes are no model.');
  return reader.text();
}

/**
 * The snapshot of bytes that `encodeSnapshot` wrote.
 * @throws RangeError if they are of another engine, cut off, or hold a number that no weight can be
 */
export function decodeSnapshot(bytes: Uint8Array): ModelSnapshot {
  const reader = new ByteReader(bytes);
  const engine = readEngine(reader);
  if (engine !== engineVersion) throw new RangeError(`The model is of engine ${engine}, not ${engineVersion}.`);
  // Written by this very code, as the engine's version says.
  const written = reader.json() as [number, number, number, number, Header['fields'], Header['entries'], string[], [string, number[]][]]; // prettier-ignore
  const [learnedUntil, catalogRevision, horizonDays, exposures, fields, entries, tokens, rows] = written;
  const [alpha = NaN, beta = NaN] = reader.float64s();
  const arms = rows.map(([paywall, design]) => ({ paywall, design }));
  const columns = 1 + entries.length;
  const starts = readWeights(reader, columns, columns);
  const values = readWeights(reader, columns, 1);
  reader.end();
  const calibration = { alpha, beta };
  return { engine, learnedUntil, catalogRevision, horizonDays, exposures, fields, entries, tokens, arms, starts, values, calibration }; // prettier-ignore
}

function writeWeights(writer: ByteWriter, { base, shared, arms, tokens }: WeightsSnapshot): void {
  writer.float64s([base]);
  for (const block of [shared, arms, tokens]) {
    const { rows, tau, mean, variance } = checked(block);
    writer.uint32(rows);
    writer.float64s(tau);
    writer.float32s(mean);
    writer.float32s(variance);
  }
}

function readWeights(reader: ByteReader, columns: number, tokenColumns: number): WeightsSnapshot {
  const [base = NaN] = reader.float64s();
  const shared = readBlock(reader, columns);
  const arms = readBlock(reader, columns);
  const tokens = readBlock(reader, tokenColumns);
  if (!Number.isFinite(base)) throw new RangeError('A model holds no finite base.');
  return { base, shared, arms, tokens };
}

function readBlock(reader: ByteReader, columns: number): BlockSnapshot {
  const rows = reader.uint32();
  const tau = [...reader.float64s()];
  const mean = reader.float32s();
  const variance = reader.float32s();
  if (mean.length !== rows * columns || variance.length !== mean.length) {
    throw new RangeError('A model has not as many weights as it says.');
  }
  return checked({ rows, tau, mean, variance });
}

function checked(block: BlockSnapshot): BlockSnapshot {
  const { tau, mean, variance } = block;
  // A loop: `every` is slow on long typed arrays.
  let sound = tau.every((one) => one > 0 && one < Infinity);
  for (let at = 0; at < mean.length; at++) {
    sound &&= mean[at]! - mean[at]! === 0 && variance[at]! >= 0 && variance[at]! < Infinity;
  }
  if (!sound) throw new RangeError('A model holds a weight that is no number.');
  return block;
}
