import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, refusePlainConnections } from '@paywright/platform';
import { parse } from 'yaml';
import { z } from 'zod';
import { isConfigurationDocumented, jobConfigurationSchemas } from './configuration/document.ts';
import { configurationSchemas } from './configuration/schemas.ts';
import { renderedManifests } from './helm/chart.ts';
import { workloadsOf } from './helm/workloads.ts';
import { findProjectRoot } from './migrate/database-schemas.ts';
import { loadWithSecretFiles } from './testing/load-with-secret-files.ts';

const root = findProjectRoot();
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const variable = z.union([z.string(), z.number()]).transform(String);
const Service = z.object({
  image: z.string(),
  build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
  pull_policy: z.string().optional(),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), variable).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  user: z.string().optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).default([]),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  stop_grace_period: z.string().optional(),
  shm_size: z.string().optional(),
  logging: z.object({ driver: z.string(), options: z.record(z.string(), z.string()) }).optional(),
  privileged: z.never().optional(),
});
const Compose = z.object({ services: z.record(z.string(), Service), volumes: z.record(z.string(), z.null()) });

const compose = Compose.parse(parse(read('docker-compose.yml'), { merge: true }));
const services = Object.entries(compose.services);
const ours = services.filter(([, { image }]) => image === 'paywright');
const programOf = ({ command }: z.output<typeof Service>) => command.at(-1) ?? '';

/** ENV of the image's last stage. */
const imageEnvironment = Object.fromEntries(
  [
    ...(
      read('deploy/Dockerfile')
        .split(/^FROM /m)
        .at(-1) ?? ''
    ).matchAll(/\b([A-Z_]+)=(\S+)/g),
  ].map(([, name, value]) => [name!, value!]),
);

describe('docker-compose.yml', () => {
  it('runs every service but the simulator, which is for one machine, and the jobs, each by its bundle', async () => {
    const names = [...(await configurationSchemas()).keys()].filter((name) => name !== 'simulator');
    const bundles = [
      ...names.map((name) => [name, `dist/apps/${name}/main.js`]),
      ...[...jobConfigurationSchemas.keys()].map((name) => [name, `dist/deploy/${name}/main.js`]),
    ];
    expect(ours.map(([name, service]) => [name, programOf(service)]).sort()).toEqual(bundles.sort());
  });

  it('builds one image, by the job that all others wait for', () => {
    const policies = ours.map(([name, service]) => [name, service.pull_policy]);
    expect(policies).toEqual(ours.map(([name]) => [name, name === 'prepare' ? 'build' : 'never']));
    expect(ours.filter(([, { build }]) => build).map(([name]) => name)).toEqual(['prepare']);
  });

  it.each(ours)('gives %s the variables that its code reads, and no others', async (name, { environment }) => {
    const schemas = new Map([...(await configurationSchemas()), ...jobConfigurationSchemas]);
    const schema = schemas.get(name)!;
    const known = Object.keys(schema.shape).flatMap((key) => [key, `${key}_FILE`]);
    expect(Object.keys(environment).filter((key) => !known.includes(key))).toEqual([]);

    expect(() => loadWithSecretFiles(schema, { ...imageEnvironment, ...environment })).not.toThrow();
  });

  it('has variables in the image that the services read', async () => {
    const schemas = [...(await configurationSchemas()).values()];
    const known = [...schemas.flatMap((schema) => Object.keys(schema.shape)), 'NODE_COMPILE_CACHE', 'NODE_OPTIONS'];
    expect(Object.keys(imageEnvironment).length).toBeGreaterThan(3);
    expect(Object.keys(imageEnvironment).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('publishes the gateway where it listens, and asks health where it is told', async () => {
    const { GATEWAY_PORT, MANAGEMENT_PORT } = loadConfig((await configurationSchemas()).get('gateway')!, {
      ...{ DATABASE_URL: 'postgres://a@b/c', KAFKA_BROKERS: 'a:1', MASTER_KEY: '0'.repeat(32) },
    });
    expect(compose.services['gateway']?.ports).toEqual([`127.0.0.1:3000:${String(GATEWAY_PORT)}`]);
    for (const [, { healthcheck }] of ours.filter(([name]) => !jobConfigurationSchemas.has(name)))
      expect(healthcheck?.test.at(-1)).toContain(`http://127.0.0.1:${String(MANAGEMENT_PORT)}/health/ready`);
  });

  it.each(ours.filter(([name]) => !jobConfigurationSchemas.has(name)))(
    'gives %s as long to end as the chart does',
    (name, service) => {
      const { pod } = workloadsOf(renderedManifests('minimal')).find((workload) => workload.name === name)!;
      expect(service.stop_grace_period).toBe(`${String(pod['terminationGracePeriodSeconds'])}s`);
    },
  );

  it.each(services)('bounds what the log of %s takes of the disk', (_, { logging }) => {
    expect(logging).toEqual({ driver: 'local', options: { 'max-size': '20m', 'max-file': '5' } });
  });

  it('gives the servers time to end in order, and PostgreSQL memory for the workers of a report', () => {
    const { postgres, kafka } = compose.services;
    expect([postgres?.stop_grace_period, kafka?.stop_grace_period]).toEqual(['60s', '60s']);
    expect(postgres?.shm_size).toBe('1gb');
  });

  it('names only services, volumes and conditions that there are', () => {
    for (const [, { depends_on: needs, volumes }] of services) {
      expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(needs)));
      expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(volumes.map((text) => text.split(':')[0])));
      for (const [name, { condition }] of Object.entries(needs))
        if (condition === 'service_healthy') expect(compose.services[name]?.healthcheck).toBeDefined();
    }
  });

  it.each(services)('gives %s no privileges that it could gain or use', (_, service) => {
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    // Ports are of this host alone, and no folder of it is mounted.
    for (const port of service.ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    for (const volume of service.volumes) expect(volume).toMatch(/^[a-z]+:/);
  });

  it.each(ours)('runs %s as an ordinary user over a file system that nobody writes to', (name, service) => {
    // A rebuild's exposures need not fit into memory.
    const scratch = name === 'learner' ? ['scratch:/tmp'] : [];
    const tmpfs = name === 'learner' ? [] : ['/tmp'];
    expect(service).toMatchObject({ user: 'node', read_only: true, tmpfs });
    expect(imageEnvironment['NODE_COMPILE_CACHE']).toMatch(/^\/tmp\//);
    // The first makes the secrets; the second keeps the demo app's key beside them.
    const written = service.volumes.filter((volume) => !volume.endsWith(':ro'));
    expect(written).toEqual(name === 'prepare' || name === 'demo' ? ['secrets:/secrets'] : scratch);
  });

  it.each(ours)('lets %s reach in the clear the servers of this file alone', (_, { environment }) => {
    const { PLAINTEXT_HOSTS: hosts, DATABASE_URL: database, KAFKA_BROKERS: brokers } = environment;
    if (database === undefined) return expect(hosts).toBeUndefined();
    const connections = { NODE_ENV: 'production', DATABASE_URL: database, KAFKA_BROKERS: brokers?.split(',') ?? [] };
    expect(() => refusePlainConnections(connections)).toThrow(/DATABASE_URL[^]*KAFKA_SSL/);
    expect(() => refusePlainConnections({ ...connections, PLAINTEXT_HOSTS: hosts?.split(',') })).not.toThrow();
    for (const host of hosts?.split(',') ?? []) expect(Object.keys(compose.services)).toContain(host);
  });

  it('leads services and analysts to the brokers', () => {
    const { environment } = compose.services['kafka']!;
    expect(environment['KAFKA_ADVERTISED_LISTENERS']).toBe('PLAINTEXT://kafka:9092,HOST://127.0.0.1:29092');
    for (const [, service] of ours)
      if (service.environment['KAFKA_BROKERS']) expect(service.environment['KAFKA_BROKERS']).toBe('kafka:9092');
  });
});

describe('Dockerfile', () => {
  const dockerfile = read('deploy/Dockerfile');
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) => sources!.split(' '));

  it('copies what is there and what .dockerignore lets through', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    expect(copied.length).toBeGreaterThan(8);
    for (const path of copied) {
      expect([path, existsSync(join(root, path))]).toEqual([path, true]);
      expect(allowed.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))).toBe(true);
    }
  });

  it('runs as an ordinary user, with no packages for development', () => {
    const last = dockerfile.split(/^FROM /m).at(-1) ?? '';
    expect(last).toMatch(/^USER node$/m);
    expect(last).toContain('NODE_ENV=production');
    expect(dockerfile).toMatch(/AS packages\nRUN npm ci --omit=dev/);
    expect(last).toContain('COPY --from=packages /app/node_modules node_modules');
  });
});

it('docs/configuration.md is what the code says', async () => {
  expect(await isConfigurationDocumented()).toBe(true);
});
