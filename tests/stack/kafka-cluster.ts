import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { end } from '@paywright/deploy/local/ending.ts';
import { freePorts } from '@paywright/deploy/local/free-ports.ts';
import { kafkaRuntime } from '@paywright/deploy/local/kafka-runtime.ts';
import {
  newClusterId,
  startKafka,
  type KafkaListener,
  type KafkaOptions,
  type RunningKafka,
} from '@paywright/deploy/local/kafka.ts';
import { stillRunning } from './server-process.ts';

/**
 * As long as Kubernetes waits. A broker that is the last of all to end waits for its controllers' leave, and where most of
 * them have ended before it for 5 min.
 */
const orderlyEndMs = 30_000;

export interface ClusterOptions extends Pick<KafkaOptions, 'dataDir' | 'group' | 'scramUsers'> {
  /** For logs. */
  readonly folder: string;
  readonly count: number;
  /** More ways into each broker. */
  readonly listenersOf?: (broker: number) => readonly KafkaListener[];
}

/** Real brokers, each of which can be ended and started again by itself. They are counted from 0 on. */
export class KafkaCluster {
  readonly #options: ClusterOptions;
  readonly #runtimeDir: string;
  readonly #clusterId = newClusterId();
  readonly #controllerPorts: readonly number[];
  readonly #running: RunningKafka[] = [];

  private constructor(options: ClusterOptions, runtimeDir: string, controllerPorts: readonly number[]) {
    this.#options = options;
    this.#runtimeDir = runtimeDir;
    this.#controllerPorts = controllerPorts;
  }

  static async start(options: ClusterOptions): Promise<KafkaCluster> {
    const runtimeDir = await kafkaRuntime(options.folder, () => undefined);
    const cluster = new KafkaCluster(options, runtimeDir, await freePorts(options.count));
    await cluster.startAll();
    return cluster;
  }

  /** Their numbers. */
  get all(): readonly number[] {
    return Array.from({ length: this.#options.count }, (_, broker) => broker);
  }

  /** host:port, comma separated. It stays when they are started again. */
  get brokers(): string {
    return this.#running.map(({ brokers }) => brokers).join();
  }

  /** Those that do not run, at once: none is ready before most of them are there. */
  async startAll(): Promise<void> {
    const ended = this.all.filter((broker) => this.processOf(broker) === undefined);
    await Promise.all(ended.map((broker) => this.start(broker)));
  }

  async start(broker: number): Promise<void> {
    const { folder, dataDir, group, scramUsers, listenersOf } = this.#options;
    const name = `kafka-${broker}`;
    const own = join(dataDir, name);
    mkdirSync(own, { recursive: true });
    this.#running[broker] = await startKafka({
      dataDir: own,
      runtimeDir: this.#runtimeDir,
      logFile: join(folder, `${name}.log`),
      group,
      durable: false, // its log outlives its end, which is all that is asked of it here
      node: { id: broker + 1, clusterId: this.#clusterId, controllerPorts: this.#controllerPorts },
      ...(listenersOf && { listeners: listenersOf(broker) }),
      ...(scramUsers && { scramUsers }),
      ...(this.#running[broker] && { port: this.#running[broker].port }),
    });
  }

  async killAll(signal: NodeJS.Signals): Promise<void> {
    await Promise.all(this.all.map((broker) => this.kill(broker, signal)));
  }

  async kill(broker: number, signal: NodeJS.Signals): Promise<void> {
    const broken = this.processOf(broker);
    if (broken) await end(broken, signal, orderlyEndMs);
  }

  /** Undefined if it does not run. */
  processOf(broker: number): ChildProcess | undefined {
    return stillRunning(this.#running[broker]?.process);
  }
}
