import { afterAll, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kafkaRuntime } from './kafka-runtime.ts';
import { fromClassArchive, startKafka } from './kafka.ts';
import { ProcessGroup } from './process-group.ts';

const parent = mkdtempSync(join(tmpdir(), 'kafka-'));
const group = new ProcessGroup();
afterAll(async () => {
  await group.endAll();
  rmSync(parent, { recursive: true });
});

it('keeps its log in its data folder, whatever that is called, and starts there again, from its class archive', async () => {
  const dataDir = join(parent, 'für Jörg: a, b\\n', 'data');
  mkdirSync(dataDir, { recursive: true });
  const runtimeDir = join(dataDir, 'kafka-runtime');
  symlinkSync(await kafkaRuntime(join(process.cwd(), '.data'), () => undefined), runtimeDir);
  const classArchiveOptions = [fromClassArchive, '-Xshare:on']; // which ends Java if it cannot read the archive
  const start = async () =>
    await startKafka({
      dataDir,
      runtimeDir,
      logFile: join(dataDir, 'kafka.log'),
      group,
      durable: false,
      classArchiveOptions,
    });

  const first = await start();
  const ended = new Promise((resolve) => first.process.once('exit', resolve));
  first.process.kill('SIGKILL');
  await ended;
  expect(readdirSync(join(dataDir, 'kafka'))).toContain('__cluster_metadata-0');
  expect(readdirSync(parent)).toEqual(['für Jörg: a, b\\n']);
  await start();
}, 240_000);
