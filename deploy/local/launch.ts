import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { appBundle, buildAll } from '../build.ts';
import { connectKafka, createTopicsOfManifest } from '../create-topics.ts';
import { prepareDatabase } from '../migrate/prepare-database.ts';
import { requireHistory } from '../republish/require-history.ts';
import { ensureDemo } from '../demo/demo-app.ts';
import { registerDemoApp } from '../demo/register-demo-app.ts';
import { freePort } from './free-ports.ts';
import { atNamedServer } from './named-server.ts';
import { simulator, type LaunchOptions } from './options.ts';
import type { ProcessGroup } from './process-group.ts';
import { misspeltLines, requireConfiguration } from './require-configuration.ts';
import { writeRuntime, type Runtime } from './runtime-file.ts';
import { firstAdminToken, loadSecrets, type Secrets } from './secrets.ts';
import { superviseKafka, supervisePostgres, type Servers } from './servers.ts';
import { startService, type ServiceAddresses } from './service.ts';
import { simulatedStores } from './simulated-stores.ts';
import { Supervisor } from './supervisor.ts';

export interface Launch {
  readonly options: LaunchOptions;
  readonly env: NodeJS.ProcessEnv;
  readonly group: ProcessGroup;
  /** Aborted when everything is to end. */
  readonly ending: AbortSignal;
  /** Tells people one thing. */
  readonly say: (line: string) => void;
}

interface ServiceInstance {
  readonly name: string;
  readonly instance: number;
  readonly supervisor: Supervisor<ServiceAddresses>;
}

/**
 * Starts everything, side by side where nothing waits for something else. Resolves when the gateway answers real
 * requests; from then on what dies is started again, until `ending`.
 */
export async function launch(context: Launch): Promise<Runtime> {
  const { options, env, ending, say } = context;
  startLogs(join(options.dataDir, 'logs'));
  const secrets = loadSecrets(options.dataDir);
  const named = [...options.services.keys()];
  for (const line of await misspeltLines(named, env)) say(line);
  await requireConfiguration(named, serviceEnvironment(context, expectedServers(options), secrets));
  const [servers, gatewayPort] = await Promise.all([
    startServers(context),
    options.gatewayPort === 0 ? freePort() : options.gatewayPort,
    buildAll().then((built) => built.length > 0 && say(`Built ${built.length} programs.`)),
  ]);
  ending.throwIfAborted();

  const environment = serviceEnvironment(context, servers, secrets);
  const instances: ServiceInstance[] = [];
  const shown: { demo?: Runtime['demo'] } = {};
  const describe = (): Runtime => describeRuntime(instances, servers, environment['ADMIN_TOKENS'] ?? '', shown.demo);
  let ready = false;
  const onChange = () => {
    if (ready && !ending.aborted) writeRuntime(options.dataDir, describe());
  };
  servers.onChange = onChange;
  const stores = serviceInstances(context, [simulator], environment, gatewayPort, onChange);
  for (const { supervisor } of stores) Object.assign(environment, simulatedStores(await supervisor.start(), context));
  const others = [...options.services.keys()].filter((name) => name !== simulator);
  instances.push(...stores, ...serviceInstances(context, others, environment, gatewayPort, onChange));
  await Promise.all(instances.filter((each) => !stores.includes(each)).map(({ supervisor }) => supervisor.start()));

  shown.demo = await prepareDemo(context, describe());
  ready = true;
  onChange();
  return describe();
}

/** The logs of this run, and beside them those of the one before. */
function startLogs(folder: string): void {
  const former = `${folder}.before`;
  rmSync(former, { recursive: true, force: true });
  if (existsSync(folder)) renameSync(folder, former);
  mkdirSync(folder, { recursive: true });
}

async function startServers(context: Launch): Promise<Servers> {
  const { options, env, say } = context;
  const servers: Servers = { database: '', kafka: '', supervisors: [], onChange: () => undefined };
  const openDatabase = async () => {
    servers.database = options.databaseUrl ?? (await supervisePostgres(context, servers));
    const applied = await atNamedServer('DATABASE_URL', options.databaseUrl, () => prepareDatabase(servers.database));
    if (applied.length > 0) say(`Migrated the database (${applied.length} steps).`);
  };
  const prepareTopics = async () => {
    servers.kafka = options.kafkaBrokers ?? (await superviseKafka(context, servers));
    const { created, differences } = await atNamedServer('KAFKA_BROKERS', options.kafkaBrokers, () =>
      createTopicsOfManifest({ ...env, KAFKA_BROKERS: servers.kafka }),
    );
    if (created.length > 0) say(`Created ${created.length} Kafka topics.`);
    for (const difference of differences) say(`Topic ${difference}`);
  };
  await Promise.all([openDatabase(), prepareTopics()]);
  await requireHistory(connectKafka({ ...env, KAFKA_BROKERS: servers.kafka }), servers.database);
  return servers;
}

/** As it will be, for a look at the rest of the environment: where our own servers listen is not known yet. */
const expectedServers = ({ databaseUrl, kafkaBrokers }: LaunchOptions): Pick<Servers, 'database' | 'kafka'> => ({
  database: databaseUrl ?? 'postgres://localhost/paywright',
  kafka: kafkaBrokers ?? 'localhost:9092',
});

function serviceEnvironment(
  { options, env }: Launch,
  servers: Pick<Servers, 'database' | 'kafka'>,
  secrets: Secrets,
): NodeJS.ProcessEnv {
  return {
    ...env,
    DATABASE_URL: servers.database,
    KAFKA_BROKERS: servers.kafka,
    ADMIN_TOKENS: env['ADMIN_TOKENS'] || secrets.adminTokens,
    MASTER_KEY: env['MASTER_KEY'] || secrets.masterKey,
    LOG_LEVEL: options.logLevel,
    MANAGEMENT_PORT: '0',
    DRAIN_DELAY_MS: env['DRAIN_DELAY_MS'] || '0', // there is no load balancer, and Ctrl-C should not take long
    NODE_COMPILE_CACHE: env['NODE_COMPILE_CACHE'] || join(options.dataDir, 'compile-cache'),
    SIMULATOR_DATA_DIR: env['SIMULATOR_DATA_DIR'] || join(options.dataDir, 'simulator'),
  };
}

function serviceInstances(
  { options, group, ending, say }: Launch,
  names: readonly string[],
  environment: NodeJS.ProcessEnv,
  gatewayPort: number,
  onChange: () => void,
): ServiceInstance[] {
  return names.flatMap((service) => {
    const count = options.services.get(service) ?? 0;
    return Array.from({ length: count }, (_, instance) => {
      const name = count === 1 ? service : `${service}-${instance}`;
      // Chosen once, so that an instance that is started again is where its clients look for it.
      const port = instance === 0 ? Promise.resolve(gatewayPort) : freePort();
      const start = async () => {
        const env = { ...environment, INSTANCE: String(instance), GATEWAY_PORT: String(await port) };
        const logFile = join(options.dataDir, 'logs', `${name}.log`);
        return startService({ name: service, main: appBundle(service), env, logFile, group });
      };
      return { name: service, instance, supervisor: new Supervisor({ name, start, onChange, say, ending }) };
    });
  });
}

function describeRuntime(
  instances: readonly ServiceInstance[],
  servers: Servers,
  adminTokens: string,
  demo: Runtime['demo'],
): Runtime {
  const services = instances.flatMap(({ name, instance, supervisor: { current } }) =>
    current ? [{ name, instance, pid: current.process.pid!, ...current.info }] : [],
  );
  const gateways = services.flatMap(({ gateway }) => gateway ?? []);
  const adminToken = firstAdminToken(adminTokens);
  const stores = services.find(({ name }) => name === simulator)?.simulator;
  return {
    ...(gateways[0] !== undefined && { gateway: gateways[0] }),
    gateways,
    ...(adminToken !== undefined && { adminToken }),
    ...(demo && { demo }),
    ...(stores !== undefined && { simulator: stores }),
    kafka: servers.kafka,
    database: servers.database,
    services,
    servers: servers.supervisors.flatMap(({ name, current }) => (current ? [{ name, pid: current.process.pid! }] : [])),
  };
}

/** What the demo needs to be made; without one of them, there is none. */
const demoNeeds = ['gateway', 'catalog', 'projection'];

async function prepareDemo({ options, say }: Launch, runtime: Runtime): Promise<Runtime['demo']> {
  const { gateway, adminToken, simulator: stores } = runtime;
  if (!options.demo || gateway === undefined || !demoNeeds.every((name) => options.services.has(name)))
    return undefined;
  if (adminToken === undefined) {
    say('There is no demo app: ADMIN_TOKENS has no token that may write.');
    return undefined;
  }
  const demo = await ensureDemo(gateway, adminToken, options.dataDir);
  if (stores !== undefined) await registerDemoApp({ simulator: stores, gateway, adminToken }, demo.appId);
  return demo;
}
