import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import * as x509 from '@peculiar/x509';
import { measureCertificates } from './certificate-ends.ts';
import { Metrics } from './metrics.ts';
import type { Connections } from './plain-connections.ts';

const [soon, later] = [Date.UTC(2030, 0), Date.UTC(2040, 0)];

/** PEM of a certificate that ends then. */
async function ending(at: number): Promise<string> {
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const validity = { notBefore: new Date(Date.UTC(2020, 0)), notAfter: new Date(at) };
  const named = { name: 'CN=test', keys, signingAlgorithm, ...validity };
  return (await x509.X509CertificateGenerator.createSelfSigned(named)).toString('pem');
}

async function shown(config: Partial<Connections>, metrics = new Metrics()): Promise<readonly string[]> {
  measureCertificates(metrics, { NODE_ENV: 'production', ...config });
  return told(metrics);
}

const told = async (metrics: Metrics) =>
  (await metrics.text()).split('\n').filter((line) => line.startsWith('tls_certificate_end_timestamp_seconds{'));
const line = (certificate: string, at: number) =>
  `tls_certificate_end_timestamp_seconds{certificate="${certificate}"} ${at / 1_000}`;

it('shows when a client’s chain ends, by the first of it, and when no authority is left, by the last', async () => {
  const [first, second] = [await ending(soon), await ending(later)];
  const pem = `${second}\nof the issuer:\n${first}\n`;
  expect(await shown({ KAFKA_SSL_CA: pem, KAFKA_SSL_CERT: pem })).toEqual([
    line('kafka-authority', later),
    line('kafka-client', soon),
  ]);
});

it('shows those of the database as their files are at the scrape', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'certificates-'));
  const [authority, client] = [join(folder.path, 'ca.crt'), join(folder.path, 'tls.crt')];
  writeFileSync(authority, await ending(later));
  writeFileSync(client, await ending(soon));
  const metrics = new Metrics();
  const address = `postgres://name:word@host/db?sslmode=verify-full&sslrootcert=${authority}&sslcert=${client}`;
  expect(await shown({ DATABASE_URL: address }, metrics)).toEqual([
    line('database-authority', later),
    line('database-client', soon),
  ]);
  writeFileSync(client, await ending(later));
  expect(await told(metrics)).toContain(line('database-client', later));
});

it('shows none where none is configured, and no number where there is no certificate', async () => {
  expect(await shown({ DATABASE_URL: 'postgres://name@host/db?sslmode=verify-full' })).toEqual([]);
  const certificate = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
  const config = { KAFKA_SSL_CA: certificate, DATABASE_URL: 'postgres://name@host/db?sslrootcert=/nowhere' };
  expect(await shown(config)).toEqual([
    'tls_certificate_end_timestamp_seconds{certificate="kafka-authority"} Nan',
    'tls_certificate_end_timestamp_seconds{certificate="database-authority"} Nan',
  ]);
});
