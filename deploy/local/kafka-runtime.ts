import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToldError } from '@paywright/platform/told-error';
import { findProjectRoot } from '../migrate/database-schemas.ts';
import { ensureClassArchive } from './class-archive.ts';
import { requireJava } from './java.ts';
import { MissingProgram } from './missing-program.ts';

const kafkaFolder = join(findProjectRoot(), 'deploy', 'kafka');
const sharedRuntime = join(findProjectRoot(), '.data', 'kafka-runtime');
/** In a folder whose files were checked against the list; its text is the list's checksum. */
const verifiedFile = 'verified';

/**
 * The folder with the jars of Apache Kafka, fetched by Maven if they are not there yet.
 * @param dataDir keeps them under `kafka-runtime`, unless the checkout's own data folder has them already
 * @param say told so, if they are fetched: it takes some time
 * @throws MissingProgram without Java or Maven; an error that names the file if one is not what it should be
 */
export async function kafkaRuntime(dataDir: string, say: (line: string) => void): Promise<string> {
  const runtimeDir = await verifiedRuntime(dataDir, say);
  await ensureClassArchive(runtimeDir);
  return runtimeDir;
}

async function verifiedRuntime(dataDir: string, say: (line: string) => void): Promise<string> {
  const own = join(dataDir, 'kafka-runtime');
  const ready = [own, sharedRuntime].find(isVerified);
  if (ready) return ready;

  await requireJava(); // which Maven needs too, and says so less clearly
  say('Fetching Apache Kafka with Maven (44 MB, once) …');
  const fetched = `${own}.${randomBytes(4).toString('hex')}`;
  try {
    await copyDependencies(fetched);
    verify(fetched);
    writeFileSync(join(fetched, verifiedFile), listChecksum());
    rmSync(own, { recursive: true, force: true });
    renameSync(fetched, own);
  } finally {
    rmSync(fetched, { recursive: true, force: true });
  }
  return own;
}

const checksumList = () => readFileSync(join(kafkaFolder, 'checksums.sha256'), 'utf8');
const listChecksum = () => sha256(Buffer.from(checksumList()));
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function isVerified(folder: string): boolean {
  const file = join(folder, verifiedFile);
  return existsSync(file) && readFileSync(file, 'utf8') === listChecksum();
}

function verify(folder: string): void {
  const expected = new Map(
    checksumList()
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/))
      .map(([checksum, name]) => [name, checksum]),
  );
  const jars = readdirSync(folder).filter((name) => name.endsWith('.jar'));
  const wrong = jars.filter((name) => sha256(readFileSync(join(folder, name))) !== expected.get(name));
  const missing = [...expected.keys()].filter((name) => name === undefined || !jars.includes(name));
  if (wrong.length + missing.length > 0)
    throw new ToldError(
      `Not the Apache Kafka that deploy/kafka/checksums.sha256 lists: ${[...wrong, ...missing].join(', ')}`,
    );
}

async function copyDependencies(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${folder}`];
  const maven = spawn('mvn', ['-q', '-B', '-f', join(kafkaFolder, 'pom.xml'), ...goal], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  maven.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  maven.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  maven.once('error', () => reject(new MissingProgram('Maven 3.8 or newer', 'mvn')));
  maven.once('close', resolve);
  if ((await promise) !== 0) throw new ToldError(`Maven could not fetch Apache Kafka:\n${output.trim()}`);
}
