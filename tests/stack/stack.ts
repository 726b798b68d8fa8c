import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTopicsOfManifest } from '@paywright/deploy/create-topics.ts';
import { ensureDemo } from '@paywright/deploy/demo/demo-app.ts';
import type { KafkaOptions } from '@paywright/deploy/local/kafka.ts';
import { startPostgres, type PostgresOptions, type RunningPostgres } from '@paywright/deploy/local/postgres.ts';
import { ProcessGroup } from '@paywright/deploy/local/process-group.ts';
import { startService, type ServiceAddresses } from '@paywright/deploy/local/service.ts';
import type { Started } from '@paywright/deploy/local/supervisor.ts';
import { findProjectRoot } from '@paywright/deploy/migrate/database-schemas.ts';
import { migrate } from '@paywright/deploy/migrate/migrate.ts';
import { KafkaCluster, type ClusterOptions } from './kafka-cluster.ts';
import { familyOf, untilGone } from './process-family.ts';
import { kill, stillRunning } from './server-process.ts';

export const services = [
  'profile',
  'catalog',
  'selection',
  'learner',
  'impression',
  'purchase-validation',
  'projection',
  'gateway',
] as const;
export type Service = (typeof services)[number];

export const adminToken = 'admin-token-of-the-fault-suite-000000000000';
export const masterKey = 'master-key-of-the-fault-suite-0000000000000';

/** What stands around the parts, for those who strike between them. */
export interface Surroundings {
  /** Where everything is kept, and who removes it; a temporary folder if left out. */
  readonly folder: string;
  /** Of Postgres and of Kafka; in `folder` if left out. */
  readonly dataDirs: { readonly postgres: string; readonly kafka: string };
  readonly postgresPort: number;
  /** One if left out. */
  readonly brokerCount: number;
  readonly kafkaListenersOf: NonNullable<ClusterOptions['listenersOf']>;
  readonly kafkaUsers: NonNullable<KafkaOptions['scramUsers']>;
  readonly postgresTls: NonNullable<PostgresOptions['tls']>;
  /** What runs, if it is not what the sources give now: where its bundles are, and how its tables are made. */
  readonly version: { readonly root: string; readonly migrate: (databaseUrl: string) => Promise<unknown> };
  /** What the processes of one service have beside the usual, such as other addresses of the servers. */
  readonly environmentOf: (service: Service, databaseUrl: string) => NodeJS.ProcessEnv;
}

/**
 * The whole product on servers of its own, each part of which can be killed, broken and started again.
 * Unlike `npm start` it starts nothing again by itself: what dies stays dead until the test says otherwise.
 */
export class Stack {
  readonly #group = new ProcessGroup();
  readonly #folder: string;
  readonly #surroundings: Partial<Surroundings>;
  readonly #logLevel: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #running = new Map<string, Started<ServiceAddresses>>();
  #deaths: string[] = [];
  #kafka!: KafkaCluster;
  #postgres!: RunningPostgres;
  app!: { appId: number; secretKey: string };

  constructor(logLevel: string, env: NodeJS.ProcessEnv, surroundings: Partial<Surroundings>) {
    this.#logLevel = logLevel;
    this.#env = env;
    this.#surroundings = surroundings;
    this.#folder =
      surroundings.folder ?? mkdtempSync(join(process.env['FAULT_DATA_DIR'] ?? tmpdir(), 'paywright-faults-'));
  }

  /** @param env what all processes have beside the usual */
  static async start(
    logLevel = 'info',
    env: NodeJS.ProcessEnv = {},
    surroundings: Partial<Surroundings> = {},
  ): Promise<Stack> {
    const stack = new Stack(logLevel, env, surroundings);
    await Promise.all([stack.startPostgres(), stack.#startCluster()]);
    const migrateAll = surroundings.version?.migrate ?? migrate;
    const kafka = { KAFKA_BROKERS: stack.brokers, KAFKA_TOPIC_REPLICATION: String(stack.allBrokers.length) };
    await Promise.all([migrateAll(stack.databaseUrl), createTopicsOfManifest(kafka)]);
    await stack.startServices();
    stack.app = await ensureDemo(stack.gateways[0]!, adminToken, stack.#folder);
    return stack;
  }

  get databaseUrl(): string {
    return this.#postgres.url;
  }

  /** host:port, comma separated */
  get brokers(): string {
    return this.#kafka.brokers;
  }

  /** The numbers of the brokers, from 0 on. */
  get allBrokers(): readonly number[] {
    return this.#kafka.all;
  }

  get gateways(): readonly string[] {
    return [...this.#running.values()].flatMap(({ info }) => info.gateway ?? []);
  }

  /** Where one process has its health and metrics; undefined if it does not run. */
  managementOf(service: Service, instance = 0): string | undefined {
    return this.#running.get(`${service}-${instance}`)?.info.management;
  }

  /** Where each process has its health and metrics. */
  get managements(): readonly string[] {
    return [...this.#running.values()].map(({ info }) => info.management);
  }

  /** Every service's first instance. */
  async startServices(): Promise<void> {
    await Promise.all(services.map((service) => this.startService(service)));
  }

  /** Where an instance is reached. @throws if it does not run */
  addressesOf(service: Service, instance = 0): ServiceAddresses {
    const running = this.#running.get(`${service}-${instance}`);
    if (!running) throw new Error(`${service}-${instance} does not run.`);
    return running.info;
  }

  /**
   * @param env what this process has beside the usual: PAYWRIGHT_BREAK, FAILPOINT
   * @param root of the version that it is of, where its bundles are in dist/
   */
  async startService(
    service: Service,
    instance = 0,
    env: NodeJS.ProcessEnv = {},
    root = this.#surroundings.version?.root ?? findProjectRoot(),
  ): Promise<void> {
    const name = `${service}-${instance}`;
    const started = await startService({
      name: service,
      main: join(root, 'dist', 'apps', service, 'main.js'),
      env: {
        ...process.env,
        ...this.#environment(instance),
        ...this.#surroundings.environmentOf?.(service, this.databaseUrl),
        ...env,
      },
      logFile: join(this.#folder, `${name}.log`),
      group: this.#group,
    });
    this.#running.set(name, started);
    if (env['FAILPOINT'] !== undefined) return; // it is to die by its own hand
    started.process.once('exit', (code, signal) => {
      if (this.#running.get(name) === started) this.#deaths.push(`${name} ended by itself, with ${signal ?? code}`);
    });
  }

  /** Services that nobody killed or stopped and that ended all the same, since it was asked last. */
  takeDeaths(): readonly string[] {
    const deaths = this.#deaths;
    this.#deaths = [];
    return deaths;
  }

  /** SIGKILL: the process has no say in it. */
  async killService(service: Service, instance = 0): Promise<void> {
    await this.#endService(`${service}-${instance}`, 'SIGKILL');
  }

  async stopService(service: Service, instance = 0): Promise<void> {
    await this.#endService(`${service}-${instance}`, 'SIGTERM');
  }

  /** Resolves when the process, which is to die by its own hand, is dead. */
  async serviceDeath(service: Service, instance = 0): Promise<void> {
    await this.#endService(`${service}-${instance}`, null);
  }

  async restartService(service: Service, env: NodeJS.ProcessEnv = {}): Promise<void> {
    await this.stopService(service);
    await this.startService(service, 0, env);
  }

  /** All brokers at once. */
  async killKafka(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await this.#kafka.killAll(signal);
  }

  /** All brokers that do not run. */
  async startKafka(): Promise<void> {
    await this.#kafka.startAll();
  }

  async killBroker(broker: number, signal: NodeJS.Signals): Promise<void> {
    await this.#kafka.kill(broker, signal);
  }

  async startBroker(broker: number): Promise<void> {
    await this.#kafka.start(broker);
  }

  /**
   * Resolves when its own processes have ended too: each holds the memory that a next server would not start beside.
   * @param signal SIGINT ends it in order, SIGQUIT without; SIGKILL without a word to its own processes
   */
  async killPostgres(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const { pid } = this.#postgres.process;
    const family = pid === undefined ? [] : familyOf(pid);
    await kill(this.#postgres.process, signal);
    await untilGone(family);
  }

  /** The process of a service's instance, of a broker or of the database; undefined if it does not run. */
  processOf(part: Service | 'kafka' | 'postgres', instance = 0): ChildProcess | undefined {
    if (part === 'kafka') return this.#kafka.processOf(instance);
    const child = part === 'postgres' ? this.#postgres.process : this.#running.get(`${part}-${instance}`)?.process;
    return stillRunning(child);
  }

  async startPostgres(): Promise<void> {
    const { dataDirs, postgresPort, postgresTls } = this.#surroundings;
    const port = this.#postgres?.port ?? postgresPort;
    this.#postgres = await startPostgres({
      dataDir: dataDirs?.postgres ?? join(this.#folder, 'postgres'),
      logFile: join(this.#folder, 'postgres.log'),
      group: this.#group,
      durable: true,
      ...(port !== undefined && { port }),
      ...(postgresTls && { tls: postgresTls }),
    });
  }

  /** What all services have logged. */
  logs(): string {
    return readdirSync(this.#folder)
      .filter((file) => services.some((service) => file.startsWith(service)) && file.endsWith('.log'))
      .map((file) => readFileSync(join(this.#folder, file), 'utf8'))
      .join('');
  }

  async stop(): Promise<void> {
    await this.#group.endAll();
    if (this.#surroundings.folder === undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  async #startCluster(): Promise<void> {
    const { dataDirs, brokerCount = 1, kafkaListenersOf, kafkaUsers } = this.#surroundings;
    this.#kafka = await KafkaCluster.start({
      folder: this.#folder,
      dataDir: dataDirs?.kafka ?? this.#folder,
      group: this.#group,
      count: brokerCount,
      ...(kafkaListenersOf && { listenersOf: kafkaListenersOf }),
      ...(kafkaUsers && { scramUsers: kafkaUsers }),
    });
  }

  #environment(instance: number): NodeJS.ProcessEnv {
    return {
      NODE_ENV: 'test',
      DATABASE_URL: this.databaseUrl,
      KAFKA_BROKERS: this.brokers,
      MASTER_KEY: masterKey,
      ADMIN_TOKENS: `faults:${adminToken}`,
      GATEWAY_PORT: '0',
      MANAGEMENT_PORT: '0',
      INSTANCE: String(instance),
      LOG_LEVEL: this.#logLevel,
      DRAIN_DELAY_MS: '0',
      ...this.#env,
    };
  }

  async #endService(name: string, signal: NodeJS.Signals | null): Promise<void> {
    const running = this.#running.get(name);
    if (!running) return;
    this.#running.delete(name);
    const { process: child } = running;
    const ended = child.exitCode ?? child.signalCode ?? once(child, 'exit');
    if (signal) child.kill(signal);
    await ended;
  }
}
