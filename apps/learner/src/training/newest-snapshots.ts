import { NewestRecords, type NewestRecordsOptions } from '@paywright/messaging';
import { modelKey, modelKeyOfPart, type ModelName, modelOfKey, snapshotRecords } from '@paywright/selection-models';
import { z } from 'zod';
import type { SnapshotArchive } from './snapshot-archive.ts';

/** What tells of a record how new it is. */
export const LearnedRecord = z.object({ learnedUntil: z.number() });
type LearnedRecord = z.output<typeof LearnedRecord>;

export interface NewestSnapshotsOptions extends Pick<
  NewestRecordsOptions<LearnedRecord>,
  'topic' | 'reader' | 'publish' | 'logger' | 'everyMs'
> {
  readonly archive: SnapshotArchive;
  /** Those that this process trains: others' are told by whoever trains them. */
  readonly models: () => Iterable<ModelName>;
  readonly isArchived: (name: ModelName) => boolean;
}

/** Keeps the last snapshot of each model on the topic the newest that is kept, but of archived models none. */
export const newestSnapshots = ({
  archive,
  models,
  isArchived,
  ...options
}: NewestSnapshotsOptions): NewestRecords<LearnedRecord> =>
  new NewestRecords({
    ...options,
    versionOf: ({ learnedUntil }) => learnedUntil,
    streamOf: modelKeyOfPart,
    versions: async () => {
      const learned = await archive.learnedUntil([...models()].filter((name) => !isArchived(name)));
      return new Map(learned.map((name) => [modelKey(name), name.learnedUntil]));
    },
    recordsOf: async (key) => {
      const name = modelOfKey(key);
      const snapshot = name && (await archive.newestOf(name));
      return snapshot ? snapshotRecords(snapshot, options.topic) : [];
    },
  });
