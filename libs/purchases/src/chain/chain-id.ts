import { createHash } from 'node:crypto';
import type { Store } from '@paywright/contracts';

/**
 * The stream and Kafka key of a chain of purchases, the same wherever it is met: a UUID of version 8. A Play chain's
 * own id is a purchase token, which whoever holds it can use, so it is only ever written down as this.
 * @param originalId the chain's first id at its store: see Observation
 */
export function chainIdOf(appId: number, store: Store, originalId: string): string {
  const bytes = createHash('sha256').update(`${appId}:${store}:${originalId}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
