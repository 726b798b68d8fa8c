import type { ReceivedMessage } from '@paywright/messaging';
import type { Clock, Metrics } from '@paywright/platform';

/** Seconds from a record's append to the log until the read model shows it. */
const delayBuckets = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 60, 600, 3_600];

/** How far the read model is behind, in time. The lag in records is the consumer's. */
export class ProjectionMetrics {
  readonly #clock: Clock;
  readonly #records;
  readonly #contradictions;
  readonly #delay;

  constructor(metrics: Metrics, clock: Clock) {
    this.#clock = clock;
    this.#records = metrics.counter('paywright_projection_records_total', 'Records folded in', ['topic']);
    this.#contradictions = metrics.counter(
      'paywright_projection_contradictions_total',
      'Events that are not shown, since their versions were known under other ids',
      ['topic'],
    );
    this.#delay = metrics.histogram(
      'paywright_projection_delay_seconds',
      'From the append of a batch’s oldest record to its commit in the read model',
      ['topic'],
      delayBuckets,
    );
  }

  /** A batch's rows are committed. */
  followed(messages: readonly ReceivedMessage[]): void {
    const [oldest] = messages;
    if (oldest === undefined) return;
    this.#records.inc({ topic: oldest.topic }, messages.length);
    this.#delay.observe({ topic: oldest.topic }, Math.max(0, this.#clock.machineNow() - oldest.timestamp) / 1_000);
  }

  /** Events are not shown, though they are no repeats. */
  contradicted(topic: string, count: number): void {
    this.#contradictions.inc({ topic }, count);
  }
}
