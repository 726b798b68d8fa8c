import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Metrics } from './metrics.ts';
import { databaseParameter, type Connections } from './plain-connections.ts';

/**
 * Shows, at each scrape, when the certificates end by which a process reaches brokers and database. Those of the brokers are the
 * ones that it was started with; those of the database are in files, which pg reads anew for each connection, and so does this.
 */
export function measureCertificates(metrics: Metrics, config: Connections): void {
  const show = (certificate: string, read: () => number) => {
    const help = 'When a configured certificate ends, in seconds since the epoch';
    metrics.reading('tls_certificate_end_timestamp_seconds', help, { certificate }, read);
  };
  const { KAFKA_SSL_CA: brokers, KAFKA_SSL_CERT: client, DATABASE_URL: database = '' } = config;
  if (brokers !== undefined) show('kafka-authority', () => endOfAuthorities(brokers));
  if (client !== undefined) show('kafka-client', () => endOfChain(client));
  const authorities = databaseParameter(database, 'sslrootcert');
  if (authorities !== '') show('database-authority', () => endOfAuthorities(textOf(authorities)));
  const chain = databaseParameter(database, 'sslcert');
  if (chain !== '') show('database-client', () => endOfChain(textOf(chain)));
}

/** Any of them may vouch for a server, and a new one stands beside the old one before servers change: the last to end counts. */
const endOfAuthorities = (pem: string): number => latest(endsIn(pem));

/** It is good as long as all of it is. */
const endOfChain = (pem: string): number => earliest(endsIn(pem));

const latest = (ends: readonly number[]): number => (ends.length > 0 ? Math.max(...ends) : NaN);
const earliest = (ends: readonly number[]): number => (ends.length > 0 ? Math.min(...ends) : NaN);

/** In seconds since the epoch; none of a text without certificates, or with one that cannot be read. */
function endsIn(pem: string): readonly number[] {
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g) ?? [];
  try {
    return certificates.map((certificate) => new X509Certificate(certificate).validToDate.getTime() / 1_000);
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
