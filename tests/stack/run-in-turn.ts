import { mock } from 'node:test';
import { pathToFileURL } from 'node:url';

/** How a run of a program ended, and what it printed. */
export interface ProgramRun {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Thrown where the program asks to end. */
class Ended extends Error {}

const [, , program = '', lists = '[]'] = process.argv;
const runs: ProgramRun[] = [];
for (const args of JSON.parse(lists) as readonly string[][]) runs.push(await run(args));
process.exitCode = 0;
console.log(JSON.stringify(runs));

/** As a process of its own would: its module is evaluated anew, what it imports is there already. */
async function run(args: readonly string[]): Promise<ProgramRun> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  process.argv = [process.execPath, program, ...args];
  process.exitCode = 0;
  const mocks = [
    mock.method(process.stdout, 'write', (text: string) => stdout.push(text) > 0),
    mock.method(process.stderr, 'write', (text: string) => stderr.push(text) > 0),
    mock.method(process, 'exit', (status = process.exitCode) => {
      process.exitCode = status;
      throw new Ended();
    }),
  ];
  try {
    await import(`${pathToFileURL(program).href}?run=${runs.length}`);
  } catch (error) {
    if (!(error instanceof Ended)) {
      process.exitCode = 1;
      console.error(error);
    }
  }
  for (const one of mocks) one.mock.restore();
  return { status: Number(process.exitCode), stdout: stdout.join(''), stderr: stderr.join('') };
}
