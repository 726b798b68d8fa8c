import type { Admin, Consumer, EachBatchPayload } from 'kafkajs';
import { sleep, type HealthCheck } from '@paywright/platform';
import { endsWithin } from '../back-off.ts';
import { patiently } from '../connection/patiently.ts';
import { untilReached } from '../connection/until-reached.ts';
import { deadLettersOfCommands, deadLettersOfFollower } from '../dead-letter.ts';
import { noDefects, type Defect } from '../defects.ts';
import { ClaimLost, describeError } from '../errors.ts';
import { noFailpoint } from '../failpoint.ts';
import {
  offsetAfter,
  type PartitionStart,
  type ReceivedMessage,
  type Rewind,
  type TopicPartition,
} from '../message.ts';
import { messagingMetrics, type MessagingMetrics } from '../messaging-metrics.ts';
import { Assignment } from './assignment.ts';
import { Backpressure } from './backpressure.ts';
import type { BatchConsumerOptions } from './batch-consumer-options.ts';
import { BatchDispatcher } from './batch-dispatcher.ts';
import { BatchProcessor, type BatchEnd } from './batch-processor.ts';
import { Claims } from './claims.ts';
import { FetchRests } from './fetch-rests.ts';
import { HandledOffsets } from './handled-offsets.ts';
import { KeyDispatcher } from './key-dispatcher.ts';
import { LagGauge, type Places } from './lag.ts';
import { LossChecks } from './loss-checks.ts';
import type { MessageDispatcher, Portion } from './message-dispatcher.ts';
import { nextHeartbeat } from './next-heartbeat.ts';
import { OffsetCommits } from './offset-commits.ts';
import { exitOnCrash, openConsumer } from './open-consumer.ts';
import { laneOf, PartitionControl } from './partition-control.ts';
import { receivedMessages } from './received-messages.ts';
import { untilCoordinated } from './until-coordinated.ts';

/** How long a batch may keep messages of other partitions waiting. */
const handOffMs = 20;
/** What may wait for its batch in all, beside what one fetch brings. A partition that has its share is not fetched. */
const defaultWaitingBytes = 8 * 1_048_576;
const defaultDrainMs = 3_000;
const commitTimeoutMs = 1_000;
/** Longer than a group's session: whoever still has the partitions then has them, whatever the database says. */
const defaultClaimPatienceMs = 10_000;

/**
 * Reads a group's partitions in batches. The fetch loop only hands over what it brings, so that it fetches and beats
 * on whatever the handler does; a dispatcher a topic makes the batches. Nothing of ours is thrown out of eachBatch,
 * where kafkajs would repeat it for every partition, or die of it.
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
  readonly #lossChecks: LossChecks;
  readonly #backpressure: Backpressure;
  readonly #rests: FetchRests | undefined;
  readonly #processor: BatchProcessor;
  readonly #defects: ReadonlySet<Defect>;
  readonly #stopping = new AbortController();
  readonly #dispatchers: ReadonlyMap<string, MessageDispatcher>;
  /** Those of them that make batches. */
  readonly #batching: BatchDispatcher[] = [];
  /** By topic, where keys are handled by themselves and so end in any order. */
  readonly #handledOffsets = new Map<string, HandledOffsets>();
  /** Partitions that end before what was read of them, and are not claimed anew yet. */
  readonly #anew = new Map<string, TopicPartition>();
  #assignment: Assignment;
  #joined = false;

  constructor(options: BatchConsumerOptions) {
    const { kafka, group, topic, producer, mostBytes, defects = noDefects } = options;
    this.#options = options;
    this.name = `consumer ${group}`;
    this.#topics = typeof topic === 'string' ? [topic] : topic;
    this.#metrics = messagingMetrics(options.metrics);
    this.#defects = defects;
    this.#consumer = openConsumer({ kafka, group, mostBytes, onCrash: (final) => this.#crashed(final) });
    this.#admin = kafka.client.admin();
    this.#commits = new OffsetCommits(this.#consumer, kafka.logger);
    this.#control = new PartitionControl(this.#consumer, kafka.logger);
    this.#lag = new LagGauge({
      ...{ admin: this.#admin, group, metrics: this.#metrics, logger: kafka.logger },
      commits: this.#commits,
      places: options.claim && this.#places(),
      onEmptied: (place, end) => this.#passOverDeleted(place, end),
    });
    this.#claims = new Claims(options.claim, this.#control, kafka.logger);
    this.#lossChecks = new LossChecks(options.findLost, (rewind) => this.#readFrom(rewind), kafka.logger);
    this.#backpressure = new Backpressure({
      control: this.#control,
      mostBytes: mostBytes ?? defaultWaitingBytes,
      waitingBytes: ({ topic, partition }) => this.#dispatcherOf(topic).waitingBytes(partition),
      onPaused: (count) => this.#metrics.pausedPartitions.set({ group }, count),
    });
    this.#rests = options.restMs && new FetchRests(options.restMs, this.#stopping.signal);
    this.#assignment = new Assignment([], this.#stopping.signal);
    const defaultOffice = options.carries === 'commands' ? deadLettersOfCommands : deadLettersOfFollower;
    this.#processor = new BatchProcessor({
      group,
      handler: (messages) => this.#whileClaimed(() => options.handler(messages)),
      publish: (messages) => producer.send(messages),
      deadLetters: options.deadLetters ?? defaultOffice(group),
      isDatabaseUp: options.isDatabaseUp ?? (async () => true),
      passOver: (message) => this.#whileClaimed(async () => options.passOver?.(message)),
      failpoint: options.failpoint ?? noFailpoint,
      logger: kafka.logger,
      metrics: this.#metrics,
      blamesMessages: this.#defects.has('faults-are-dead-letters'),
    });
    this.#dispatchers = new Map(this.#topics.map((topic) => [topic, this.#dispatcher(topic)]));
  }

  /**
   * Resolves when the group is joined, which waits for a broker. @throws if a topic is missing, a broker refuses it, or it is
   * stopped meanwhile
   */
  async start(): Promise<void> {
    const { kafka } = this.#options;
    const { signal } = this.#stopping; // behind its own end it would join the group again
    const partitions = await untilReached(kafka, () => this.#subscribe(signal), signal);
    await this.#lag.lookForDeleted(this.#topics);
    signal.throwIfAborted();
    this.#consumer.on(this.#consumer.events.GROUP_JOIN, ({ payload }) => this.#onJoin(payload.memberAssignment));
    await this.#consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: partitions,
      eachBatch: (payload) => this.#eachBatch(payload),
    });
    this.#commits.start();
    this.#lag.start();
    this.#lossChecks.start();
  }

  /** It may be done again where it failed. @returns how many partitions there are */
  async #subscribe(signal: AbortSignal): Promise<number> {
    await Promise.all([this.#consumer.connect(), this.#admin.connect()]);
    const { topics } = await patiently(() => this.#admin.fetchTopicMetadata({ topics: [...this.#topics] }), signal);
    await untilCoordinated(this.#admin, this.#options.group, signal);
    await this.#consumer.subscribe({ topics: [...this.#topics], fromBeginning: !this.#defects.has('from-latest') });
    return topics.reduce((sum, { partitions }) => sum + partitions.length, 0);
  }

  ready(): boolean | string {
    return (this.#joined && !this.#stopping.signal.aborted) || 'the consumer has not joined its group';
  }

  /** The first message of each partition that waits because it is not due: all before it was handled. */
  notDue(): readonly ReceivedMessage[] {
    return this.#batching.flatMap((dispatcher) => dispatcher.notDue());
  }

  /** Handles what has become due. */
  lookAgain(): void {
    for (const dispatcher of this.#batching) dispatcher.lookAgain();
  }

  /** Waits for the batches in hand (bounded), commits, and leaves the group. Calling it again is harmless. */
  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    this.#lag.stop();
    this.#lossChecks.stop();
    const ended = Promise.all([...this.#dispatchers.values()].map((dispatcher) => dispatcher.stop()));
    await endsWithin(this.#options.drainMs ?? defaultDrainMs, ended);
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
    this.#control.forget();
    const partitions = Object.entries(assigned).flatMap(([topic, numbers]) =>
      numbers.map((partition) => ({ topic, partition })),
    );
    const lanes = new Set(partitions.map(laneOf));
    // What is still ours may have grown beyond what was read of it, so that nothing would show it again.
    for (const lane of this.#anew.keys()) if (!lanes.has(lane)) this.#anew.delete(lane);
    this.#begin(partitions);
  }

  /** Begins anew: what waits is fetched again, here or elsewhere. */
  #begin(partitions: readonly TopicPartition[]): void {
    this.#assignment.end();
    this.#assignment = new Assignment(partitions, this.#stopping.signal);
    for (const dispatcher of this.#dispatchers.values()) dispatcher.forget();
    for (const offsets of this.#handledOffsets.values()) offsets.forget();
    this.#backpressure.assigned(partitions);
    this.#lossChecks.assigned(partitions, this.#assignment);
    const assignment = this.#assignment;
    const onClaimed = (start: PartitionStart) => this.#claimed(start, assignment);
    void this.#claims.claim(partitions, assignment, onClaimed, [...this.#anew.values()]);
  }

  /** What was handled before may never have been committed, and where no message follows nothing else would be. */
  #claimed(start: PartitionStart, assignment: Assignment): void {
    this.#anew.delete(laneOf(start));
    this.#commits.handled({ ...start, next: start.offset, assignment });
    this.#resumeIfFree(start);
  }

  /** Else the group stands behind an end at which nothing waits, until the next message. A handler's own offsets say so themselves. */
  #passOverDeleted(place: TopicPartition, end: string): void {
    const assignment = this.#assignment;
    if (this.#options.claim === undefined && assignment.has(place))
      this.#commits.handledAtLeast({ ...place, next: end, assignment });
  }

  /** What the measure of lag is to know where it is not Kafka that keeps the offsets. */
  #places(): Places {
    return {
      next: (place) => this.#control.next(place),
      isShorter: (place, readUntil) => {
        const next = this.#control.next(place);
        if (next !== undefined && next >= readUntil) this.#readAnew(place);
      },
    };
  }

  /**
   * What it holds has offsets that pass for read. All are claimed, since that is what an assignment is; and so are those
   * again that were found before, if their claim has not ended: by then they may be as long as they were.
   */
  #readAnew({ topic, partition }: TopicPartition): void {
    const place = { topic, partition };
    if (this.#stopping.signal.aborted || this.#anew.has(laneOf(place))) return;
    this.#anew.set(laneOf(place), place);
    this.#begin(this.#assignment.partitions);
  }

  #dispatcher(topic: string): MessageDispatcher {
    const { keysAtATime: most } = this.#options;
    if (most !== undefined) {
      this.#handledOffsets.set(topic, new HandledOffsets());
      return new KeyDispatcher({
        begin: async (portion) => void (await Promise.all(this.#process([portion]))),
        most,
        onHandled: (partition) => this.#resumeIfFree(partition),
      });
    }
    const dispatcher = new BatchDispatcher({
      isDue: this.#options.isDue,
      begin: (portions) => this.#process(portions),
      handOffMs: this.#defects.has('no-hand-off') ? 2 ** 31 - 1 : handOffMs,
      onHandOff: () => this.#metrics.handOffs.inc({ group: this.#options.group }),
      onTaken: (partition) => this.#resumeIfFree(partition),
    });
    this.#batching.push(dispatcher);
    return dispatcher;
  }

  async #eachBatch(payload: EachBatchPayload): Promise<void> {
    if (this.#defects.has('parse-outside-catch'))
      for (const { value } of payload.batch.messages) JSON.parse(String(value));
    try {
      this.#take(payload);
    } catch (error) {
      const { topic, partition } = payload.batch;
      const fields = { group: this.#options.group, topic, partition, error: describeError(error) };
      this.#options.kafka.logger.error(fields, 'The consumer loop failed');
    }
    if (BigInt(payload.batch.offsetLag()) <= 0n) await this.#rests?.behind(payload.batch.topic);
  }

  #take(payload: EachBatchPayload): void {
    const { batch } = payload;
    const { topic, partition } = batch;
    if (this.#stopping.signal.aborted) return this.#control.pause({ topic, partition });
    const isCurrent = !payload.isStale() && this.#assignment.has(batch); // else it was fetched before a seek, or before a join
    if (isCurrent && this.#options.claim !== undefined && this.#isBelow(batch)) {
      this.#lag.tellTruncated(batch, String(this.#control.next(batch)));
      this.#readAnew(batch);
    }
    if (!this.#claims.has(batch)) return this.#control.pause({ topic, partition });
    if (!isCurrent) return;
    const dispatcher = this.#dispatcherOf(topic);
    const messages = receivedMessages(batch);
    this.#options.onFetched?.(messages);
    this.#handledOffsets.get(topic)?.received(partition, messages);
    dispatcher.add({ topic, partition, messages });
    payload.resolveOffset(batch.lastOffset());
    this.#control.fetched(batch, batch.lastOffset());
    this.#backpressure.pauseIfFull({ topic, partition });
  }

  /**
   * Whether a fetch brings what lies below the place that is to be read. Only kafkajs itself goes back there, to where the log
   * begins, and only where the broker answers that the place is outside of it (OFFSET_OUT_OF_RANGE): as it is not before the
   * beginning, the log ends before it. Of a batch that the broker stored with what was read, kafkajs leaves that out.
   */
  #isBelow({ topic, partition, messages: [first] }: EachBatchPayload['batch']): boolean {
    const next = this.#control.next({ topic, partition });
    return first !== undefined && next !== undefined && BigInt(first.offset) < next;
  }

  async #whileClaimed<T>(work: () => Promise<T>): Promise<T> {
    const assignment = this.#assignment;
    try {
      return await work();
    } catch (error) {
      if (error instanceof ClaimLost) void this.#claimAgain(assignment);
      throw error;
    }
  }

  /**
   * Once the group had time to take the partitions from us and did not: the claim that ended ours was made late by whoever
   * had them before, or the database was restored. A group that cannot be reached may well have taken them.
   */
  async #claimAgain(assignment: Assignment): Promise<void> {
    if (assignment.hasLostClaim) return;
    assignment.hasLostClaim = true;
    const { giveUp } = assignment;
    await sleep(this.#options.claimPatienceMs ?? defaultClaimPatienceMs, giveUp);
    await nextHeartbeat(this.#consumer, giveUp);
    if (!giveUp.aborted) this.#begin(assignment.partitions);
  }

  #process(portions: readonly Portion[]): readonly Promise<void>[] {
    const assignment = this.#assignment;
    const { group } = this.#options;
    const partitions = portions.map(({ messages }) => messages);
    this.#metrics.batchSize.observe(
      { group },
      partitions.reduce((sum, { length }) => sum + length, 0),
    );
    const stopTimer = this.#metrics.handling.startTimer({ group });
    const process = () => this.#processor.process(partitions, assignment.giveUp);
    const tooSoon = this.#defects.has('commit-before-handling');
    const ends = tooSoon ? this.#commitUnhandled(portions).then(process) : process();
    const moved = portions.map(async (portion, index) => {
      const end = await (await ends)[index];
      if (end) this.#move(portion, end, assignment);
    });
    void Promise.all(moved).then(() => stopTimer());
    return moved;
  }

  /** Notes the offset for the commit, or goes back, if the portion is done and its partition is still ours. */
  #move({ topic, partition, messages }: Portion, end: BatchEnd, assignment: Assignment): void {
    if (end.kind === 'abandoned' || !assignment.isCurrent) return;
    if (end.kind === 'sent back') return this.#readFrom(end.rewind);
    const offsets = this.#handledOffsets.get(topic);
    const next = offsets ? offsets.handled(partition, messages) : end.next;
    if (next !== null) this.#commits.handled({ topic, partition, next, assignment });
  }

  /** Under the assignment that has the partition. What waits of it comes again. */
  #readFrom({ topic, partition, offset, onMade }: Rewind): void {
    this.#dispatcherOf(topic).forget(partition);
    this.#control.seek({ topic, partition, offset });
    this.#commits.handled({ topic, partition, next: offset, assignment: this.#assignment });
    onMade?.();
    this.#resumeIfFree({ topic, partition });
  }

  #resumeIfFree(partition: TopicPartition): void {
    if (this.#stopping.signal.aborted || !this.#claims.has(partition)) return;
    this.#backpressure.resumeIfFree(partition);
  }

  #dispatcherOf(topic: string): MessageDispatcher {
    const dispatcher = this.#dispatchers.get(topic);
    if (!dispatcher) throw new Error(`The group does not read ${topic}.`);
    return dispatcher;
  }

  async #commitUnhandled(portions: readonly Portion[]): Promise<void> {
    for (const { topic, partition, messages } of portions) {
      const next = offsetAfter(messages.at(-1)?.offset ?? '-1');
      this.#commits.handled({ topic, partition, next, assignment: this.#assignment });
    }
    await this.#commits.commit();
  }
}
