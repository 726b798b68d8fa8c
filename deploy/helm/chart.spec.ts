import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { groups } from '@paywright/contracts';
import { TopicManifest } from '@paywright/messaging/topics';
import { refusePlainConnections } from '@paywright/platform';
import { z } from 'zod';
import { jobConfigurationSchemas } from '../configuration/document.ts';
import { configurationSchemas } from '../configuration/schemas.ts';
import { topicsConfig } from '../job-configs.ts';
import { findProjectRoot } from '../migrate/database-schemas.ts';
import { rules } from '../observability/observed-expressions.ts';
import { loadWithSecretFiles } from '../testing/load-with-secret-files.ts';
import {
  chartFolder,
  type Example,
  examples,
  readYaml,
  renderedFile,
  renderedFrom,
  renderedManifests,
} from './chart.ts';
import { environmentOf, workloadsOf } from './workloads.ts';

const Service = z.looseObject({
  replicas: z.object({ min: z.number(), max: z.number() }),
  groups: z.array(z.string()).default([]),
  stage: z.number().default(1),
  port: z.number().optional(),
});
const values = z
  .looseObject({ services: z.record(z.string(), Service) })
  .parse(readYaml(join(chartFolder, 'values.yaml')));
const services = Object.entries(values.services);

/** Without a `jobLabel` the operator names the job `<namespace>/<name of the PodMonitor>`. */
const PodMonitorSpec = z.looseObject({
  jobLabel: z.string().default(''),
  selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
});

const Labels = z.record(z.string(), z.string());
const PodTemplate = z.looseObject({ template: z.looseObject({ metadata: z.looseObject({ labels: Labels }) }) });
const PolicySpec = z.looseObject({ podSelector: z.looseObject({ matchLabels: Labels }) });

const Spread = z.array(
  z.object({
    ...{ topologyKey: z.string(), whenUnsatisfiable: z.string(), maxSkew: z.literal(1) },
    labelSelector: z.object({ matchLabels: Labels }),
  }),
);

const ScaledObjectSpec = z.looseObject({
  triggers: z.array(z.object({ type: z.string(), metadata: z.record(z.string(), z.string()) })),
});

const { topics } = TopicManifest.parse(readYaml(join(findProjectRoot(), 'deploy', 'topics.json')));
const partitionsOf = (name: string) => topics.find((topic) => topic.name === name)?.partitions;

it('lists every service but the simulator, which is for one machine', async () => {
  const names = [...(await configurationSchemas()).keys()].filter((name) => name !== 'simulator');
  expect(services.map(([name]) => name).sort()).toEqual(names.sort());
});

it('names consumer groups that there are', () => {
  const known: readonly string[] = Object.values(groups);
  expect(services.flatMap(([, service]) => service.groups).filter((group) => !known.includes(group))).toEqual([]);
});

it('has at most as many instances as there are partitions to read', () => {
  const { gateway, ...consumers } = values.services;
  expect(gateway?.replicas.max).toBeLessThanOrEqual(partitionsOf('gateway.replies')!);
  for (const [name, { replicas }] of Object.entries(consumers))
    expect([name, replicas.max <= partitionsOf('profile.commands')!]).toEqual([name, true]);
});

describe.each(examples)('the chart with the values %s', (example) => {
  const workloads = workloadsOf(renderedManifests(example));
  const jobs = workloads.filter(({ kind }) => kind === 'Job');
  const running = workloads.filter(({ kind }) => kind !== 'Job');

  it('is kept as it was rendered last: npm run helm:render', () => {
    expect(readFileSync(renderedFile(example), 'utf8').split('\n')[0]).toBe(renderedFrom(example));
  });

  it('runs each service of the list, and the job prepare, by its bundle', () => {
    expect(running.map(({ name, container }) => [name, container.command.at(-1)]).sort()).toEqual(
      services.map(([name]) => [name, `dist/apps/${name}/main.js`]).sort(),
    );
    const asked = example === 'keda' ? ['dist/deploy/republish/main.js'] : [];
    expect(jobs.map(({ container }) => container.command.at(-1)).sort()).toEqual(
      ['dist/deploy/prepare/main.js', ...asked].sort(),
    );
  });

  it('gives each the variables that its code reads, and no others', async () => {
    const ofServices = await configurationSchemas();
    const recovery = ofServices.get('purchase-validation')!.extend(topicsConfig.shape);
    const schemas = new Map([...ofServices, ...jobConfigurationSchemas, ['recovery', recovery]]);
    for (const workload of workloads) {
      const schema = schemas.get(workload.name)!;
      const environment = environmentOf(workload);
      const known = Object.keys(schema.shape).flatMap((key) => [key, `${key}_FILE`]);
      expect([workload.name, Object.keys(environment).filter((key) => !known.includes(key))]).toEqual([
        workload.name,
        [],
      ]);
      const config = loadWithSecretFiles(schema, { NODE_ENV: 'production', ...environment });
      expect(() => refusePlainConnections({ NODE_ENV: 'production', ...config })).not.toThrow();
    }
  });

  it('mounts every file that a variable names', () => {
    for (const workload of workloads) {
      const folders = workload.container.volumeMounts.map(({ mountPath }) => mountPath);
      const variables = Object.entries(environmentOf(workload)).filter(([name]) => name.endsWith('_FILE'));
      // Those of the image are named from its folder on.
      const files = variables.flatMap(([, list]) => list.split(',')).filter((file) => file.startsWith('/'));
      expect(files.length).toBeGreaterThan(0);
      for (const file of files) expect(folders).toContain(file.slice(0, file.lastIndexOf('/')));
    }
  });

  it('asks health where it is told, and serves where the gateway listens', async () => {
    const schema = (await configurationSchemas()).get('gateway')!;
    const gateway = running.find(({ name }) => name === 'gateway')!;
    const { GATEWAY_PORT, MANAGEMENT_PORT } = loadWithSecretFiles(schema, environmentOf(gateway));
    for (const { container } of running) {
      expect(container).toMatchObject({
        startupProbe: { httpGet: { path: '/health/live', port: 'management' } },
        livenessProbe: { httpGet: { path: '/health/live', port: 'management' } },
        readinessProbe: { httpGet: { path: '/health/ready', port: 'management' } },
      });
      expect(container.ports).toContainEqual({ name: 'management', containerPort: MANAGEMENT_PORT });
    }
    expect(gateway.container.ports).toContainEqual({ name: 'http', containerPort: GATEWAY_PORT });
  });

  it('gives nobody rights that it could gain or use', () => {
    for (const { pod, container } of workloads) {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(container['securityContext']).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });
});

it('gives the keys of a change of the master key to whoever has the master key', () => {
  for (const workload of workloadsOf(renderedManifests('keda'))) {
    const names = Object.keys(environmentOf(workload));
    const keys = ['MASTER_KEY_FILE', 'MASTER_KEY_FORMER_FILE', 'PROFILE_ID_KEY_FILE'].filter((key) =>
      names.includes(key),
    );
    expect([workload.name, keys.length]).toEqual([
      workload.name,
      ['gateway', 'purchase-validation', 'recovery'].includes(workload.name) ? 3 : 0,
    ]);
  }
});

it('lets the service that values money read newer exchange rates, after those of the image', () => {
  const services = workloadsOf(renderedManifests('keda')).filter(({ kind }) => kind !== 'Job');
  const readers = services.flatMap((workload) => {
    const { FX_RATES_FILE: files } = environmentOf(workload);
    return files === undefined ? [] : [[workload.name, ...files.split(',')]];
  });
  expect(readers).toEqual([
    ['purchase-validation', expect.stringContaining('eurofxref-hist.csv'), '/rates/eurofxref-hist.csv'],
  ]);
  expect(existsSync(join(findProjectRoot(), readers[0]![1]!))).toBe(true);
});

it('has a job that fills the topics of a new Kafka, once, and may reach what it works on', () => {
  const manifests = renderedManifests('keda');
  const job = manifests.find(({ kind, metadata }) => kind === 'Job' && metadata.name === 'paywright-republish');
  expect(job).toMatchObject({ spec: { backoffLimit: 0, template: { spec: { restartPolicy: 'Never' } } } });
  // Helm would run a hook at each upgrade, and start the services after it.
  expect(job?.metadata['annotations']).toBeUndefined();
  const { labels } = PodTemplate.parse(job?.['spec']).template.metadata;
  for (const example of examples.filter((one) => one !== 'external-metric')) {
    const policies = renderedManifests(example).filter(({ kind }) => kind === 'NetworkPolicy');
    const selectors = policies.map(({ spec }) => PolicySpec.parse(spec).podSelector.matchLabels);
    expect(selectors.filter((selector) => Object.entries(selector).every(([key, value]) => labels[key] === value))).toHaveLength(1); // prettier-ignore
  }
});

it('rolls out a new version as it is tried: who reads comes before who writes', () => {
  const versions = workloadsOf(renderedManifests('rollout')).map(({ name, container }) => [name, container.image]);
  const ofStage = (stage: number) => services.filter(([, service]) => service.stage === stage).map(([name]) => name);
  expect([ofStage(0), ofStage(2)]).toEqual([['learner', 'projection'], ['gateway']]);
  expect(versions.filter(([, image]) => image === 'registry.example/paywright:0.2.0').map(([name]) => name)).toEqual([
    'learner',
    'projection',
    'prepare',
  ]);
  expect(versions.filter(([, image]) => image === 'registry.example/paywright:0.1.0')).toHaveLength(
    services.length - ofStage(0).length,
  );
});

it.each([
  ['minimal', ['topology.kubernetes.io/zone ScheduleAnyway', 'kubernetes.io/hostname ScheduleAnyway']],
  ['keda', ['topology.kubernetes.io/zone DoNotSchedule']],
] as const)('spreads the instances of a service as the values %s say', (example, spread) => {
  const services = workloadsOf(renderedManifests(example)).filter(({ kind }) => kind !== 'Job');
  for (const { name, pod } of services) {
    const constraints = Spread.parse(pod['topologySpreadConstraints']);
    expect(constraints.map(({ topologyKey, whenUnsatisfiable }) => `${topologyKey} ${whenUnsatisfiable}`)).toEqual(spread); // prettier-ignore
    for (const { labelSelector } of constraints)
      expect(labelSelector.matchLabels).toMatchObject({ 'app.kubernetes.io/name': name });
  }
});

it('has lag counted of what a group reads: one that has read nothing yet has none', () => {
  const scaled = renderedManifests('keda').filter(({ kind }) => kind === 'ScaledObject');
  const triggers = scaled.flatMap(({ spec }) => ScaledObjectSpec.parse(spec).triggers);
  const byLag = triggers.filter(({ type }) => type === 'kafka').map(({ metadata }) => metadata);
  const scaledGroups = services.flatMap(([, service]) => service.groups);
  expect(byLag.map(({ consumerGroup }) => consumerGroup).sort()).toEqual(scaledGroups.sort());
  expect([...new Set(byLag.map(({ scaleToZeroOnInvalidOffset }) => scaleToZeroOnInvalidOffset))]).toEqual(['true']);
});

it('lets KEDA take over from its own autoscalers, which Helm removes only once KEDA’s are made', () => {
  const autoscalers = renderedManifests('external-metric').filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
  const byGroup = autoscalers.filter(({ metadata }) => metadata.name !== 'paywright-gateway');
  expect(byGroup.length).toBe(renderedManifests('keda').filter(({ kind }) => kind === 'ScaledObject').length);
  for (const { metadata } of byGroup)
    expect(metadata).toMatchObject({ annotations: { 'validations.keda.sh/hpa-ownership': 'false' } });
});

it('sets nothing of a ScaledObject that KEDA warns of at each installation: with instances always, it polls nothing', () => {
  const scaled = renderedManifests('keda').filter(({ kind }) => kind === 'ScaledObject');
  expect(scaled.map(({ spec }) => Object.keys(ScaledObjectSpec.parse(spec)))).not.toContainEqual(
    expect.arrayContaining(['pollingInterval']),
  );
});

it('has the alerts that the repository has, where the operator is to have them', () => {
  const found = (example: Example) => renderedManifests(example).filter(({ kind }) => kind === 'PrometheusRule');
  const alerts = readYaml(join(findProjectRoot(), 'deploy', 'observability', 'prometheus-rules.yml'));
  expect(found('keda')).toMatchObject([{ metadata: { labels: { release: 'prometheus' } } }]);
  expect(found('keda')[0]?.['spec']).toEqual(alerts);
  expect(found('minimal')).toEqual([]);
});

it('has all pods go where the values say', () => {
  for (const { pod } of workloadsOf(renderedManifests('keda')))
    expect(pod).toMatchObject({
      affinity: { nodeAffinity: expect.anything() },
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      tolerations: [{ key: 'dedicated' }],
    });
});

it('has its pods scraped as the job that the alerts name', () => {
  const monitor = renderedManifests('keda').find(({ kind }) => kind === 'PodMonitor');
  const { jobLabel, selector } = PodMonitorSpec.parse(monitor?.['spec']);
  const named = rules().flatMap(({ expr }) => [...expr.matchAll(/job="([^"]*)"/g)].map(([, job]) => job));
  expect(named).not.toEqual([]);
  expect([...new Set(named)]).toEqual([selector.matchLabels[jobLabel]]);
});
