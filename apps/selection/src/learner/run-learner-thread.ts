import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { createKafka } from '@paywright/messaging';
import { createLogger, kafkaAddress, Metrics, SimulatedClock } from '@paywright/platform';
import { openLearner } from './open-learner.ts';
import type { FromThread, Measured, ThreadData, ToThread } from './thread-messages.ts';

const metricsEveryMs = 5_000;
/** What the process measures of itself anyway. */
const ownMetrics = /^(process|nodejs)_/;

/** The learner's thread, from its start until it is told to stop. */
export async function runLearnerThread(): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('This is no thread of a process.');
  // On Linux of this thread alone: whoever waits for a paywall comes first, learning takes what is left.
  setPriority(constants.priority.PRIORITY_LOW);
  // Handed over by `LearnerThread` of this very code.
  const { config } = workerData as ThreadData;
  const logger = createLogger({ service: 'selection', level: config.LOG_LEVEL }).child({ thread: 'learner' });
  const metrics = new Metrics();
  const clock = new SimulatedClock();
  const kafka = createKafka({ ...kafkaAddress(config), clientId: `selection-learner-${config.INSTANCE}`, logger });
  const tell = (message: FromThread) => port.postMessage(message);
  const stopping = Promise.withResolvers<void>();
  port.on('message', (message: ToThread) => {
    if (message.kind === 'clock') clock.moveTo(message.offset);
    else stopping.resolve();
  });

  const learner = await openLearner({ kafka, databaseUrl: config.DATABASE_URL, clock, logger, metrics });
  await learner.start();
  tell({ kind: 'ready' });
  const report = async () => tell({ kind: 'metrics', measured: await measuredIn(metrics) });
  const reporting = setInterval(() => void report(), metricsEveryMs);
  await stopping.promise;
  clearInterval(reporting);
  await learner.stop();
  port.close();
}

/** Counters and gauges; what is spread over buckets stays in the thread. */
async function measuredIn({ registry }: Metrics): Promise<readonly Measured[]> {
  const all = await registry.getMetricsAsJSON();
  return all
    .filter(({ name, type }) => !ownMetrics.test(name) && ['counter', 'gauge'].includes(String(type)))
    .flatMap(({ name, help, values }) =>
      values.map(({ labels, value }) => ({ name, help, labels: textLabels(labels), value })),
    );
}

const textLabels = (labels: Partial<Record<string, string | number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
