import { describe, expect, it } from '@jest/globals';
import { writeOrCheck } from './write-or-check.ts';

async function told(args: readonly string[]) {
  const done: string[] = [];
  const lines: string[] = [];
  const does = (word: string, faults: readonly string[]) => () => {
    done.push(word);
    return Promise.resolve(faults);
  };
  const files = { write: does('write', []), check: does('check', ['One is stale.']) };
  const status = await writeOrCheck(args, 'deploy/x/main.ts', files, (line) => lines.push(line));
  return { status, done, lines };
}

describe('a program that makes files', () => {
  it.each([[[]], [['chek']], [['constructor']], [['check', 'write']], [['--help']]])(
    'does nothing where it is told %j, and says what it takes',
    async (args) => {
      const usage = 'Usage: node deploy/x/main.ts write|check';
      expect(await told(args)).toEqual({ status: 2, done: [], lines: [usage] });
    },
  );

  it('writes, or checks and tells what is wrong', async () => {
    expect(await told(['write'])).toEqual({ status: 0, done: ['write'], lines: [] });
    expect(await told(['check'])).toEqual({ status: 1, done: ['check'], lines: ['One is stale.'] });
  });
});
