import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@paywright/platform';
import type { z } from 'zod';

const pem = '-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----';
/** What stands in a secret's file, where that is not a name and a token. */
const contents: Readonly<Record<string, string>> = {
  DATABASE_URL_FILE: 'postgres://user:password@postgres.data/paywright?sslmode=verify-full',
  ...{ KAFKA_SSL_CA_FILE: pem, KAFKA_SSL_CERT_FILE: pem, KAFKA_SSL_KEY_FILE: pem },
  OTEL_EXPORTER_OTLP_HEADERS_FILE: 'authorization=Bearer token',
};

/**
 * What a process reads of the variables, with something fitting in each file that a secret gives.
 * @throws ConfigurationError
 */
export function loadWithSecretFiles<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Readonly<Record<string, string>>,
): z.output<Schema> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'secrets-'));
  const variables = Object.entries(environment).map(([name, value]) => {
    if (!name.endsWith('_FILE')) return [name, value];
    const file = join(folder.path, name);
    writeFileSync(file, contents[name] ?? `owner:${'0'.repeat(32)}`);
    return [name, file];
  });
  return loadConfig(schema, Object.fromEntries(variables));
}
