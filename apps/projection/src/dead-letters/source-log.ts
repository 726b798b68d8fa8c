import {
  findRecord,
  offsetAfter,
  readPartition,
  type KafkaConnection,
  type ReceivedMessage,
} from '@paywright/messaging';
import type { SourceLog } from './folded-letters.ts';

/** The topics themselves, read once more by a reader of its own each time: that takes a second, and nobody else's place. */
export const sourceLog = (kafka: KafkaConnection): SourceLog => ({
  find: (start) => findRecord(kafka, start),
  findNewest: async (part, key) => {
    const found: ReceivedMessage[] = [];
    let next = part.offset;
    await readPartition(kafka, part, (message) => {
      if (message.key === key) found[0] = message;
      next = offsetAfter(message.offset);
      return true;
    });
    return { record: found[0] ?? null, next };
  },
});
