import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const script = fileURLToPath(new URL('testing/young-generation.ts', import.meta.url));

/** How many times as large it was in the end, in a process of its own. */
async function growth(how: 'small' | 'usual'): Promise<unknown> {
  const [told]: unknown[] = await once(fork(script, [how], { execArgv: ['--expose-gc'] }), 'message');
  return told;
}

describe('the young generation', () => {
  it('stays as small as it is', async () => {
    expect(await growth('small')).toBeLessThanOrEqual(1); // on a busy machine what was swept beforehand is given back only now
  });

  it('would grow to many times its size', async () => {
    expect(await growth('usual')).toBeGreaterThan(4);
  });
});
