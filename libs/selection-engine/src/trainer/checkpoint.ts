import type { Observations } from '../learning/exposure-history.ts';
import type { Block } from '../learning/block.ts';
import { sha256 } from '../numbers/sha256.ts';
import { ByteReader } from '../snapshot/byte-reader.ts';
import { ByteWriter } from '../snapshot/byte-writer.ts';
import { KeptConversions } from './kept-conversions.ts';
import { longState, plainState, stateOf, type LongState, type PlainState, type TrainerState } from './trainer-state.ts';
import { Trainer } from './trainer.ts';
import { WaitingColumns } from './waiting-columns.ts';

/** Another number with whatever makes another model of the same log: who finds a former one learns from the log again. */
const magic = 'paywright-checkpoint-25';
const numbers = ['eta', 'lam', 'mean', 'variance'] as const;

const blocksOf = ({ starts, values, dictionary }: TrainerState) => {
  const groups = dictionary.fields.length + 1;
  return [starts.weights, values.weights].flatMap(({ shared, arms, tokens, crossesTokens }) => [
    { block: shared, groups },
    { block: arms, groups },
    { block: tokens, groups: crossesTokens ? groups : 1 },
  ]);
};

/**
 * All that a trainer knows, so that one restored from it goes on to the very bits. Means and variances are among it:
 * computed anew, they could differ in the last bit. Ends with the SHA-256 of what is before.
 */
export function encodeCheckpoint({ state }: Trainer): Uint8Array {
  const writer = new ByteWriter();
  writer.text(magic);
  writer.json(plainState(state));
  const { waiting, decisions, ledger } = longState(state);
  waiting.write(writer);
  writer.jsons(decisions.map(([id]) => id));
  writer.float64s(decisions.map(([, at]) => at));
  ledger.write(writer);
  writer.float64s([state.starts.weights.base, state.values.weights.base]);
  writeHistory(writer, state.history);
  for (const { block, groups } of blocksOf(state)) {
    writer.uint32(block.rows);
    writer.float64s(block.taus(groups));
    for (const name of numbers) writer.float64s(block.values(name));
  }
  writer.text(sha256(writer.written()));
  return writer.written();
}

/** @throws RangeError if the bytes are no checkpoint of this code, or not as they were written */
export function restoreTrainer(bytes: Uint8Array): Trainer {
  const reader = new ByteReader(bytes);
  if (reader.text() !== magic) throw new RangeError('These bytes are no checkpoint.');
  const digestLength = 4 + 64;
  const body = bytes.subarray(0, Math.max(0, bytes.length - digestLength));
  const digest = new ByteReader(bytes.subarray(body.length)).text();
  if (digest !== sha256(body)) throw new RangeError('The checkpoint is not as it was written.');
  // Checked by its digest, written by `encodeCheckpoint` of this very version.
  const plain = reader.json() as PlainState;
  const state = stateOf(plain, readLongState(reader));
  const [startBase = NaN, valueBase = NaN] = reader.float64s();
  state.starts.weights.base = startBase;
  state.values.weights.base = valueBase;
  state.history.restore(readHistory(reader));
  for (const { block } of blocksOf(state)) readBlock(reader, block);
  return new Trainer(state);
}

function readLongState(reader: ByteReader): LongState {
  const waiting = WaitingColumns.read(reader);
  const [ids, times] = [reader.jsons() as readonly string[], reader.float64s()];
  const decisions = ids.map((id, index) => [id, times[index]!] as const);
  return { waiting, decisions, ledger: KeptConversions.read(reader) };
}

function writeHistory(writer: ByteWriter, { count, arms, sizes, starts, places }: Observations): void {
  writer.uint32(count);
  for (const column of [sizes, starts]) writer.float32s(column.subarray(0, count));
  writer.uint32(places.length);
  for (const column of [arms, ...places]) writer.uint16s(column.subarray(0, count));
}

function readHistory(reader: ByteReader): Observations {
  const count = reader.uint32();
  const [sizes, starts] = [reader.float32s(), reader.float32s()];
  const groups = reader.uint32();
  const arms = reader.uint16s();
  return { count, arms, sizes, starts, places: Array.from({ length: groups }, () => reader.uint16s()) };
}

function readBlock(reader: ByteReader, block: Block): void {
  const rows = reader.uint32();
  const tau = reader.float64s();
  const [eta, lam, mean, variance] = [reader.float64s(), reader.float64s(), reader.float64s(), reader.float64s()];
  block.restore(rows, tau, { eta, lam, mean, variance });
}
