import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from '@jest/globals';
import type { KeptMemory } from '../testing/kept-memory.ts';

const script = fileURLToPath(new URL('../testing/kept-memory.ts', import.meta.url));

let kept: KeptMemory;
beforeAll(async () => {
  const [told]: KeptMemory[] = await once(fork(script, { execArgv: ['--expose-gc'] }), 'message');
  kept = told!;
});

it('keeps nothing of what is handled behind a message that is not', () => {
  expect(kept.anOffset).toBeLessThan(10); // bytes: its text alone has more
});

it('keeps nothing of a key that is handled', () => {
  expect(kept.aKey).toBeLessThan(100); // bytes: a lane takes 170
});
