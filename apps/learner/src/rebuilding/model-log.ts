import { readPartition, type KafkaConnection } from '@paywright/messaging';
import { LogEntry, modelKey, type ModelName } from '@paywright/selection-models';

/** A part of a model's log: from an offset on, up to but not including another one. */
export interface LogPart extends ModelName {
  readonly topic: string;
  readonly partition: number;
  readonly from: bigint;
  readonly end: bigint;
}

/**
 * Shows a part of a model's log once more, without what no learner could read.
 * @param take its rejection ends the reading, and is passed on
 */
export async function readModelLog(
  kafka: KafkaConnection,
  { topic, partition, from, end, ...name }: LogPart,
  take: (entry: LogEntry, offset: bigint) => void | Promise<void>,
): Promise<void> {
  const wanted = modelKey(name);
  const part = { topic, partition, offset: String(from), end: String(end) };
  await readPartition(kafka, part, async ({ key, offset, value }) => {
    const entry = key === wanted ? entryOf(value) : null;
    if (entry !== null) await take(entry, BigInt(offset));
    return true;
  });
}

function entryOf(value: Buffer | null): LogEntry | null {
  try {
    return LogEntry.safeParse(JSON.parse(String(value))).data ?? null;
  } catch {
    return null;
  }
}
