import { existsSync, readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const threadsFolder = '/proc/self/task';

/**
 * Gives the processor to whoever else wants it: learning can wait, a person before a paywall cannot. On Linux each
 * thread has a priority of its own, V8's included; those that start later have that of the one that starts them.
 */
export function takeWhatIsLeft(): void {
  const threads = existsSync(threadsFolder) ? readdirSync(threadsFolder).map(Number) : [0];
  for (const thread of threads) setPriority(thread, constants.priority.PRIORITY_LOW);
}
