import { z } from 'zod';
import { ConfigurationError, type ConfigurationFault } from './config.ts';
import { parseDatabaseAddress } from './plain-connections.ts';
import { webAddress } from './web-address.ts';

const port = z.coerce
  .number('must be a port')
  .int('must be a port')
  .min(0, 'must be a port')
  .max(65_535, 'must be a port');
const listOf = (entry: z.ZodString) =>
  z
    .string()
    .transform((text) => text.split(',').map((one) => one.trim()))
    .pipe(z.array(entry).min(1));
const list = listOf(z.string().min(1, 'must be a comma separated list'));

/** Variables of every process. Shapes: spread them into a `z.object`. */
export const serviceConfig = {
  LOG_LEVEL: z
    .enum(['error', 'warn', 'info', 'debug'])
    .default('info')
    .describe('The least severe line that is logged'),
  MANAGEMENT_HOST: z.string().default('127.0.0.1').describe('Address of health and metrics'),
  MANAGEMENT_PORT: port.default(9090).describe('Port of health and metrics; 0 takes a free one'),
  INSTANCE: z.coerce
    .number('must be 0, 1, 2 …')
    .int('must be 0, 1, 2 …')
    .min(0, 'must be 0, 1, 2 …')
    .default(0)
    .describe('Ordinal of this instance among those of its service'),
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development').describe('Where the process runs'),
  PLAINTEXT_HOSTS: list
    .optional()
    .describe('Hosts of database and brokers that production may reach without TLS, comma separated'),
  SIMULATION_URL: webAddress
    .optional()
    .describe('The store simulator, whose clock the process follows; refused in production'),
};

/** Variables of a process that keeps rows. */
export const databaseConfig = {
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must be an address such as postgres://user:password@host:5432/database')
    .refine(
      (text) => parseDatabaseAddress(text) !== null,
      'cannot be read: / # ? and @ in user or password are %2F %23 %3F and %40, and a port is a number',
    )
    .describe('The PostgreSQL database, with its user and password'),
};

/** Whether it is host:port. kafkajs tries a port that cannot be again and again. */
function hasPort(broker: string): boolean {
  const port = Number(/^\S+:(\d{1,5})$/.exec(broker)?.[1]);
  return port >= 1 && port <= 65_535;
}

const isPem = (text: string) => text.includes('-----BEGIN ');
const pem = z.string().refine(isPem, 'must be PEM; the path of a file with it is given in the same name with _FILE');

/** Variables of a process that talks to Kafka. Certificates and keys are PEM text, mostly given by …_FILE. */
export const kafkaConfig = {
  KAFKA_BROKERS: listOf(z.string().refine(hasPort, 'must be host:port of each broker')).describe(
    'Bootstrap brokers, host:port, comma separated',
  ),
  KAFKA_SSL: z.stringbool('must be true or false').default(false).describe('Whether the brokers are reached by TLS'),
  KAFKA_SSL_CA: pem.optional().describe('PEM of the authority that signed the brokers’ certificates'),
  KAFKA_SSL_CERT: pem.optional().describe('PEM of the client certificate'),
  KAFKA_SSL_KEY: pem.optional().describe('PEM of the client certificate’s key'),
  KAFKA_SASL_MECHANISM: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512'])
    .optional()
    .describe('How the process proves its name to the brokers'),
  KAFKA_SASL_USERNAME: z.string().optional().describe('Its name'),
  KAFKA_SASL_PASSWORD: z.string().optional().describe('Its password'),
};

export interface KafkaAddress {
  readonly brokers: string[];
  readonly ssl: boolean | { ca?: string; cert?: string; key?: string };
  readonly sasl: { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string } | null;
}

type KafkaVariables = z.output<z.ZodObject<typeof kafkaConfig>>;

/**
 * Where the brokers are and how they are spoken to.
 * @throws ConfigurationError if the variables do not fit together: a mechanism without name and password,
 * a password in the clear, or certificates without TLS
 */
export function kafkaAddress(config: KafkaVariables): KafkaAddress {
  const faults = kafkaFaults(config);
  if (faults.length > 0) throw new ConfigurationError(faults);
  const certificates = {
    ...(config.KAFKA_SSL_CA && { ca: config.KAFKA_SSL_CA }),
    ...(config.KAFKA_SSL_CERT && { cert: config.KAFKA_SSL_CERT }),
    ...(config.KAFKA_SSL_KEY && { key: config.KAFKA_SSL_KEY }),
  };
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = config;
  return {
    brokers: config.KAFKA_BROKERS,
    ssl: config.KAFKA_SSL && (Object.keys(certificates).length > 0 ? certificates : true),
    sasl: mechanism && username && password ? { mechanism, username, password } : null,
  };
}

function kafkaFaults(config: KafkaVariables): ConfigurationFault[] {
  const faults: ConfigurationFault[] = [];
  const check = (fault: boolean, variable: string, problem: string) => {
    if (fault) faults.push({ variable, problem });
  };
  const sasl = config.KAFKA_SASL_MECHANISM !== undefined;
  check(sasl && !config.KAFKA_SASL_USERNAME, 'KAFKA_SASL_USERNAME', 'is needed with KAFKA_SASL_MECHANISM');
  check(sasl && !config.KAFKA_SASL_PASSWORD, 'KAFKA_SASL_PASSWORD', 'is needed with KAFKA_SASL_MECHANISM');
  check(
    !sasl && Boolean(config.KAFKA_SASL_USERNAME ?? config.KAFKA_SASL_PASSWORD),
    'KAFKA_SASL_MECHANISM',
    'is needed with KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD',
  );
  const inTheClear = config.KAFKA_SASL_MECHANISM === 'plain' && !config.KAFKA_SSL;
  check(inTheClear, 'KAFKA_SSL', 'must be true with KAFKA_SASL_MECHANISM=plain, which sends the password as it is');
  const certificates = config.KAFKA_SSL_CA ?? config.KAFKA_SSL_CERT ?? config.KAFKA_SSL_KEY;
  check(!config.KAFKA_SSL && certificates !== undefined, 'KAFKA_SSL', 'must be true where a certificate is given');
  const half = (config.KAFKA_SSL_CERT === undefined) !== (config.KAFKA_SSL_KEY === undefined);
  check(half, 'KAFKA_SSL_CERT', 'and KAFKA_SSL_KEY are given together or not at all');
  return faults;
}
