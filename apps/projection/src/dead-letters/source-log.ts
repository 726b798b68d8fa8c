import { findRecord, readPartition, type KafkaConnection, type ReceivedMessage } from '@paywright/messaging';
import type { SourceLog } from './folded-letters.ts';

/** The topics themselves, read once more by a reader of its own each time: that takes a second, and nobody else's place. */
export const sourceLog = (kafka: KafkaConnection): SourceLog => ({
  find: (start) => findRecord(kafka, start),
  findNewest: async (start, key) => {
    const found: ReceivedMessage[] = [];
    await readPartition(kafka, start, (message) => {
      if (message.key === key) found[0] = message;
      return true;
    });
    return found[0] ?? null;
  },
});
