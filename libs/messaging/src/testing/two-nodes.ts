import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import kafkajs, { type Admin, type ConsumerConfig } from 'kafkajs';
import createConsumer from 'kafkajs/src/consumer/index.js';
import { createKafka, type KafkaConnection } from '../connection/kafka-connection.ts';
import { loggerTo } from './logger.ts';
import { until } from './until.ts';

interface Partition {
  readonly partition: number;
}

/** As kafkajs hands a request to the broker that it has for a node. */
interface Topics<P extends Partition> {
  readonly topics: readonly { readonly topic: string; readonly partitions: readonly P[] }[];
}

const { AssignerProtocol } = kafkajs;
const topic = 'commands';
const nodes = [1, 2] as const;
const member = 'member';
const silent = {
  ...{ debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  namespace: () => silent,
};

/**
 * Two nodes in place of kafkajs's cluster, under its real consumer: one broker, as all other tests have, has one
 * fetcher, and of two nobody can tell which answers first. Node 1 leads partition 0 and has the group at first; node 2 leads
 * partition 1, which stays empty. A fetch is answered once there is something to answer.
 */
export class TwoNodes {
  readonly topic = topic;
  readonly kafka: KafkaConnection;
  /** The partitions that the group's one member gets at its next join. */
  assigned: readonly number[] = [0, 1];
  /** The offset that partition 0 was asked for last. */
  askedFrom = -1;
  readonly #committed = new Map<number, string>();
  #end = 0;
  #answeredTo = 0;
  #joins = 0;
  #moves = 0;
  #coordinator: 1 | 2 = 1;
  /** What the next join is answered with. */
  #refusesJoin: Error | null = null;
  #isExpelled = false;
  #closed = false;

  constructor() {
    this.kafka = createKafka({ brokers: ['none:1'], ssl: false, sasl: null, clientId: 'test', logger: loggerTo([]) });
    const consumer = (config: ConsumerConfig) =>
      createConsumer({ logger: silent, cluster: this.#cluster(), ...config });
    Object.assign(this.kafka.client, { consumer, admin: () => admin });
  }

  get committed(): number {
    return Number(this.#committed.get(0) ?? -1);
  }

  /** Appends messages to partition 0, each with its offset as value. Resolves when the fetch that waits has them. */
  async append(count: number): Promise<void> {
    this.#end += count;
    await until(() => this.#answeredTo === this.#end);
    await nextTurn();
  }

  /** Another node leads partition 1 from now on: kafkajs joins the group again. Resolves when it has. */
  async movePartition1(): Promise<void> {
    const before = this.#joins;
    this.#moves += 1;
    await until(() => this.#joins > before);
    await nextTurn();
  }

  /** Node 2 has the group from now on, and is still loading it when it is first asked. Resolves when it was. */
  async handOver(): Promise<void> {
    this.#coordinator = 2;
    await this.#refuseJoin(refusal('GROUP_LOAD_IN_PROGRESS'));
  }

  /** The member was silent for too long; and its first join is not answered in time. Resolves when it was tried. */
  async expel(): Promise<void> {
    this.#isExpelled = true;
    await this.#refuseJoin(Object.assign(new Error('The request timed out'), { retriable: true }));
  }

  /** Answers every fetch: a consumer that stops waits for that. */
  close(): void {
    this.#closed = true;
  }

  #cluster(): object {
    const committedOffsets = {};
    const brokers = new Map(nodes.map((nodeId) => [nodeId, this.#broker(nodeId)]));
    const done = async () => undefined;
    return {
      ...{ connect: done, disconnect: done, addMultipleTargetTopics: done },
      ...{ refreshMetadata: done, refreshMetadataIfNecessary: done },
      getNodeIds: () => nodes,
      findTopicPartitionMetadata: () => nodes.map((leader) => ({ partitionId: leader - 1, leader })),
      findGroupCoordinator: async () => brokers.get(this.#coordinator),
      findBroker: async ({ nodeId }: { nodeId: 1 | 2 }) => brokers.get(nodeId),
      committedOffsets: () => committedOffsets,
      fetchTopicsOffset: async (topics: Topics<Partition>['topics']) => this.#offsets({ topics }, () => '0'),
    };
  }

  #broker(nodeId: 1 | 2): object {
    const done = async () => undefined;
    return {
      nodeId,
      isConnected: () => true,
      joinGroup: async () => {
        this.#expectCoordinator(nodeId);
        const refused = this.#refusesJoin;
        this.#refusesJoin = null;
        if (refused) throw refused;
        this.#isExpelled = false;
        return {
          ...{ generationId: this.#joins + 1, leaderId: member, memberId: member, groupProtocol: 'RoundRobinAssigner' },
          members: [{ memberId: member, memberMetadata: Buffer.alloc(0) }],
        };
      },
      syncGroup: async () => {
        this.#joins += 1;
        const assignment = { [topic]: [...this.assigned] };
        const userData = Buffer.alloc(0);
        return { memberAssignment: AssignerProtocol.MemberAssignment.encode({ version: 1, assignment, userData }) };
      },
      heartbeat: async () => this.#expectMember(nodeId),
      leaveGroup: done,
      offsetFetch: async (request: Topics<Partition>) => ({
        responses: this.#offsets(request, (partition) => this.#committed.get(partition) ?? '-1'),
      }),
      offsetCommit: async ({ topics }: Topics<Partition & { offset: string }>) => {
        this.#expectMember(nodeId);
        for (const { partitions } of topics)
          for (const { partition, offset } of partitions) this.#committed.set(partition, String(offset));
      },
      fetch:
        nodeId === 1
          ? (request: Topics<Partition & { fetchOffset: string }>) => this.#fetch0(request)
          : () => this.#fetch1(),
    };
  }

  async #refuseJoin(by: Error): Promise<void> {
    this.#refusesJoin = by;
    await until(() => this.#refusesJoin === null);
  }

  #expectCoordinator(nodeId: 1 | 2): void {
    if (nodeId !== this.#coordinator) throw refusal('NOT_COORDINATOR_FOR_GROUP');
  }

  #expectMember(nodeId: 1 | 2): void {
    this.#expectCoordinator(nodeId);
    if (this.#isExpelled) throw refusal('UNKNOWN_MEMBER_ID');
  }

  /** Not at once, since kafkajs asks again at once. */
  async #nothing(): Promise<object> {
    await delay(10);
    return { responses: [] };
  }

  #offsets({ topics }: Topics<Partition>, offsetOf: (partition: number) => string): object[] {
    return topics.map(({ topic, partitions }) => ({
      topic,
      partitions: partitions.map(({ partition }) => ({ partition, offset: offsetOf(partition) })),
    }));
  }

  async #fetch0({ topics }: Topics<Partition & { fetchOffset: string }>): Promise<object> {
    const from = Number(topics[0]?.partitions[0]?.fetchOffset);
    this.askedFrom = from;
    await until(() => this.#end > from || this.#refusesJoin !== null || this.#closed);
    if (this.#end <= from || this.#closed) return this.#nothing();
    this.#answeredTo = this.#end;
    const offsets = Array.from({ length: this.#end - from }, (_, index) => String(from + index));
    const messages = offsets.map((offset) => ({ offset, key: null, value: Buffer.from(offset), headers: {} }));
    const batch = { partition: 0, highWatermark: String(this.#end), abortedTransactions: [], messages };
    return { responses: [{ topicName: topic, partitions: [batch] }] };
  }

  async #fetch1(): Promise<object> {
    const before = this.#moves;
    await until(() => this.#moves > before || this.#refusesJoin !== null || this.#closed);
    if (this.#moves === before || this.#closed) return this.#nothing();
    throw refusal('NOT_LEADER_FOR_PARTITION');
  }
}

/** A broker's error as kafkajs has it. */
const refusal = (type: string) => Object.assign(new Error(type), { type, retriable: true });

const metadataOf = (leader: number) => ({
  ...{ partitionId: leader - 1, partitionErrorCode: 0, leader, replicas: [leader], isr: [leader] },
});

const admin: Partial<Admin> = {
  connect: async () => undefined,
  disconnect: async () => undefined,
  fetchTopicMetadata: async () => ({ topics: [{ name: topic, partitions: nodes.map(metadataOf) }] }),
  describeGroups: async () => ({ groups: [] }),
  fetchOffsets: async () => [],
  fetchTopicOffsets: async () => [],
};
