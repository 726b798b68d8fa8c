import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MissingProgram } from './missing-program.ts';

const oldestJava = 17;

/** @throws MissingProgram if there is no Java on the PATH, or one before 17 */
export async function requireJava(): Promise<void> {
  const version = await javaVersion();
  if (version < oldestJava) throw new MissingProgram(`Java ${oldestJava} or newer`, 'java');
}

/** The major version of the Java on the PATH; 0 if there is none. */
async function javaVersion(): Promise<number> {
  try {
    const { stderr } = await promisify(execFile)('java', ['-version']);
    return parseJavaVersion(stderr);
  } catch {
    return 0;
  }
}

/** The major version that `java -version` tells: 17 of `"17.0.15"`, 8 of `"1.8.0_402"`; 0 if it tells none. */
export function parseJavaVersion(text: string): number {
  const [, first, second] = /version "(\d+)(?:\.(\d+))?/.exec(text) ?? [];
  return Number((first === '1' ? second : first) ?? 0);
}
