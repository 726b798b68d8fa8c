import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** What a shell prints for commands, which must succeed. @param folder where it runs them; the project's if absent */
export async function runShell(commands: string, env: NodeJS.ProcessEnv = {}, folder?: string): Promise<string> {
  const shell = ['-euo', 'pipefail', '-c', commands];
  const { stdout } = await promisify(execFile)('bash', shell, { env: { ...process.env, ...env }, cwd: folder });
  return stdout;
}

/** A PATH of all programs that there are, but those of some names. @param folder for the links to them */
export function programsBut(folder: string, hidden: RegExp): string {
  for (const place of (process.env['PATH'] ?? '').split(delimiter).filter((path) => existsSync(path))) {
    for (const name of readdirSync(place)) {
      const link = join(folder, name);
      if (!hidden.test(name) && !existsSync(link)) symlinkSync(join(place, name), link);
    }
  }
  return folder;
}

/** Runs `npm start`'s launcher until it ends. */
export async function launcherThatEnds(env: NodeJS.ProcessEnv): Promise<{ status: number | null; said: string }> {
  const launcher = spawn(process.execPath, ['deploy/local/start.ts'], { env: { ...process.env, ...env } });
  let said = '';
  for (const stream of [launcher.stdout, launcher.stderr])
    stream.on('data', (chunk: Buffer) => (said += String(chunk)));
  await once(launcher, 'close');
  return { status: launcher.exitCode, said };
}

/** Runs a module of the project until it has printed a line that matches. @throws after 30 s */
export async function moduleThatPrints(code: string, wanted: RegExp, env: NodeJS.ProcessEnv): Promise<string> {
  const program = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const timer = setTimeout(() => program.kill(), 30_000);
  let said = '';
  try {
    for await (const chunk of program.stdout) if (wanted.test((said += String(chunk)))) return said;
    throw new Error(`It printed ${said === '' ? 'nothing' : said}`);
  } finally {
    clearTimeout(timer);
    program.kill();
  }
}
