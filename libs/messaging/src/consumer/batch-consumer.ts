import type { Admin, Consumer, EachBatchPayload } from 'kafkajs';
import { sleep, type HealthCheck, type Metrics } from '@paywright/platform';
import { endsWithin } from '../back-off.ts';
import type { KafkaConnection } from '../connection/kafka-connection.ts';
import { patiently } from '../connection/patiently.ts';
import { untilReached } from '../connection/until-reached.ts';
import { deadLettersOfCommands, deadLettersOfFollower, type DeadLetterOffice } from '../dead-letter.ts';
import { noDefects, type Defect } from '../defects.ts';
import { ClaimLost, describeError } from '../errors.ts';
import { noFailpoint, type Failpoint } from '../failpoint.ts';
import { offsetAfter, type BatchHandler, type ReceivedMessage, type Rewind, type TopicPartition } from '../message.ts';
import { messagingMetrics, type MessagingMetrics } from '../messaging-metrics.ts';
import type { CoalescingProducer } from '../producer/coalescing-producer.ts';
import { Assignment } from './assignment.ts';
import { BatchDispatcher } from './batch-dispatcher.ts';
import { BatchProcessor, type BatchEnd } from './batch-processor.ts';
import { Claims, type Claim } from './claims.ts';
import { HandledOffsets } from './handled-offsets.ts';
import { KeyDispatcher } from './key-dispatcher.ts';
import { LagGauge, type Places } from './lag.ts';
import { LossChecks, type FindLost } from './loss-checks.ts';
import type { MessageDispatcher, Portion } from './message-dispatcher.ts';
import { OffsetCommits } from './offset-commits.ts';
import { exitOnCrash, openConsumer } from './open-consumer.ts';
import { laneOf, PartitionControl } from './partition-control.ts';
import { receivedMessages } from './received-messages.ts';
import { untilCoordinated } from './until-coordinated.ts';

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
  /** Whether the handler's database answers: until it does, no failing message is a dead letter. Never rejects. */
  readonly isDatabaseUp?: () => Promise<boolean>;
  /**
   * Called at each assignment, and again where the handler throws ClaimLost for longer than `claimPatienceMs` while the
   * assignment lasts and the group confirms it. Nothing of its partitions is handled until it has resolved with where to read each of them from. A
   * rejection is repeated with a back-off. Where a partition ends before what was read of it, all are claimed again, and that one anew.
   */
  readonly claim?: Claim;
  /** Moves the offset that the handler keeps behind a message that it cannot handle, and that is a dead letter now. */
  readonly passOver?: (message: ReceivedMessage) => Promise<void>;
  readonly claimPatienceMs?: number;
  /**
   * Asked every 5 s: for a handler whose database may lose the last moment's work in a crash. What is lost is read
   * again though no message follows it.
   */
  readonly findLost?: FindLost;
  /** Told of all that a fetch brings of a partition, before any of it is handled. */
  readonly onFetched?: (messages: readonly ReceivedMessage[]) => void;
  /** A crash that kafkajs does not recover from; ends the process with 1 if absent. */
  readonly onFinalCrash?: () => void;
  readonly deadLetters?: DeadLetterOffice;
  /**
   * Handles every key by itself, so many at a time: for a handler that waits for something outside. Without it
   * batches hold all that has gathered, whatever its key. Such a handler rewinds nothing.
   */
  readonly keysAtATime?: number;
  /**
   * Whether a message's turn has come: until it has, and `lookAgain` is called, nothing of its partition is handled, and no
   * more is fetched than may wait. Not for a handler of keys.
   */
  readonly isDue?: (message: ReceivedMessage) => boolean;
  readonly drainMs?: number;
  /**
   * How long the fetch loop rests behind a fetch that brought all there was of a topic, so that more gathers for the
   * next one; of several topics the shortest counts. A message that nobody awaits costs less so; the first one after
   * a quiet time is not delayed.
   */
  readonly restMs?: (topic: string) => number;
  /**
   * What one fetch brings at most, in bytes, and what may wait for its batch beside that; 10 and 8 MB if absent. As much
   * again may be in hand, and decoded it is several times as large. Less is for long topics that nobody waits for.
   */
  readonly mostBytes?: number;
  readonly defects?: ReadonlySet<Defect>;
  readonly failpoint?: Failpoint;
}

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
  readonly #processor: BatchProcessor;
  readonly #defects: ReadonlySet<Defect>;
  readonly #stopping = new AbortController();
  readonly #dispatchers: ReadonlyMap<string, MessageDispatcher>;
  /** Those of them that make batches. */
  readonly #batching: BatchDispatcher[] = [];
  /** By topic, where keys are handled by themselves and so end in any order. */
  readonly #handledOffsets = new Map<string, HandledOffsets>();
  /** Partitions that are not fetched, since enough of them waits. */
  readonly #full = new Set<string>();
  /** Partitions that end before what was read of them, and are not claimed anew yet. */
  readonly #anew = new Map<string, TopicPartition>();
  #laneBytes = defaultWaitingBytes;
  #assignment: Assignment;
  #joined = false;
  #resting: Promise<void> | null = null;
  #shortestRestMs = Infinity;

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
    this.#lag = new LagGauge(this.#admin, group, this.#metrics, kafka.logger, options.claim && this.#places());
    this.#claims = new Claims(options.claim, this.#control, kafka.logger);
    this.#lossChecks = new LossChecks(options.findLost, (rewind) => this.#readFrom(rewind), kafka.logger);
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
    this.#anew.clear();
    this.#begin(
      Object.entries(assigned).flatMap(([topic, numbers]) => numbers.map((partition) => ({ topic, partition }))),
    );
  }

  /** Begins anew: what waits is fetched again, here or elsewhere. */
  #begin(partitions: readonly TopicPartition[]): void {
    this.#assignment.end();
    this.#assignment = new Assignment(partitions, this.#stopping.signal);
    for (const dispatcher of this.#dispatchers.values()) dispatcher.forget();
    for (const offsets of this.#handledOffsets.values()) offsets.forget();
    this.#full.clear();
    this.#laneBytes = (this.#options.mostBytes ?? defaultWaitingBytes) / Math.max(1, partitions.length);
    this.#lossChecks.assigned(partitions, this.#assignment);
    for (const partition of partitions) this.#control.resume(partition); // a pause outlives a rebalance
    void this.#claims.claim(partitions, this.#assignment, (partition) => this.#claimed(partition), [
      ...this.#anew.values(),
    ]);
  }

  #claimed(partition: TopicPartition): void {
    this.#anew.delete(laneOf(partition));
    this.#resumeIfFree(partition);
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
    if (BigInt(payload.batch.offsetLag()) <= 0n) await this.#rest(payload.batch.topic);
  }

  /** One rest for all partitions of a fetch: the shortest that one of them asks for. */
  #rest(topic: string): Promise<void> | null {
    const { restMs } = this.#options;
    if (restMs === undefined) return null;
    this.#shortestRestMs = Math.min(this.#shortestRestMs, restMs(topic));
    this.#resting ??= this.#restOnce().finally(() => (this.#resting = null));
    return this.#resting;
  }

  async #restOnce(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve)); // until the fetch's other partitions were handed over
    const ms = this.#shortestRestMs;
    this.#shortestRestMs = Infinity;
    await sleep(ms, this.#stopping.signal);
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
    if (dispatcher.waitingBytes(partition) < this.#laneBytes) return;
    this.#full.add(laneOf(batch));
    this.#control.pause({ topic, partition });
    this.#countPaused();
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
    await this.#nextHeartbeat(giveUp);
    if (!giveUp.aborted) this.#begin(assignment.partitions);
  }

  /** Resolves once the group confirms this member and its assignment, or when a signal ends the wait. */
  async #nextHeartbeat(until: AbortSignal): Promise<void> {
    if (until.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    until.addEventListener('abort', () => resolve(), { once: true });
    const forget = this.#consumer.on(this.#consumer.events.HEARTBEAT, () => resolve());
    await promise.finally(forget);
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
    onMade?.();
    this.#resumeIfFree({ topic, partition });
  }

  #resumeIfFree(partition: TopicPartition): void {
    if (this.#stopping.signal.aborted || !this.#claims.has(partition)) return;
    if (this.#dispatcherOf(partition.topic).waitingBytes(partition.partition) >= this.#laneBytes) return;
    if (this.#full.delete(laneOf(partition))) this.#countPaused();
    this.#control.resume(partition);
  }

  #countPaused(): void {
    this.#metrics.pausedPartitions.set({ group: this.#options.group }, this.#full.size);
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
