import type { Admin } from 'kafkajs';
import { patiently } from '../connection/patiently.ts';

/**
 * Waits until a broker coordinates the group. A new broker first makes its own topic for that, and one that was
 * started again first loads it; kafkajs ends a consumer for good that asks in the meantime.
 * @throws as patiently does
 */
export async function untilCoordinated(admin: Admin, group: string, until?: AbortSignal): Promise<void> {
  await patiently(() => admin.describeGroups([group]), until);
}
