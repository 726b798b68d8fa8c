import type { DecisionQueries } from '@paywright/read-model';
import { decodeSnapshot, type ModelSnapshot } from '@paywright/selection-engine';

/**
 * What a model had learned; null if it is not kept any more. Another engine's snapshot, just before or after an upgrade,
 * is not read, and is as if it were not there.
 */
export async function keptSnapshot(
  decisions: Pick<DecisionQueries, 'modelSnapshot'>,
  appId: number,
  sha256: string,
): Promise<ModelSnapshot | null> {
  const bytes = await decisions.modelSnapshot(appId, sha256);
  try {
    return bytes && decodeSnapshot(bytes);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
