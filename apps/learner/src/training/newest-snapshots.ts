import {
  CompactedTopicReader,
  type CompactedTopicReaderOptions,
  NewestRecords,
  type NewestRecordsOptions,
} from '@paywright/messaging';
import { modelKey, modelKeyOfPart, type ModelName, modelOfKey, snapshotRecords } from '@paywright/selection-models';
import { z } from 'zod';
import type { SnapshotArchive } from './snapshot-archive.ts';

const LearnedRecord = z.object({ learnedUntil: z.number() });
type LearnedRecord = z.output<typeof LearnedRecord>;

export interface NewestSnapshotsOptions
  extends
    Pick<NewestRecordsOptions<LearnedRecord>, 'topic' | 'publish' | 'logger' | 'everyMs'>,
    Pick<CompactedTopicReaderOptions<typeof LearnedRecord>, 'kafka' | 'metrics'> {
  readonly archive: SnapshotArchive;
  /** Those that this process trains: others' are told by whoever trains them. */
  readonly models: () => Iterable<ModelName>;
}

/** Keeps the last snapshot of each model on the topic the newest that was archived. */
export const newestSnapshots = ({
  archive,
  models,
  kafka,
  metrics,
  ...options
}: NewestSnapshotsOptions): NewestRecords<LearnedRecord> =>
  new NewestRecords({
    ...options,
    reader: new CompactedTopicReader({
      ...{ kafka, metrics, topic: options.topic, schema: LearnedRecord },
      isWanted: (key) => modelKeyOfPart(key) !== null,
    }),
    versionOf: ({ learnedUntil }) => learnedUntil,
    streamOf: modelKeyOfPart,
    versions: async (told) => {
      const keys = new Set(told);
      const trained = [...models()].filter((name) => keys.has(modelKey(name)));
      const learned = await archive.learnedUntil(trained);
      return new Map(learned.map((name) => [modelKey(name), name.learnedUntil]));
    },
    recordsOf: async (key) => {
      const name = modelOfKey(key);
      const snapshot = name && (await archive.newestOf(name));
      return snapshot ? snapshotRecords(snapshot, options.topic) : [];
    },
  });
