import { createHmac } from 'node:crypto';

/**
 * The profile id of a customer's own user id: one person of one app has one id, and so one key, partition
 * and stream, without a look-up. A UUID of version 8; nobody without the key can tell whose it is.
 * @param key from `deriveKey(masterKey, profileIdPurpose)`
 */
export function profileIdOf(key: Buffer, appId: number, customerUserId: string): string {
  const bytes = createHmac('sha256', key).update(`${appId}:${customerUserId}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The purpose of the key that profile ids are made with. */
export const profileIdPurpose = 'profile-id';
