import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { ManualClock, Metrics, type Logger } from '@paywright/platform';
import { selectionConfig } from '../config.ts';
import { LearnerThread } from './learner-thread.ts';

const config = selectionConfig.parse({ DATABASE_URL: 'postgres://localhost/none', KAFKA_BROKERS: 'localhost:1' });
/** As the machine's, and an hour ahead of it. */
class ShiftedClock extends ManualClock {
  override machineNow = () => 0;
}
const clock = new ShiftedClock(3_600_000);

const lines: string[] = [];
const line = (_fields: object, message: string) => void lines.push(message);
const logger: Logger = { debug: line, info: line, warn: line, error: line, child: () => logger };

let thread: LearnerThread | null = null;
afterEach(() => thread?.stop());

/** A thread that runs this program; it measures what the program posts. */
function started(program: string): Metrics {
  lines.length = 0;
  const metrics = new Metrics();
  const source = `import { parentPort, workerData } from 'node:worker_threads';
    const measure = (name, value) => parentPort.postMessage({ kind: 'metrics', measured: [{ name, help: 'h', labels: { a: 'b' }, value }] });
    ${program}`;
  thread = new LearnerThread({
    config,
    entry: new URL(`data:text/javascript,${encodeURIComponent(source)}`),
    clock,
    logger,
    metrics,
  });
  thread.start();
  return metrics;
}

async function until(metrics: Metrics, shown: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if ((await metrics.text()).includes(shown)) return;
    await delay(50);
  }
  expect(await metrics.text()).toContain(shown);
}

const untilStopped = `parentPort.on('message', ({ kind }) => kind === 'stop' && parentPort.close());`;

it('hands the thread the environment and the clock, and shows what it measures', async () => {
  const metrics = started(`${untilStopped}
    parentPort.on('message', ({ kind, offset }) => kind === 'clock' && measure('learning_offset', offset));
    measure('lag', workerData.config.INSTANCE + 7);`);
  await until(metrics, 'learner_lag{a="b"} 7');
  await until(metrics, 'learning_offset{a="b"} 3600000');
  await thread?.stop();
  expect(lines).toEqual([]);
});

it('starts a thread again that died', async () => {
  const metrics = started(
    `measure('started', Date.now()); setTimeout(() => { throw new Error('Something is wrong.'); }, 50);`,
  );
  const startedAt = async () => /^learner_started.* (\d+)$/m.exec(await metrics.text())?.[1];
  await until(metrics, 'learner_started{');
  const first = await startedAt();
  for (let attempt = 0; attempt < 100 && (await startedAt()) === first; attempt++) await delay(50);
  expect(await startedAt()).not.toBe(first);
  expect(lines).toContain('The learner died and is started again');
}, 20_000);

it('does not wait for a thread that does not stop', async () => {
  const metrics = started(`measure('stubborn', 1); setInterval(() => undefined, 1_000);`);
  await until(metrics, 'learner_stubborn');
  const since = performance.now();
  await thread?.stop();
  expect(performance.now() - since).toBeLessThan(4_500);
}, 20_000);
