import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from './error-code.ts';

const threadsFolder = '/proc/self/task';
const sessionFile = '/proc/self/autogroup';
/** Linux hears one process that is not root in a tenth of a second, and answers the others EAGAIN. */
const againAfterMs = 150;

/**
 * Lets others have the processor first, by Unix' niceness: with 0 a process is like any other, with 10 it has a tenth of
 * what they have where all want it, with 19 a seventieth. On Linux each thread has a niceness of its own, V8's included;
 * those that start later have that of the one that starts them. And processors may be shared among sessions before
 * threads are looked at (autogroup, `sched(7)`), so a process that leads a session gives it the same niceness. What the
 * system does not allow stays as it is.
 */
export async function setNiceness(niceness: number): Promise<void> {
  const threads = existsSync(threadsFolder) ? readdirSync(threadsFolder).map(Number) : [0];
  for (const thread of threads) attempt(() => setPriority(thread, niceness));
  if (!leadsSession()) return;
  while (attempt(() => writeFileSync(sessionFile, String(niceness))) === 'EAGAIN') await delay(againAfterMs);
}

/** The session of others, such as that of a terminal, is left alone. */
function leadsSession(): boolean {
  if (!existsSync(sessionFile)) return false;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // Behind the name in parentheses: state, parent, group, session.
  const session = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3];
  return Number(session) === process.pid;
}

/** @returns the code of the system's refusal, if it refuses */
function attempt(change: () => void): string | null {
  try {
    change();
    return null;
  } catch (error) {
    return codeOf(error);
  }
}
