import type { DecisionQueries } from '@paywright/read-model';
import { decodeSnapshot, engineOf, engineVersion, type ModelSnapshot } from '@paywright/selection-engine';

/**
 * What a model had learned; null if it is not kept any more. Another engine's snapshot, just before or after an upgrade,
 * is not read, and is as if it were not there.
 * @throws RangeError if this engine's is not as it was written
 */
export async function keptSnapshot(
  decisions: Pick<DecisionQueries, 'modelSnapshot'>,
  appId: number,
  sha256: string,
): Promise<ModelSnapshot | null> {
  const bytes = await decisions.modelSnapshot(appId, sha256);
  return bytes === null || engineOf(bytes) !== engineVersion ? null : decodeSnapshot(bytes);
}
