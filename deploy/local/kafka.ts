import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ToldError } from '@paywright/platform/told-error';
import { endLeftover, hasEnded } from './ending.ts';
import { freePort, loopback } from './free-ports.ts';
import { requireJava } from './java.ts';
import { tail } from './log-file.ts';
import type { ProcessGroup } from './process-group.ts';

/** Far more than it takes: after a crash it checks its log first, and the machine may be busy. */
const readyMs = 120_000;

export interface KafkaOptions {
  /** Holds the log in `kafka`, beside its configuration. Made at first start. */
  readonly dataDir: string;
  /** The jars: see kafka-runtime.ts. */
  readonly runtimeDir: string;
  readonly logFile: string;
  readonly group: ProcessGroup;
  /** The one to listen on; a free one if left out. */
  readonly port?: number;
  /** False for a run that is thrown away: it may end at once. */
  readonly durable: boolean;
  /** More ways in, beside the usual one. */
  readonly listeners?: readonly KafkaListener[];
  /** Who may prove their name by SCRAM-SHA-512, by name the password. Put down when the folder is made. */
  readonly scramUsers?: Readonly<Record<string, string>>;
  /** Its place in a cluster; alone if left out. */
  readonly node?: KafkaNode;
  /** What Java is to do with its class archive: start from it, if left out. */
  readonly classArchiveOptions?: readonly string[];
}

/** One of several nodes, each of which is broker and controller. It listens once most of them do. */
export interface KafkaNode {
  /** From 1 on. */
  readonly id: number;
  /** Of 16 bytes in base64url. The same for all nodes, and so are the ports. */
  readonly clusterId: string;
  /** Where the controllers of all nodes listen, by their ids. */
  readonly controllerPorts: readonly number[];
}

/** A way into the broker, for those who reach it through something else, such as a proxy, or in another protocol. */
export interface KafkaListener {
  /** Capital letters. */
  readonly name: string;
  readonly port: number;
  /** Where clients are told to come to. */
  readonly advertisedPort: number;
  /** PLAINTEXT if left out. */
  readonly protocol?: 'SSL' | 'SASL_SSL';
  /** The broker's settings for this listener alone, such as `ssl.keystore.location`. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface RunningKafka {
  /** host:port */
  readonly brokers: string;
  readonly port: number;
  readonly process: ChildProcess;
}

/**
 * In the data folder, which it runs in. So it is never told the folder's own path: properties are read as Latin-1, a
 * comma in `log.dirs` and a colon in a class path begin another path.
 */
const propertiesFile = 'kafka.properties';
const logFolder = 'kafka';
/** A link to the jars. By one name everywhere, as a class archive is of the class path that it was made with. */
const jars = 'kafka-jars';
const classPath = ['-cp', `${jars}/*`];

/** In the folder of the jars: their classes as Java keeps them once it has loaded them. Without it a start takes longer. */
export const classArchive = 'classes.jsa';
export const fromClassArchive = `-XX:SharedArchiveFile=${jars}/${classArchive}`;

export const newClusterId = (): string => Buffer.concat([Buffer.from([0]), randomBytes(15)]).toString('base64url');

/** Starts a real Apache Kafka: a node that is broker and controller, alone unless it is told of others. */
export async function startKafka(options: KafkaOptions): Promise<RunningKafka> {
  const { dataDir, runtimeDir, logFile, group, durable, classArchiveOptions = [fromClassArchive] } = options;
  const pidFile = join(dataDir, 'kafka.pid');
  const properties = join(dataDir, propertiesFile);
  await endLeftover(pidFile, properties);
  const brokerPort = options.port ?? (await freePort());
  const node = options.node ?? { id: 1, clusterId: newClusterId(), controllerPorts: [await freePort()] };
  writeFileSync(properties, serverProperties(brokerPort, node, options.listeners));
  rmSync(join(dataDir, jars), { force: true });
  symlinkSync(resolve(runtimeDir), join(dataDir, jars));
  await formatOnce(options, node.clusterId);

  const log = openSync(logFile, 'a');
  // The path of its properties tells whose it is (`endLeftover`); it reads them by the relative one.
  const jvm = ['-Xmx512m', '-Xms128m', '-XX:+UseSerialGC', ...compilerFlags(durable), `-Dpaywright=${properties}`];
  const command = [...jvm, ...classArchiveOptions, ...classPath, 'kafka.Kafka', propertiesFile];
  // A session of its own: Ctrl-C must reach the services before it reaches their broker.
  const server = spawn('java', command, { cwd: dataDir, detached: true, stdio: ['ignore', log, log] });
  group.add(server, 'server', durable ? 'SIGTERM' : 'SIGKILL');
  writeFileSync(pidFile, `${server.pid}\n`);
  server.once('exit', () => rmSync(pidFile, { force: true }));
  await untilListening(server, brokerPort, logFile);
  return {
    brokers: `${loopback}:${brokerPort}`,
    port: brokerPort,
    process: server,
  };
}

/**
 * A broker that is thrown away does without the optimizing compiler: its start costs 4 s of processor time less. A
 * durable one is warm sooner with it as it comes: at 300 paywalls/s, 0.38 of a core after 20 s instead of 0.60.
 */
const compilerFlags = (durable: boolean): readonly string[] => (durable ? [] : ['-XX:TieredStopAtLevel=1']);

function serverProperties(
  port: number,
  { id, controllerPorts }: KafkaNode,
  listeners: readonly KafkaListener[] = [],
): string {
  const replicas = controllerPorts.length;
  const at = (name: string, listenerPort: number) => `${name}://${loopback}:${listenerPort}`;
  const more = listeners.map((listener) => at(listener.name, listener.port));
  const moreAdvertised = listeners.map((listener) => at(listener.name, listener.advertisedPort));
  const protocols = ['CONTROLLER:PLAINTEXT', 'PLAINTEXT:PLAINTEXT'];
  for (const { name, protocol = 'PLAINTEXT' } of listeners) protocols.push(`${name}:${protocol}`);
  const ofListeners = listeners.flatMap(({ name, settings: own }) =>
    Object.entries(own ?? {}).map(
      ([setting, value]) => [`listener.name.${name.toLowerCase()}.${setting}`, value] as const,
    ),
  );
  const settings = {
    'process.roles': 'broker,controller',
    // Of the machine's few processors: more threads only hand each request on more often.
    'num.network.threads': 1,
    'num.io.threads': 2,
    'node.id': id,
    'controller.quorum.voters': controllerPorts.map((of, index) => `${index + 1}@${loopback}:${of}`).join(),
    listeners: [at('PLAINTEXT', port), at('CONTROLLER', controllerPorts[id - 1]!), ...more].join(),
    'advertised.listeners': [at('PLAINTEXT', port), ...moreAdvertised].join(),
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.security.protocol.map': protocols.join(),
    'log.dirs': logFolder,
    'offsets.topic.replication.factor': replicas,
    'offsets.topic.num.partitions': 8,
    'transaction.state.log.replication.factor': replicas,
    'transaction.state.log.min.isr': Math.min(2, replicas),
    'share.coordinator.state.topic.replication.factor': replicas,
    'share.coordinator.state.topic.min.isr': Math.min(2, replicas),
    'group.initial.rebalance.delay.ms': 0,
    // After a hard kill the broker is taken in again when this time of its former self is over (9 s by default).
    'broker.session.timeout.ms': 6000,
    'broker.heartbeat.interval.ms': 1000,
    // Those who gave their partitions away when they ended lead them again soon (300 s by default).
    'leader.imbalance.check.interval.seconds': 10,
    'auto.create.topics.enable': false,
    ...Object.fromEntries(ofListeners),
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** Gives a new log folder its cluster id, which stays with it. */
async function formatOnce({ dataDir, logFile, scramUsers }: KafkaOptions, clusterId: string): Promise<void> {
  const logDir = join(dataDir, logFolder);
  if (existsSync(join(logDir, 'meta.properties'))) return;
  await requireJava();
  mkdirSync(logDir, { recursive: true });
  const log = openSync(logFile, 'a');
  const options = [
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    fromClassArchive,
    ...classPath,
    'kafka.tools.StorageTool',
  ];
  const users = Object.entries(scramUsers ?? {}).map(
    ([name, password]) => `SCRAM-SHA-512=[name=${name},password=${password}]`,
  );
  const format = ['format', '--ignore-formatted', '-t', clusterId, '-c', propertiesFile];
  format.push(...users.flatMap((user) => ['--add-scram', user]));
  const tool = spawn('java', [...options, ...format], { cwd: dataDir, stdio: ['ignore', log, log] });
  const status = await new Promise((resolve) => tool.once('close', resolve));
  if (status !== 0)
    throw new ToldError(`Apache Kafka could not format its folder; its log is ${logFile}:\n${tail(logFile)}`);
}

async function untilListening(server: ChildProcess, port: number, logFile: string): Promise<void> {
  let failure: Error | undefined;
  server.once('error', (error) => (failure = error));
  const deadline = performance.now() + readyMs;
  while (!(await accepts(port))) {
    if (failure) await requireJava();
    if (failure ?? (hasEnded(server) || performance.now() > deadline))
      throw new ToldError(`Apache Kafka did not start; its log is ${logFile}:\n${tail(logFile)}`, { cause: failure });
    await delay(20);
  }
}

function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ port, host: loopback }, () => resolve(true));
  socket.once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
