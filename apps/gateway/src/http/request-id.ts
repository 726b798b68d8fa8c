import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

const idBytes = 16;
const pool = new Uint8Array(256 * idBytes);
let used = pool.length;

/**
 * A UUIDv7: the request's, and its command's. Random bytes are drawn for 256 ids at a time: drawn one by one they
 * are 4 % of the gateway's work for a paywall.
 */
export function newRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, (used += idBytes));
  return uuidv7({ random });
}
