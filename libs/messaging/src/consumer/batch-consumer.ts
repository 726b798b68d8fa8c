import type { Admin, Consumer, EachBatchPayload } from 'kafkajs';
import type { HealthCheck, Metrics } from '@paywright/platform';
import { endsWithin } from '../back-off.ts';
import type { KafkaConnection } from '../connection/kafka-connection.ts';
import { patiently } from '../connection/patiently.ts';
import { deadLettersOfCommands, deadLettersOfFollower, type DeadLetterOffice } from '../dead-letter.ts';
import { noDefects, type Defect } from '../defects.ts';
import { describeError } from '../errors.ts';
import { noFailpoint, type Failpoint } from '../failpoint.ts';
import type { BatchHandler } from '../message.ts';
import { messagingMetrics, type MessagingMetrics } from '../messaging-metrics.ts';
import type { CoalescingProducer } from '../producer/coalescing-producer.ts';
import { Assignment } from './assignment.ts';
import { BatchProcessor, type BatchEnd } from './batch-processor.ts';
import { Claims, type Claim } from './claims.ts';
import { LagGauge } from './lag.ts';
import { OffsetCommits } from './offset-commits.ts';
import { exitOnCrash, openConsumer } from './open-consumer.ts';
import { laneOf, PartitionControl, type TopicPartition } from './partition-control.ts';
import { untilCoordinated } from './until-coordinated.ts';
import { receivedMessages } from './received-messages.ts';

export interface BatchConsumerOptions {
  readonly kafka: KafkaConnection;
  readonly group: string;
  /** The topics of the group: the same in all its members. */
  readonly topic: string | readonly string[];
  readonly handler: BatchHandler;
  readonly producer: CoalescingProducer;
  readonly metrics: Metrics;
  /** What the messages are; it decides what a dead letter holds. */
  readonly carries: 'commands' | 'events';
  /** Whether the handler's database answers: until it does, no failing message is a dead letter. */
  readonly isDatabaseUp?: () => Promise<boolean>;
  /**
   * Called at each assignment; nothing of its partitions is handled until it has resolved with where to read from
   * (a partition left out is read from the committed offset). A rejection is repeated with a back-off.
   */
  readonly claim?: Claim;
  /** A crash that kafkajs does not recover from; ends the process with 1 if absent. */
  readonly onFinalCrash?: () => void;
  readonly deadLetters?: DeadLetterOffice;
  readonly drainMs?: number;
  readonly defects?: ReadonlySet<Defect>;
  readonly failpoint?: Failpoint;
}

/** How long a batch may hold the fetch loop, which waits for all partitions' batches before it fetches again. */
const handOffMs = 20;
const defaultDrainMs = 3_000;
const commitTimeoutMs = 1_000;

/**
 * Reads a group's partitions in batches, one batch a partition at a time. A batch that outlasts 20 ms is handed off:
 * its partition is paused, and the loop goes on with the others. Nothing of ours is thrown out of eachBatch, where
 * kafkajs would repeat it for every partition, or die of it.
 */
export class BatchConsumer implements HealthCheck {
  readonly name: string;
  readonly #options: BatchConsumerOptions;
  readonly #topics: readonly string[];
  readonly #consumer: Consumer;
  readonly #admin: Admin;
  readonly #metrics: MessagingMetrics;
  readonly #commits: OffsetCommits;
  readonly #lag: LagGauge;
  readonly #control: PartitionControl;
  readonly #claims: Claims;
  readonly #processor: BatchProcessor;
  readonly #defects: ReadonlySet<Defect>;
  readonly #stopping = new AbortController();
  /** Batches in hand, by partition: those handed off, and those the loop waits for. */
  readonly #lanes = new Map<string, Promise<unknown>>();
  #assignment: Assignment;
  #joined = false;

  constructor(options: BatchConsumerOptions) {
    const { kafka, group, topic, handler, producer, defects = noDefects } = options;
    this.#options = options;
    this.name = `consumer ${group}`;
    this.#topics = typeof topic === 'string' ? [topic] : topic;
    this.#metrics = messagingMetrics(options.metrics);
    this.#defects = defects;
    this.#consumer = openConsumer({ kafka, group, onCrash: (final) => this.#crashed(final) });
    this.#admin = kafka.client.admin();
    this.#commits = new OffsetCommits(this.#consumer, kafka.logger);
    this.#lag = new LagGauge(this.#admin, group, this.#metrics);
    this.#control = new PartitionControl(this.#consumer, kafka.logger);
    this.#claims = new Claims(options.claim, this.#control, kafka.logger);
    this.#assignment = new Assignment(this.#stopping.signal);
    const defaultOffice = options.carries === 'commands' ? deadLettersOfCommands : deadLettersOfFollower;
    this.#processor = new BatchProcessor({
      group,
      handler,
      publish: (messages) => producer.send(messages),
      deadLetters: options.deadLetters ?? defaultOffice(group),
      isDatabaseUp: options.isDatabaseUp ?? (async () => true),
      failpoint: options.failpoint ?? noFailpoint,
      logger: kafka.logger,
      metrics: this.#metrics,
    });
  }

  /** Resolves when the group is joined. @throws if no broker answers, or a topic is missing */
  async start(): Promise<void> {
    await Promise.all([this.#consumer.connect(), this.#admin.connect()]);
    const { topics } = await patiently(() => this.#admin.fetchTopicMetadata({ topics: [...this.#topics] }));
    const partitions = topics.reduce((sum, { partitions }) => sum + partitions.length, 0);
    await untilCoordinated(this.#admin, this.#options.group);
    await this.#consumer.subscribe({ topics: [...this.#topics], fromBeginning: true });
    this.#consumer.on(this.#consumer.events.GROUP_JOIN, ({ payload }) => this.#onJoin(payload.memberAssignment));
    await this.#consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: partitions,
      eachBatch: (payload) => this.#eachBatch(payload),
    });
    this.#commits.start();
    this.#lag.start();
  }

  isReady(): boolean {
    return this.#joined && !this.#stopping.signal.aborted;
  }

  ready(): boolean | string {
    return this.isReady() || 'the consumer has not joined its group';
  }

  /** Waits for the batches in hand (bounded), commits, and leaves the group. Calling it again is harmless. */
  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    this.#lag.stop();
    await endsWithin(this.#options.drainMs ?? defaultDrainMs, Promise.allSettled(this.#lanes.values()));
    await endsWithin(commitTimeoutMs, this.#commits.stop());
    this.#assignment.end();
    await Promise.all([this.#consumer.disconnect(), this.#admin.disconnect()]);
  }

  #crashed(final: boolean): void {
    this.#joined = false;
    this.#metrics.crashes.inc({ group: this.#options.group, restart: String(!final) });
    if (final && !this.#stopping.signal.aborted) (this.#options.onFinalCrash ?? exitOnCrash)();
  }

  #onJoin(assigned: Readonly<Record<string, readonly number[]>>): void {
    this.#joined = true;
    this.#metrics.joins.inc({ group: this.#options.group });
    this.#lag.assigned(assigned);
    this.#assignment.end();
    this.#assignment = new Assignment(this.#stopping.signal);
    const partitions = Object.entries(assigned).flatMap(([topic, numbers]) =>
      numbers.map((partition) => ({ topic, partition })),
    );
    void this.#claims.claim(partitions, this.#assignment, (partition) => this.#resumeIfFree(partition));
  }

  async #eachBatch(payload: EachBatchPayload): Promise<void> {
    if (this.#defects.has('parse-outside-catch'))
      for (const { value } of payload.batch.messages) JSON.parse(String(value));
    const { topic, partition } = payload.batch;
    // A lane that was handed off under an earlier assignment resumes its partition when it ends.
    if (!this.#isFree(payload.batch)) return this.#control.pause({ topic, partition });
    try {
      await this.#startLane(payload);
    } catch (error) {
      const fields = { group: this.#options.group, topic, partition, error: describeError(error) };
      this.#options.kafka.logger.error(fields, 'The consumer loop failed');
    }
  }

  async #startLane(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload;
    const assignment = this.#assignment;
    const partition = { topic: batch.topic, partition: batch.partition };
    const lane = laneOf(partition);
    const work = this.#process(batch, assignment);
    this.#lanes.set(lane, work);
    if (this.#defects.has('no-hand-off') || (await endsWithin(handOffMs, work))) {
      this.#lanes.delete(lane);
      const end = await work;
      if (this.#moves(end, partition, assignment)) {
        if (end.rewound) this.#control.seek({ ...partition, offset: end.next });
        else payload.resolveOffset(batch.lastOffset());
      }
      return this.#resumeIfFree(partition);
    }
    this.#control.pause(partition);
    this.#metrics.handOffs.inc({ group: this.#options.group });
    this.#lanes.set(lane, this.#finishLane(work, partition, assignment));
    this.#metrics.pausedPartitions.inc({ group: this.#options.group });
  }

  /** Always resumes in the end: a pause outlives a rebalance. Never rejects. */
  async #finishLane(work: Promise<BatchEnd>, partition: TopicPartition, assignment: Assignment): Promise<void> {
    const end = await work;
    if (this.#moves(end, partition, assignment)) this.#control.seek({ ...partition, offset: end.next });
    this.#lanes.delete(laneOf(partition));
    this.#metrics.pausedPartitions.dec({ group: this.#options.group });
    this.#resumeIfFree(partition);
  }

  async #process(batch: EachBatchPayload['batch'], assignment: Assignment): Promise<BatchEnd> {
    const { group } = this.#options;
    const messages = receivedMessages(batch);
    if (this.#defects.has('commit-before-handling')) {
      const { topic, partition } = batch;
      const next = String(BigInt(batch.lastOffset()) + 1n);
      this.#commits.handled({ topic, partition, next, assignment });
      await this.#commits.commit();
    }
    this.#metrics.batchSize.observe({ group }, messages.length);
    const stopTimer = this.#metrics.handling.startTimer({ group });
    const end = await this.#processor.process(messages, assignment.giveUp);
    stopTimer();
    return end;
  }

  /** Notes the offset for the commit, if the batch is done and its partition is still ours. */
  #moves(
    end: BatchEnd,
    partition: TopicPartition,
    assignment: Assignment,
  ): end is Extract<BatchEnd, { kind: 'handled' }> {
    if (end.kind === 'abandoned' || !assignment.isCurrent) return false;
    if (!end.rewound) this.#commits.handled({ ...partition, next: end.next, assignment });
    return true;
  }

  /** Whether the next batch of the partition may be begun. */
  #isFree(partition: TopicPartition): boolean {
    return !this.#stopping.signal.aborted && !this.#lanes.has(laneOf(partition)) && this.#claims.has(partition);
  }

  #resumeIfFree(partition: TopicPartition): void {
    if (this.#isFree(partition)) this.#control.resume(partition);
  }
}
