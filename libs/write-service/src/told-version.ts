import { z } from 'zod';

/** Of a stream's state, as it is told on a compacted topic. Without a version are records from before it was told. */
export const VersionedRecord = z.object({ version: z.int().default(0), edition: z.int().default(0) });

/**
 * The version that a record tells of its stream. One of a former edition counts as the version before: so it is told again,
 * as the code makes it now, though nothing happened since.
 */
export function toldVersion(record: unknown, newestEdition = 0): number {
  const { version, edition } = VersionedRecord.parse(record);
  return edition < newestEdition ? version - 1 : version;
}
