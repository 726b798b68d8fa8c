import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';

const program = `
  import { readdirSync } from 'node:fs';
  import { constants, getPriority } from 'node:os';
  import { takeWhatIsLeft } from '${new URL('take-what-is-left.ts', import.meta.url).href}';
  takeWhatIsLeft();
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0];
  process.stdout.write(String(threads.every((thread) => getPriority(thread) === constants.priority.PRIORITY_LOW)));`;

it('lowers the priority of every thread', () => {
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  expect(printed).toBe('true');
});
