import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const program = `
  import { existsSync, readdirSync, readFileSync } from 'node:fs';
  import { getPriority } from 'node:os';
  import { setNiceness } from '${new URL('niceness.ts', import.meta.url).href}';
  await setNiceness(12);
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0];
  const session = existsSync('/proc/self/autogroup') ? readFileSync('/proc/self/autogroup', 'utf8') : '';
  console.log(JSON.stringify({ threads: [...new Set(threads.map((thread) => getPriority(thread)))], session }));`;

/** The niceness that a process gave itself, of all of its threads and of its session. */
async function nicenessOf({ ownSession }: { readonly ownSession: boolean }) {
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program];
  const child = spawn(process.execPath, flags, { detached: ownSession, stdio: ['ignore', 'pipe', 'inherit'] });
  const { threads, session }: { threads: readonly number[]; session: string } = JSON.parse(await text(child.stdout));
  return { threads, session: /nice (\S+)/.exec(session)?.[1] };
}

describe('the niceness of a process', () => {
  it('is that of every thread, and of the session that it has of its own', async () => {
    const session = existsSync('/proc/self/autogroup') ? '12' : undefined;
    expect(await nicenessOf({ ownSession: true })).toEqual({ threads: [12], session });
  });

  it('leaves alone the session that others have too', async () => {
    const { threads, session } = await nicenessOf({ ownSession: false });
    expect(threads).toEqual([12]);
    expect(session).not.toBe('12');
  });

  it('is set for all that begin at once', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => nicenessOf({ ownSession: true })));
    expect(new Set(all.map(({ threads }) => threads[0]))).toEqual(new Set([12]));
    if (existsSync('/proc/self/autogroup')) expect(all.map(({ session }) => session)).toEqual(['12', '12', '12', '12']);
  });
});
