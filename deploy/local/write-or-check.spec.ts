import { describe, expect, it } from '@jest/globals';
import { writeOrCheck } from './write-or-check.ts';

const usage = 'Writes x, or checks it.';

async function told(args: readonly string[]) {
  const done: string[] = [];
  const lines: string[] = [];
  const printed: string[] = [];
  const does = (word: string, faults: readonly string[]) => () => {
    done.push(word);
    return Promise.resolve(faults);
  };
  const files = { write: does('write', []), check: does('check', ['One is stale.']) };
  const output = { log: (line: string) => printed.push(line), error: (line: string) => lines.push(line) };
  const status = await writeOrCheck(args, usage, files, output);
  return { status, done, lines, printed };
}

describe('a program that makes files', () => {
  it.each([
    [[], 'It takes write or check.'],
    [['chek'], 'It takes write or check.'],
    [['constructor'], 'It takes write or check.'],
    [['check', 'write'], 'It takes nothing of write.'],
    [['write', '--dry-run'], 'It takes nothing of --dry-run.'],
  ])('does nothing where it is told %j, and says what it takes', async (args, said) => {
    expect(await told(args)).toEqual({ status: 2, done: [], lines: [`${said}\n\n${usage}`], printed: [] });
  });

  it.each([[['--help']], [['write', '--help']], [['check', '--help']]])('says %j what it does', async (args) => {
    expect(await told(args)).toEqual({ status: 0, done: [], lines: [], printed: [usage] });
  });

  it('writes, or checks and tells what is wrong', async () => {
    expect(await told(['write'])).toEqual({ status: 0, done: ['write'], lines: [], printed: [] });
    expect(await told(['check'])).toEqual({ status: 1, done: ['check'], lines: ['One is stale.'], printed: [] });
  });
});
