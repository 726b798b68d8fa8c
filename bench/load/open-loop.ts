import { build, type Histogram } from 'hdr-histogram-js';
import { Connection } from './connection.ts';
import type { LoadJob, LoadResult } from './load-job.ts';

/** More waiting than this many seconds of requests: the server is overwhelmed, and waiting on tells nothing new. */
const hopelessSeconds = 3;
const answerTimeoutMs = 10_000;

const requestsOf = ({ url, method, path, headers, bodies }: LoadJob): Buffer[] =>
  bodies.map((body, index) => {
    const lines = Object.entries({ host: new URL(url).host, ...headers }).map(([name, value]) => `${name}: ${value}`);
    const target = typeof path === 'string' ? path : path[index]!;
    const length = body === '' ? [] : [`content-length: ${Buffer.byteLength(body)}`];
    return Buffer.from(`${method} ${target} HTTP/1.1\r\n${[...lines, ...length].join('\r\n')}\r\n\r\n${body}`);
  });

/** Counts and latencies of the requests that were due in the measured time. */
class Tally {
  readonly latencies: Histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: 60_000_000,
    numberOfSignificantValueDigits: 3,
  });
  readonly failures: Record<string, number> = {};
  answered = 0;

  count(status: number, latencyMs: number): void {
    if (status >= 200 && status < 300) {
      this.answered++;
      this.latencies.recordValue(Math.max(1, Math.round(latencyMs * 1000)));
    } else this.failures[status] = (this.failures[status] ?? 0) + 1;
  }

  milliseconds = (percentile: number): number => this.latencies.getValueAtPercentile(percentile) / 1000;
}

/** Sends the job's requests when they are due and waits for the answers. Uses its process for nothing else. */
export async function runOpenLoop(job: LoadJob): Promise<LoadResult> {
  const requests = requestsOf(job);
  const urls = [job.url, ...(job.moreUrls ?? [])];
  const idle = Array.from({ length: job.connections }, (_, index) => new Connection(urls[index % urls.length]!));
  const connections = [...idle];
  const waiting: number[] = [];
  const tally = new Tally();
  const intervalMs = 1000 / job.rate;
  const total = Math.round((job.warmUpSeconds + job.seconds) * job.rate);
  const firstMeasured = Math.round(job.warmUpSeconds * job.rate);
  const start = performance.now() + 20;
  const dueAt = (index: number): number => start + index * intervalMs;
  let [sent, done, overwhelmed] = [0, 0, false];
  let cpuBefore = process.cpuUsage();

  const dispatch = (connection: Connection, index: number): void => {
    connection.send(requests[index % requests.length]!, (status) => {
      done++;
      if (index >= firstMeasured) tally.count(status, performance.now() - dueAt(index));
      const next = waiting.shift();
      if (next === undefined) idle.push(connection);
      else dispatch(connection, next);
    });
  };
  const sendDue = (): void => {
    for (const now = performance.now(); sent < total && dueAt(sent) <= now; sent++) {
      if (sent === firstMeasured) cpuBefore = process.cpuUsage();
      const connection = idle.pop();
      if (connection) dispatch(connection, sent);
      else waiting.push(sent);
    }
  };

  await new Promise<void>((resolve) => {
    const tick = (): void => {
      sendDue();
      overwhelmed ||= waiting.length > job.rate * hopelessSeconds;
      const late = performance.now() - dueAt(total) > answerTimeoutMs;
      if (overwhelmed || late || (sent === total && done === total)) return resolve();
      setTimeout(tick, sent < total ? Math.max(0, dueAt(sent) - performance.now()) : 1);
    };
    tick();
  });
  const cpu = process.cpuUsage(cpuBefore);
  const elapsedSeconds = Math.max(0.001, (performance.now() - dueAt(firstMeasured)) / 1000);
  for (const connection of connections) connection.close();
  if (sent > done) tally.failures['0'] = (tally.failures['0'] ?? 0) + (sent - done);
  return {
    rate: job.rate,
    answered: tally.answered,
    answeredPerSecond: tally.answered / elapsedSeconds,
    failures: tally.failures,
    p50: tally.milliseconds(50),
    p95: tally.milliseconds(95),
    p99: tally.milliseconds(99),
    max: tally.latencies.maxValue / 1000,
    generatorCpu: (cpu.user + cpu.system) / 1e6 / elapsedSeconds,
    overwhelmed,
  };
}
