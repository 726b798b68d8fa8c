import { ConfigurationError, type ConfigurationFault } from './config.ts';

/** What is known of how a process reaches its servers. */
export interface Connections {
  readonly NODE_ENV: string;
  readonly PLAINTEXT_HOSTS?: readonly string[] | undefined;
  readonly DATABASE_URL?: string;
  readonly KAFKA_BROKERS?: readonly string[];
  readonly KAFKA_SSL?: boolean;
  readonly KAFKA_SSL_CA?: string | undefined;
  readonly KAFKA_SSL_CERT?: string | undefined;
}

/**
 * In production, what leaves the machine is encrypted, and goes to a server that has proved its name; but for hosts that
 * PLAINTEXT_HOSTS names, which are reached over a network that is trusted.
 * @throws ConfigurationError that names DATABASE_URL or KAFKA_SSL, and the hosts
 */
export function refusePlainConnections(config: Connections): void {
  if (config.NODE_ENV !== 'production') return;
  const faults = [...databaseFaults(config), ...kafkaFaults(config)];
  if (faults.length > 0) throw new ConfigurationError(faults);
}

const wayOut = 'with NODE_ENV=production; or PLAINTEXT_HOSTS names the host, if its network is trusted';

function databaseFaults({ DATABASE_URL, PLAINTEXT_HOSTS = [] }: Connections): ConfigurationFault[] {
  const target = DATABASE_URL === undefined ? null : targetOf(DATABASE_URL);
  // The other modes mean no check of the server's name, or will with the driver's next version.
  if (target === null || target.sslmode === 'verify-full' || isTrusted(target.host, PLAINTEXT_HOSTS)) return [];
  const host = target.host === '' ? 'that PGHOST names' : target.host;
  return [{ variable: 'DATABASE_URL', problem: `must have sslmode=verify-full for the host ${host} ${wayOut}` }];
}

/** Where pg goes by an address; where it names no host, the environment's PGHOST counts. Null where it goes nowhere. */
function targetOf(address: string): { readonly host: string; readonly sslmode: string } | null {
  const url = parseDatabaseAddress(address);
  if (url === null) return null;
  const isNamed = URL.canParse(address);
  const host = databaseParameter(address, 'host') || (isNamed ? decodeURIComponent(url.hostname) : '');
  return { host, sslmode: databaseParameter(address, 'sslmode') };
}

/** A parameter of a database's address as pg reads it: of one that is given twice the last counts. Empty if there is none. */
export const databaseParameter = (address: string, name: string): string =>
  parseDatabaseAddress(address)?.searchParams.getAll(name).at(-1) ?? '';

/** Null of what pg could not read either. A host that is left out behind user and password is no fault to pg. */
export function parseDatabaseAddress(address: string): URL | null {
  return URL.parse(address) ?? URL.parse(address.replace('@/', '@unnamed/'));
}

function kafkaFaults({ KAFKA_BROKERS = [], KAFKA_SSL, PLAINTEXT_HOSTS = [] }: Connections): ConfigurationFault[] {
  if (KAFKA_SSL === true) return [];
  const hosts = KAFKA_BROKERS.map((broker) => broker.replace(/:\d+$/, '')).filter(
    (host) => !isTrusted(host, PLAINTEXT_HOSTS),
  );
  if (hosts.length === 0) return [];
  return [{ variable: 'KAFKA_SSL', problem: `must be true for the brokers ${hosts.join(', ')} ${wayOut}` }];
}

/** A path is the folder of a Unix socket. */
const isTrusted = (host: string, plaintextHosts: readonly string[]): boolean =>
  host.startsWith('/') ||
  host === 'localhost' ||
  /^127(\.\d{1,3}){3}$/.test(host) ||
  /^\[?::1\]?$/.test(host) ||
  plaintextHosts.includes(host);
