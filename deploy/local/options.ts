import { resolve } from 'node:path';
import { readArguments, UsageError } from './usage-error.ts';

/** How a launch was asked for, on the command line and in the environment. */
export interface LaunchOptions {
  /** Absolute. */
  readonly dataDir: string;
  /** Names of the services to run, each with how many instances. */
  readonly services: ReadonlyMap<string, number>;
  /** 0 takes a free one. */
  readonly gatewayPort: number;
  readonly demo: boolean;
  readonly logLevel: string;
  /** Undefined: a PostgreSQL of our own. */
  readonly databaseUrl: string | undefined;
  /** Undefined: an Apache Kafka of our own. */
  readonly kafkaBrokers: string | undefined;
}

/** The service that stands in for the stores, and moves the clock. */
export const simulator = 'simulator';

export const usage = `Usage: npm start -- [options]

  --only <names>        run these services alone, for example gateway,selection
  --instances <counts>  how many of each, for example gateway=2,selection=2
  --help                this text

Environment:
  GATEWAY_PORT          the gateway's port; 0 takes a free one (3000)
  PAYWRIGHT_DATA_DIR    where everything is kept (.data)
  PAYWRIGHT_DEMO        0 creates no demo app and starts no simulated stores (1)
  DATABASE_URL          a PostgreSQL to use instead of starting one
  KAFKA_BROKERS         brokers to use instead of starting one, with KAFKA_SASL_* and KAFKA_SSL_*
  ADMIN_TOKENS          admin access, name:token[:role], comma separated (made at first start)
  MASTER_KEY            signs ids and tokens (made at first start)
  LOG_LEVEL             error, warn, info or debug (warn)
`;

const flags = {
  only: { type: 'string', multiple: true },
  instances: { type: 'string', multiple: true },
  help: { type: 'boolean', default: false },
} as const;

/**
 * @param known the names of all services
 * @returns 'help' if that was asked for
 * @throws UsageError
 */
export function parseOptions(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  known: readonly string[],
): LaunchOptions | 'help' {
  const { values } = readArguments({ args: [...args], options: flags }, usage);
  if (values.help) return 'help';
  return {
    dataDir: resolve(env['PAYWRIGHT_DATA_DIR'] || '.data'),
    services: chooseServices(known, usual(env, known), values.only?.join(), values.instances?.join()),
    gatewayPort: parsePort(env['GATEWAY_PORT'] || '3000'),
    demo: hasDemo(env),
    logLevel: env['LOG_LEVEL'] || 'warn',
    databaseUrl: env['DATABASE_URL'] || undefined,
    kafkaBrokers: env['KAFKA_BROKERS'] || undefined,
  };
}

function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError('GATEWAY_PORT must be a port from 0 to 65535; 0 takes a free one.');
}

function hasDemo(env: NodeJS.ProcessEnv): boolean {
  const asked = env['PAYWRIGHT_DEMO'] || '1';
  if (asked !== '0' && asked !== '1') throw new UsageError('PAYWRIGHT_DEMO must be 0 or 1.');
  return asked === '1';
}

/** Without the demo the simulated stores run only where they are asked for by name. */
const usual = (env: NodeJS.ProcessEnv, known: readonly string[]): readonly string[] =>
  hasDemo(env) ? known : known.filter((name) => name !== simulator);

function chooseServices(
  known: readonly string[],
  byDefault: readonly string[],
  only = '',
  instances = '',
): ReadonlyMap<string, number> {
  const chosen = only === '' ? byDefault : only.split(',').map((name) => name.trim());
  const counts = new Map(chosen.map((name) => [name, 1]));
  for (const entry of instances === '' ? [] : instances.split(',')) {
    const [, name, count] = /^\s*([\w-]+)=(\d{1,2})\s*$/.exec(entry) ?? [];
    if (name === undefined || Number(count) < 1)
      throw new UsageError(`--instances takes name=count, for example gateway=2,selection=2, and not "${entry}".`);
    counts.set(name, Number(count));
  }
  if ((counts.get(simulator) ?? 1) > 1) throw new UsageError('There is one simulator: its clock is everybody’s.');
  const unknown = [...counts.keys()].filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new UsageError(`There is no service ${unknown.join(', ')}. The services are ${known.join(', ')}.`);
  const leftOut = [...counts.keys()].filter((name) => only !== '' && !chosen.includes(name));
  if (leftOut.length > 0)
    throw new UsageError(`--instances counts ${leftOut.join(', ')}, which --only leaves out. Name it in --only, too.`);
  return counts;
}
