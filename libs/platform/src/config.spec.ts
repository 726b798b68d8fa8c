import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ConfigurationError, describeConfig, loadConfig } from './config.ts';
import { masterKeyConfig } from './master-keys.ts';
import { databaseConfig, kafkaAddress, kafkaConfig, serviceConfig } from './service-config.ts';
import { tracingConfig } from './tracing/tracing-config.ts';

const schema = z.object({ ...serviceConfig, ...databaseConfig, ...kafkaConfig, ...tracingConfig, ...masterKeyConfig });
const valid = {
  DATABASE_URL: 'postgres://user:password@host/database',
  KAFKA_BROKERS: 'one:9092, two:9092',
  MASTER_KEY: 'k'.repeat(32),
};

const folder = mkdtempSync(join(tmpdir(), 'config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fileWith = (text: string) => {
  const file = join(mkdtempSync(join(folder, 'file-')), 'value');
  writeFileSync(file, text);
  return file;
};

function faultsOf(env: NodeJS.ProcessEnv) {
  try {
    loadConfig(schema, env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('The configuration was taken.');
}

describe('loadConfig', () => {
  it('takes what is given and the defaults of the rest', () => {
    const config = loadConfig(schema, { ...valid, LOG_LEVEL: '', MANAGEMENT_PORT: '0' });
    expect(config).toMatchObject({ LOG_LEVEL: 'info', MANAGEMENT_PORT: 0, KAFKA_SSL: false });
    expect(config.KAFKA_BROKERS).toEqual(['one:9092', 'two:9092']);
  });

  it('names every bad variable at once, what is expected of it, and no value', () => {
    const error = faultsOf({
      LOG_LEVEL: 'value-1',
      MANAGEMENT_PORT: 'value-2',
      DATABASE_URL: 'value-3',
      KAFKA_SSL: 'value-4',
      MASTER_KEY: 'value-5',
      KAFKA_BROKERS: ',',
    });
    expect(error.faults.map(({ variable }) => variable).sort()).toEqual([
      'DATABASE_URL',
      'KAFKA_BROKERS',
      'KAFKA_SSL',
      'LOG_LEVEL',
      'MANAGEMENT_PORT',
      'MASTER_KEY',
    ]);
    expect(error.message).toContain('MASTER_KEY: must have at least 32 characters');
    expect(error.message).not.toContain('value-');
  });

  it('says of an absent variable that it is not set', () => {
    expect(faultsOf({}).message).toContain('DATABASE_URL: is not set (The PostgreSQL database');
  });

  it('says beside it which other is set that was probably meant to be it', () => {
    const { message } = faultsOf({ ...valid, MASTER_KEY: '', MASTER_KEYS: 'k'.repeat(32) });
    expect(message).toContain('MASTER_KEY: is not set, and MASTER_KEYS is (');
  });

  it('reads any variable from the file that NAME_FILE names', () => {
    const config = loadConfig(schema, { ...valid, MASTER_KEY: '', MASTER_KEY_FILE: fileWith(`${'f'.repeat(40)}\n`) });
    expect(config.MASTER_KEY).toBe('f'.repeat(40));
  });

  it.each([
    ['an empty variable', { MANAGEMENT_PORT: '' }],
    ['white space', { MANAGEMENT_PORT: ' ', OTEL_TRACES_SAMPLER_ARG: '\t' }],
    ['an empty file', { MANAGEMENT_PORT_FILE: fileWith('') }],
    ['a file of blank lines', { MANAGEMENT_PORT: ' ', MANAGEMENT_PORT_FILE: fileWith('\n\n') }],
    ['no name of a file', { MANAGEMENT_PORT_FILE: ' ' }],
  ])('takes %s for absent', (_, env) =>
    expect(loadConfig(schema, { ...valid, ...env })).toMatchObject({
      MANAGEMENT_PORT: 9090,
      OTEL_TRACES_SAMPLER_ARG: 0.01,
    }),
  );

  it('says of an absent variable whose file is empty that it is not set', () => {
    const { faults } = faultsOf({ ...valid, MASTER_KEY: '', MASTER_KEY_FILE: fileWith('\n') });
    expect(faults).toEqual([{ variable: 'MASTER_KEY', problem: expect.stringMatching(/^is not set/) }]);
  });

  it('keeps white space around a secret, which is part of it', () => {
    const secret = ` ${'k'.repeat(32)} `;
    expect(loadConfig(schema, { ...valid, MASTER_KEY: secret }).MASTER_KEY).toBe(secret);
    expect(loadConfig(schema, { ...valid, MASTER_KEY: '', MASTER_KEY_FILE: fileWith(secret) }).MASTER_KEY).toBe(secret);
  });

  it('reads numbers as people write them', () => {
    const env = { ...valid, MANAGEMENT_PORT: ' 9091 ', OTEL_TRACES_SAMPLER_ARG: '0.5' };
    expect(loadConfig(schema, env)).toMatchObject({ MANAGEMENT_PORT: 9091, OTEL_TRACES_SAMPLER_ARG: 0.5 });
  });

  it.each(['0x10', '0b1', '1e3', '+1', '1.', '.5', '1 0', '1,0', 'Infinity'])('refuses %j as a number', (text) => {
    const { faults } = faultsOf({ ...valid, MANAGEMENT_PORT: text, OTEL_TRACES_SAMPLER_ARG: text });
    expect(faults.map(({ variable }) => variable).sort()).toEqual(['MANAGEMENT_PORT', 'OTEL_TRACES_SAMPLER_ARG']);
  });

  it.each(['no pair', 'a=b,,c=d', 'a=100%', 'a=%zz'])('refuses %j as headers', (OTEL_EXPORTER_OTLP_HEADERS) =>
    expect(faultsOf({ ...valid, OTEL_EXPORTER_OTLP_HEADERS }).message).toContain(
      'OTEL_EXPORTER_OTLP_HEADERS: must be name=value, comma separated',
    ),
  );

  it('refuses a file that cannot be read, and a variable given twice', () => {
    const error = faultsOf({
      ...valid,
      MASTER_KEY_FILE: fileWith('x'.repeat(40)),
      LOG_LEVEL_FILE: '/nowhere/at-all',
    });
    expect(error.faults).toEqual([
      { variable: 'LOG_LEVEL', problem: 'the file that LOG_LEVEL_FILE names cannot be read' },
      { variable: 'MASTER_KEY', problem: 'is set twice, here and by MASTER_KEY_FILE' },
    ]);
  });
});

describe('describeConfig', () => {
  it('says name, type, default and meaning of every variable', () => {
    const rows = describeConfig(schema);
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(schema.shape));
    expect(rows.filter(({ meaning }) => meaning === '')).toEqual([]);
    expect(rows.find(({ name }) => name === 'LOG_LEVEL')).toEqual({
      name: 'LOG_LEVEL',
      type: 'error | warn | info | debug',
      required: false,
      default: 'info',
      meaning: 'The least severe line that is logged',
    });
    expect(rows.find(({ name }) => name === 'KAFKA_BROKERS')).toMatchObject({ required: true, default: null });
  });
});

describe('kafkaConfig', () => {
  it.each(['localhost', 'one:9092,two', 'one:port', 'one:', ':9092', 'one:0', 'one:90920'])(
    'takes no broker that has no port: %s',
    (brokers) => {
      const problem = 'must be host:port of each broker (Bootstrap brokers, host:port, comma separated)';
      expect(faultsOf({ ...valid, KAFKA_BROKERS: brokers }).faults).toEqual([{ variable: 'KAFKA_BROKERS', problem }]);
    },
  );
});

describe('DATABASE_URL', () => {
  const load = (address: string) => loadConfig(schema, { ...valid, DATABASE_URL: address }).DATABASE_URL;

  it.each(['postgres://u:p%23w@host/db', 'postgresql://u:p@/db?host=/run/postgresql', 'postgres://u@[::1]:5432/db'])(
    'may be %s',
    (address) => expect(load(address)).toBe(address),
  );

  it.each(['postgres://u:hidden#word@host/db', 'postgres://u:hidden/word@host/db', 'postgres://u:hidden@host:port/db'])(
    'is not %s, which pg could not read, and is told of without its password',
    (address) => {
      expect(() => load(address)).toThrow(/DATABASE_URL: cannot be read/);
      expect(() => load(address)).not.toThrow(/hidden/);
    },
  );
});

describe('kafkaAddress', () => {
  const pem = '-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----';
  const address = (env: NodeJS.ProcessEnv) => kafkaAddress(loadConfig(schema, { ...valid, ...env }));

  it('is plain by default', () => {
    expect(address({})).toEqual({ brokers: ['one:9092', 'two:9092'], ssl: false, sasl: null });
  });

  it('carries certificates and credentials', () => {
    const sasl = { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'name', KAFKA_SASL_PASSWORD: 'word' };
    expect(address({ KAFKA_SSL: 'true', KAFKA_SSL_CA: pem, ...sasl })).toEqual({
      brokers: ['one:9092', 'two:9092'],
      ssl: { ca: pem },
      sasl: { mechanism: 'plain', username: 'name', password: 'word' },
    });
  });

  it.each([
    [{ KAFKA_SASL_MECHANISM: 'scram-sha-256' }, ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD']],
    [{ KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'n', KAFKA_SASL_PASSWORD: 'p' }, ['KAFKA_SSL']],
    [{ KAFKA_SASL_PASSWORD: 'p' }, ['KAFKA_SASL_MECHANISM']],
    [{ KAFKA_SSL_CA: pem }, ['KAFKA_SSL']],
    [{ KAFKA_SSL: 'true', KAFKA_SSL_CERT: pem }, ['KAFKA_SSL_CERT']],
  ])('refuses %j', (env, variables) => {
    expect(() => address(env)).toThrow(
      expect.objectContaining({ faults: variables.map((variable) => expect.objectContaining({ variable })) }),
    );
  });

  it.each(['KAFKA_SSL_CA', 'KAFKA_SSL_CERT', 'KAFKA_SSL_KEY'])('takes no path of a file for %s', (variable) => {
    const env = { KAFKA_SSL: 'true', KAFKA_SSL_CERT: pem, KAFKA_SSL_KEY: pem, [variable]: '/secrets/kafka.pem' };
    expect(() => address(env)).toThrow(`${variable}: must be PEM; the path of a file`);
  });
});
