import { createHash } from 'node:crypto';

/** A UUID of version 8 that a text has, the same wherever it is derived; the text cannot be told from it. */
export const derivedId = (text: string): string => uuidOfHash(createHash('sha256').update(text).digest());

/** A UUID of version 8. @param hash of which the first 16 bytes count */
export function uuidOfHash(hash: Buffer): string {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
