import { join } from 'node:path';
import { freePort } from './free-ports.ts';
import { startKafka } from './kafka.ts';
import { kafkaRuntime } from './kafka-runtime.ts';
import type { Launch } from './launch.ts';
import { startPostgres } from './postgres.ts';
import { Supervisor } from './supervisor.ts';

/** The database and the broker of a launch, and those of them that are ours. */
export interface Servers {
  database: string;
  kafka: string;
  readonly supervisors: Supervisor<string>[];
  onChange: () => void;
}

/** Keeps a PostgreSQL of our own running. Returns its address, which stays when it is started again. */
export async function supervisePostgres(context: Launch, servers: Servers): Promise<string> {
  const { options, group } = context;
  const port = await freePort();
  const dataDir = join(options.dataDir, 'postgres');
  const logFile = join(options.dataDir, 'logs', 'postgres.log');
  return supervise('postgres', context, servers, async () => {
    const { process, url } = await startPostgres({ dataDir, logFile, group, port, durable: true });
    return { process, info: url };
  });
}

/** Keeps an Apache Kafka of our own running. Returns its host:port, which stays when it is started again. */
export async function superviseKafka(context: Launch, servers: Servers): Promise<string> {
  const { options, group, say } = context;
  const { dataDir } = options;
  const runtimeDir = await kafkaRuntime(dataDir, say);
  const port = await freePort();
  const logFile = join(dataDir, 'logs', 'kafka.log');
  return supervise('kafka', context, servers, async () => {
    const { process, brokers } = await startKafka({ dataDir, runtimeDir, logFile, group, port, durable: true });
    return { process, info: brokers };
  });
}

function supervise(
  name: string,
  { say, ending }: Launch,
  servers: Servers,
  start: ConstructorParameters<typeof Supervisor<string>>[0]['start'],
): Promise<string> {
  const supervisor = new Supervisor({ name, start, say, ending, onChange: () => servers.onChange() });
  servers.supervisors.push(supervisor);
  return supervisor.start();
}
