import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { end } from './ending.ts';
import { classArchive, startKafka } from './kafka.ts';
import { ProcessGroup } from './process-group.ts';

/** Far more than Java takes to write it down as it ends. */
const writtenMs = 60_000;

/**
 * Has Java keep Kafka's loaded classes beside the jars, by starting a broker once and ending it: every start after it
 * takes half as long. Another Java than the one that made the archive leaves it unread. One that makes none leaves an
 * empty file, so that it is not asked again.
 * @param runtimeDir has the jars
 */
export async function ensureClassArchive(runtimeDir: string): Promise<void> {
  const archive = join(runtimeDir, classArchive);
  if (existsSync(archive)) return;
  const dataDir = mkdtempSync(join(tmpdir(), 'paywright-classes-'));
  const made = `${archive}.${randomBytes(4).toString('hex')}`; // others may be at it too
  const group = new ProcessGroup();
  try {
    const classArchiveOptions = [`-XX:ArchiveClassesAtExit=${classArchive}`];
    const logFile = join(dataDir, 'kafka.log');
    const { process } = await startKafka({ dataDir, runtimeDir, logFile, group, durable: false, classArchiveOptions });
    await end(process, 'SIGTERM', writtenMs);
    const own = join(dataDir, classArchive);
    if (!existsSync(own)) writeFileSync(own, '');
    copyFileSync(own, made);
    renameSync(made, archive);
  } finally {
    await group.endAll();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}
