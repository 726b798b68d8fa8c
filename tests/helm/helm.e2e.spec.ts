import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exampleFile, examples, manifestsOf, renderedFile, type Manifest } from '@paywright/deploy/helm/chart.ts';
import { environmentOf, workloadsOf } from '@paywright/deploy/helm/workloads.ts';
import { z } from 'zod';
import { canRunHelm, Helm } from './helm.ts';

const PolicySpec = z.looseObject({
  egress: z.array(z.looseObject({ ports: z.array(z.looseObject({ port: z.number() })) })),
});

function chartIsSound(): void {
  let helm: Helm;
  const minimal = exampleFile('minimal');
  const manifestsWith = (settings: readonly string[]) => {
    const { ok, stdout, stderr } = helm.template(minimal, settings);
    if (!ok) throw new Error(stderr);
    return manifestsOf(stdout);
  };
  const variablesOf = (service: string, settings: readonly string[]) =>
    environmentOf(workloadsOf(manifestsWith(settings)).find(({ name }) => name === service)!);
  const portsOut = (service: string, settings: readonly string[]) => {
    const ofService = ({ kind, metadata }: Manifest) =>
      kind === 'NetworkPolicy' && metadata.name === `paywright-${service}`;
    const { egress } = PolicySpec.parse(manifestsWith(settings).find(ofService)?.['spec']);
    return egress.flatMap(({ ports }) => ports.map(({ port }) => port));
  };

  beforeAll(() => {
    helm = Helm.open();
  }, 600_000);
  afterAll(() => helm?.[Symbol.dispose]());

  it.each(examples)('renders %s as the repository keeps it: npm run helm:render', (example) => {
    expect(helm.render(example)).toBe(readFileSync(renderedFile(example), 'utf8'));
  });

  it.each(examples)('has nothing to say against %s', (example) => {
    expect(helm.lint(exampleFile(example))).toMatchObject({ ok: true });
  });

  it.each([
    ['image.repository=', 'image.repository is not set: name where you pushed the image'],
    ['image.tag=', 'image.tag is not set: name the version'],
    ['image.tag=latest', '/image/tag'],
    ['database.secret=', 'database.secret is not set'],
    ['secrets.secret=', 'secrets.secret is not set'],
    ['kafka.brokers=null', "missing property 'brokers'"],
    ['kafka.brokers[0]=kafka', '/kafka/brokers/0'],
    ['kafka.sasl.mechanism=plain', 'kafka.sasl.secret is not set'],
    ['autoscaling.by=hope', '/autoscaling/by'],
    ['recovery.command=rebuild', '/recovery/command'],
    ['services.profile.replicas.min=0', '/services/profile/replicas/min'],
    ['services.profile.repicas=3', 'repicas'],
    ['podMonitor.enabled=true', 'networkPolicy.monitoring is not set'],
    ['topologySpread[0].topologyKey=kubernetes.io/hostname', "missing property 'whenUnsatisfiable'"],
    ['rollout.stage=0', 'rollout.formerTag is not set'],
    ['rollout.stage=3', '/rollout/stage'],
    ['services.gateway.secrets={master-keys}', '/services/gateway/secrets/0'],
  ])('refuses %s, and says what is wrong', (setting, words) => {
    const { ok, stderr } = helm.template(minimal, [setting]);
    expect(ok).toBe(false);
    expect(stderr.replaceAll('.', '/')).toContain(words.replaceAll('.', '/'));
  });

  it.each([
    ['paywright-production-europe-subscriptions-team12', 'is too long'],
    ['2026-pay', 'begin with a letter'],
    ['pay.wright', 'begin with a letter'],
  ])('refuses the release name %s before anything is made, as a name of an object would be refused', (name, words) => {
    const { ok, stderr } = helm.template(minimal, [], name);
    expect(ok).toBe(false);
    expect(stderr).toContain(words);
  });

  it('gives all parts of a release with a long name names of their own', () => {
    const { stdout } = helm.template(minimal, [], 'paywright-production-europe-subscriptions-team1');
    const workloads = manifestsOf(stdout).filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind));
    expect(workloads).toHaveLength(9);
    expect(new Set(workloads.map(({ metadata }) => metadata.name)).size).toBe(9);
  });

  it.each([
    ['a tag that ends with a sign', '0.1.0-', '0.1.0'],
    ['a tag that begins with one', '_next', 'next'],
    ['a long tag that is cut at one', `${'a'.repeat(62)}-b`, 'a'.repeat(62)],
  ])('labels pods with a version that Kubernetes takes: %s', (_, tag, label) => {
    const labels = manifestsWith([`image.tag=${tag}`]).map(({ metadata }) => metadata.labels);
    expect([...new Set(labels.map((one) => one['app.kubernetes.io/version']))]).toEqual([label]);
  });

  it('lets a service’s own variables win over those of all, also where they say no', () => {
    const settings = [
      ...['env.DEBUG_A=true', 'env.DEBUG_B=7', 'env.DEBUG_C=all', 'env.DEBUG_D=all'],
      ...['services.profile.env.DEBUG_A=false', 'services.profile.env.DEBUG_B=0', 'services.profile.env.DEBUG_C='],
    ];
    expect(variablesOf('profile', settings)).toMatchObject({
      DEBUG_A: 'false',
      DEBUG_B: '0',
      DEBUG_C: '',
      DEBUG_D: 'all',
    });
    expect(variablesOf('catalog', settings)).toMatchObject({ DEBUG_A: 'true', DEBUG_B: '7', DEBUG_C: 'all' });
  });

  it.each([
    ['no word of certificates', [], [443]],
    ['env.APPSTORE_ONLINE_CHECKS=true', ['env.APPSTORE_ONLINE_CHECKS=true'], [443, 80]],
    [
      'a gateway that is told not to ask',
      ['env.APPSTORE_ONLINE_CHECKS=true', 'services.gateway.env.APPSTORE_ONLINE_CHECKS=false'],
      [443],
    ],
  ])('lets out to the ports at which stores are asked: %s', (_, settings, ports) => {
    expect(portsOut('gateway', settings)).toEqual(expect.arrayContaining(ports));
    expect(portsOut('gateway', settings).includes(80)).toBe(ports.includes(80));
    expect(portsOut('profile', settings)).not.toContain(443);
    expect(portsOut('profile', settings)).not.toContain(80);
  });

  it('has the gateway listen at the port that its values name', () => {
    const settings = ['services.gateway.port=8080'];
    const gateway = workloadsOf(manifestsWith(settings)).find(({ name }) => name === 'gateway');
    expect(gateway?.container.ports).toContainEqual({ name: 'http', containerPort: 8080 });
    expect(variablesOf('gateway', settings)).toMatchObject({ GATEWAY_PORT: '8080' });
  });

  it('takes a PodMonitor without peers where it makes no policies', () => {
    expect(helm.template(minimal, ['podMonitor.enabled=true', 'networkPolicy.enabled=false']).ok).toBe(true);
  });

  it('asks for the image, and for brokers, where nothing is given', () => {
    expect(helm.template(null).stderr).toContain('is not set');
    const named = ['image.repository=a/b', 'image.tag=c', 'database.secret=d', 'secrets.secret=e'];
    expect(helm.template(null, named).stderr).toContain('kafka.brokers is not set: name at least one');
  });

  it('takes one more service by one more entry', () => {
    const settings = [
      ...['services.another.replicas.min=1', 'services.another.replicas.max=1'],
      ...['services.another.resources.limits.memory=64Mi'],
    ];
    const { ok, stdout } = helm.template(minimal, settings);
    expect(ok).toBe(true);
    expect(stdout).toContain('command: [node, dist/apps/another/main.js]');
    expect(stdout.match(/^ {2}name: paywright-another$/gm)).toHaveLength(3); // with budget and network policy
  });
}

if (canRunHelm) describe('the Helm chart', chartIsSound);
else
  it('NOT RUN: the chart needs helm, or Go to build it, on the PATH', () => {
    console.warn('Neither helm nor Go is on the PATH: the Helm chart was NOT rendered, only what was rendered before.');
    expect(canRunHelm).toBe(false);
  });
