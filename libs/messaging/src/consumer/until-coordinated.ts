import type { Admin } from 'kafkajs';
import { sleep } from '../back-off.ts';

const withinMs = 60_000;

/**
 * Waits until a broker coordinates the group. A new broker first makes its own topic for that, and one that was
 * started again first loads it; kafkajs ends a consumer for good that asks in the meantime.
 * @throws what the last question was answered with, after 60 s
 */
export async function untilCoordinated(admin: Admin, group: string): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      await admin.describeGroups([group]);
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await sleep(100);
  }
}
