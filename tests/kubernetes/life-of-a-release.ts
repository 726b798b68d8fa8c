import { join } from 'node:path';
import { chartFolder, readYaml } from '@paywright/deploy/helm/chart.ts';
import { z } from 'zod';
import { messageOf, KubernetesObject, type KubernetesApi } from './kubernetes-api.ts';
import { zoneOf, type Nodes } from './nodes.ts';
import { isServing, partOf, type Pod, servingByPart, versionOf } from './pod.ts';
import { namespace, type HelmOutcome, type Release } from './release.ts';
import type { Trials } from './trials.ts';
import { until } from './until.ts';

export interface Surroundings {
  readonly api: KubernetesApi;
  readonly nodes: Nodes;
  readonly release: Release;
  readonly trials: Trials;
  readonly ending: AbortSignal;
}

const Values = z.looseObject({ services: z.record(z.string(), z.looseObject({ stage: z.number().default(1) })) });
const services = Values.parse(readYaml(join(chartFolder, 'values.yaml'))).services;
/** The services of the chart, by name. */
export const parts: readonly string[] = Object.keys(services);
const partsUpTo = (stage: number) => parts.filter((part) => services[part]!.stage <= stage);

const inWords = ({ ok, printed, seconds }: HelmOutcome) => (ok ? `done after ${seconds} s` : `refused: ${printed.split('\n').at(-1)}`); // prettier-ignore

/** A pod as somebody writes it who did not think of its rights. */
const carelessPod = { metadata: { name: 'careless' }, spec: { containers: [{ name: 'shell', image: 'busybox' }] } };

/** The namespace, and what it asks of pods. */
export async function tryTheGuards({ api, trials, ending }: Surroundings): Promise<void> {
  const label = 'pod-security.kubernetes.io/enforce';
  await api.do('POST', '/api/v1/namespaces', { metadata: { name: namespace, labels: { [label]: 'restricted' } } });
  const nobody = await api.ask('GET', '/api/v1/namespaces', undefined, '');
  trials.note('a request without a name', `status ${nobody.status}`, nobody.status === 401);
  const path = `/api/v1/namespaces/${namespace}/pods`;
  const account = `/api/v1/namespaces/${namespace}/serviceaccounts/default`;
  await until(() => api.ask('GET', account), ({ status }) => status === 200, { seconds: 30, ending }); // prettier-ignore
  const careless = await api.ask('POST', path, carelessPod);
  const isRefused = careless.status === 403 && messageOf(careless).includes('restricted');
  trials.note('a pod with rights that it does not need', isRefused ? 'refused by “restricted”' : messageOf(careless), isRefused); // prettier-ignore
}

export async function tryInstallation({ api, release, trials }: Surroundings): Promise<void> {
  const installed = await release.install();
  trials.note('helm install', inWords(installed), installed.ok);
  if (!installed.ok) throw new Error(`There is nothing to go on with: ${installed.printed}`);
  const pods = await release.pods();
  const serving = servingByPart(pods);
  const twoOfEach = parts.every((part) => serving.get(part) === 2);
  trials.note('two instances of each service', `${pods.filter(isServing).length} instances of ${parts.length} services serve`, twoOfEach); // prettier-ignore
  await noteOrder(api, trials);
  noteSpread('after the installation', pods, trials);
  const ordinals = pods.filter((pod) => partOf(pod) === 'gateway').map(({ metadata }) => metadata.labels['apps.kubernetes.io/pod-index']); // prettier-ignore
  trials.note('the gateway’s pods have ordinals', ordinals.sort().join(), ordinals.sort().join() === '0,1');
}

const Job = KubernetesObject.extend({ status: z.looseObject({ completionTime: z.string().optional() }).prefault({}) });

async function noteOrder(api: KubernetesApi, trials: Trials): Promise<void> {
  const [job] = await api.list(`/apis/batch/v1/namespaces/${namespace}/jobs`, Job);
  const ended = job?.status.completionTime ?? 'not ended';
  const of = (kind: string) => api.list(`/apis/apps/v1/namespaces/${namespace}/${kind}`, KubernetesObject);
  const workloads = [...(await of('deployments')), ...(await of('statefulsets'))];
  const first = workloads.map(({ metadata }) => metadata.creationTimestamp).sort()[0] ?? 'not made';
  const isBefore = job?.status.completionTime !== undefined && workloads.length > 0 && ended <= first;
  trials.note('the job prepare ends before services are made', `${ended}, ${first}`, isBefore);
}

/** No service has all of its instances in one zone, or on one node. */
function noteSpread(when: string, pods: readonly Pod[], trials: Trials): void {
  const together = parts.filter((part) => {
    const zones = pods.filter((pod) => partOf(pod) === part && isServing(pod)).map(({ spec }) => zoneOf(spec.nodeName));
    return new Set(zones).size < 2;
  });
  trials.note(`instances of a service are in two zones ${when}`, together.length === 0 ? 'all' : `not ${together.join(', ')}`, together.length === 0); // prettier-ignore
}

/** The parts of which two instances run, both of this version, and none of another. */
const partsAt = (pods: readonly Pod[], version: string) =>
  parts.filter((part) => {
    const own = pods.filter((pod) => partOf(pod) === part);
    return own.length === 2 && own.every((pod) => isServing(pod) && versionOf(pod) === version);
  });

/** Waits until these parts alone, which Helm takes for replaced, are of the version: it does not wait for the former ones' end. */
async function noteVersion(
  what: string,
  outcome: HelmOutcome,
  version: string,
  want: readonly string[],
  { release, trials, ending }: Surroundings,
): Promise<void> {
  // prettier-ignore
  const have = async () => partsAt(await release.pods(), version);
  const { value, after, came } = await until(have, (all) => all.join() === want.join(), { seconds: 60, ending });
  const which = value.length === parts.length ? 'all services' : value.join(', ') || 'no service';
  trials.note(what, `${inWords(outcome)}; ${after} s later ${version} is ${which}`, outcome.ok && came);
}

/** Of the gateway, a StatefulSet, one instance goes before another comes. */
const inAnUpgrade = (part: string) => (part === 'gateway' ? 1 : 2);

/** @param least the fewest instances of a part that may have served at a time */
function noteServing(what: string, { nodes, trials }: Surroundings, least: (part: string) => number): void {
  const short = parts.filter((part) => nodes.leastServing(part) < least(part));
  const seen = short.map((part) => `${part} ${nodes.leastServing(part)}`).join(', ');
  trials.note(what, short.length === 0 ? 'always' : `not ${seen}`, short.length === 0);
}

export async function tryStages(all: Surroundings): Promise<void> {
  const { release, trials, nodes } = all;
  nodes.watchAnew();
  for (const stage of [0, 1, 2]) {
    const rollout = stage === 2 ? [] : ['rollout.formerTag=0.1.0', `rollout.stage=${stage}`];
    const upgraded = await release.upgrade(['image.tag=0.2.0', ...rollout]);
    await noteVersion(`a new version, stage ${stage}`, upgraded, '0.2.0', partsUpTo(stage), all);
  }
  noteServing('meanwhile two of each consumer serve, and one of the gateway', all, inAnUpgrade);
  noteSpread('after it', await release.pods(), trials);
}

const uidsOf = (pods: readonly Pod[]) =>
  pods
    .map(({ metadata }) => metadata.uid)
    .sort()
    .join();

export async function tryFailingPreparation(all: Surroundings): Promise<void> {
  const { nodes, release, trials } = all;
  const before = uidsOf(await release.pods());
  nodes.jobsEnd = 'hangs';
  const failed = await release.upgrade(['image.tag=0.3.0', 'migrations.deadlineSeconds=3']);
  const isLeft = uidsOf(await release.pods()) === before;
  const isTold = !failed.ok && failed.printed.includes('DeadlineExceeded');
  trials.note('prepare does not end in its time', `${inWords(failed)}, after ${failed.seconds} s`, isTold);
  trials.note('no instance was replaced', isLeft ? 'none' : 'some were', isLeft);
  nodes.jobsEnd = 'succeeds';
  const again = await release.upgrade(['image.tag=0.3.0']);
  await noteVersion('the same command again', again, '0.3.0', parts, all);
}

export async function tryCutOff(all: Surroundings): Promise<void> {
  const { nodes, release, trials, ending } = all;
  const deployed = (await release.history()).findLast(({ status }) => status === 'deployed')!.revision;
  nodes.jobsEnd = 'hangs';
  const runs = (pods: readonly Pod[]) => pods.some(({ status, metadata }) => status.phase === 'Running' && !metadata.deletionTimestamp); // prettier-ignore
  await release.cutOffUpgrade(['image.tag=0.4.0'], () => until(() => release.jobPods(), runs, { seconds: 60, ending }));
  nodes.jobsEnd = 'succeeds';
  const status = (await release.history()).at(-1)!.status;
  trials.note('helm is killed during prepare', status, status === 'pending-upgrade');
  const refused = await release.upgrade(['image.tag=0.4.0']);
  trials.note('the next helm upgrade', inWords(refused), !refused.ok && refused.printed.includes('another operation'));
  const back = await release.rollback(deployed);
  await noteVersion(`helm rollback ${deployed}`, back, '0.3.0', parts, all);
  const again = await release.upgrade(['image.tag=0.4.0']);
  await noteVersion('helm upgrade after it', again, '0.4.0', parts, all);
}

/** As `kubectl drain` asks for it. @returns the status: 201 if the pod goes, 429 if its budget has none to spare */
async function evict(api: KubernetesApi, { metadata }: Pod): Promise<number> {
  const path = `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}/eviction`;
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: metadata.name } };
  return (await api.ask('POST', path, body)).status;
}

const settled = (pods: readonly Pod[]) => {
  const serving = servingByPart(pods);
  return parts.every((part) => serving.get(part) === 2);
};

export async function tryDrain(all: Surroundings): Promise<void> {
  const { api, nodes, release, trials, ending } = all;
  const both = (await release.pods()).filter((pod) => partOf(pod) === 'projection');
  const statuses = [await evict(api, both[0]!), await evict(api, both[1]!)];
  trials.note('both instances of a service evicted at once', statuses.join(', '), statuses.join() === '201,429');
  await until(() => release.pods(), settled, { seconds: 60, ending });

  nodes.watchAnew();
  const node = (await release.pods()).find((pod) => partOf(pod) === 'gateway')!.spec.nodeName;
  await api.do('PATCH', `/api/v1/nodes/${node}`, { spec: { unschedulable: true } });
  const left = async () => (await release.pods()).filter(({ spec }) => spec.nodeName === node);
  const drained = await until(
    async () => {
      const pods = await left();
      for (const pod of pods.filter(isServing)) await evict(api, pod);
      return pods.length;
    },
    (count) => count === 0,
    { seconds: 120, ending },
  );
  const after = await until(() => release.pods(), settled, { seconds: 60, ending });
  trials.note(`${node} is drained`, `empty after ${drained.after} s, all instances elsewhere ${after.after} s later`, drained.came && after.came); // prettier-ignore
  noteServing('meanwhile one of each service serves', all, () => 1);
  await api.do('PATCH', `/api/v1/nodes/${node}`, { spec: { unschedulable: null } });
}

export async function tryLostNode({ api, nodes, release, trials, ending }: Surroundings): Promise<void> {
  const node = (await release.pods()).find((pod) => partOf(pod) === 'gateway')!.spec.nodeName;
  nodes.lose(node);
  const others = (pods: readonly Pod[]) => {
    const serving = servingByPart(pods.filter(({ spec }) => spec.nodeName !== node));
    return parts.every((part) => part === 'gateway' || serving.get(part) === 2);
  };
  const replaced = await until(() => release.pods(), others, { seconds: 90, ending });
  trials.note(`${node} is lost`, `its consumers are elsewhere after ${replaced.after} s`, replaced.came);
  const gateways = replaced.value.filter((pod) => partOf(pod) === 'gateway' && pod.spec.nodeName !== node);
  trials.note('its gateway is not made anew while the node may come back', `${gateways.length} elsewhere`, gateways.length === 1); // prettier-ignore
  await api.do('DELETE', `/api/v1/nodes/${node}`);
  const back = await until(() => release.pods(), settled, { seconds: 120, ending });
  trials.note('the node is deleted', `two gateways after ${back.after} s`, back.came);
  await nodes.replace(node);
}

export async function tryRollback(all: Surroundings): Promise<void> {
  const { api, release, trials, nodes } = all;
  const jobs = () => api.list(`/apis/batch/v1/namespaces/${namespace}/jobs`, KubernetesObject);
  const history = await release.history();
  const former = history.findLast(({ status }) => status === 'superseded')!.revision;
  const jobBefore = (await jobs())[0]?.metadata.uid;
  nodes.watchAnew();
  const back = await release.rollback(former);
  await noteVersion(`helm rollback ${former}`, back, '0.3.0', parts, all);
  const isSame = (await jobs())[0]?.metadata.uid === jobBefore;
  trials.note('it runs no prepare', isSame ? 'the job is the one of before' : 'there is another job', isSame);
  noteServing('meanwhile two of each consumer serve, and one of the gateway', all, inAnUpgrade);
}

const ofRelease = ({ metadata }: KubernetesObject) => metadata.labels['app.kubernetes.io/part-of'] === 'paywright';

export async function tryUninstalling({ api, release, trials, ending }: Surroundings): Promise<void> {
  const removed = await release.uninstall();
  trials.note('helm uninstall', inWords(removed), removed.ok);
  const left = async () => {
    const kinds = {
      ...{ deployments: 'apps/v1', statefulsets: 'apps/v1', services: 'v1', jobs: 'batch/v1' },
      ...{ poddisruptionbudgets: 'policy/v1', networkpolicies: 'networking.k8s.io/v1' },
      horizontalpodautoscalers: 'autoscaling/v2',
    };
    const lists = Object.entries(kinds).map(async ([kind, version]) => {
      const root = version === 'v1' ? '/api/v1' : `/apis/${version}`;
      const objects = await api.list(`${root}/namespaces/${namespace}/${kind}`, KubernetesObject);
      return objects.filter(ofRelease).map(({ metadata }) => `${kind}/${metadata.name}`);
    });
    const pods = (await release.pods()).map(({ metadata }) => `pods/${metadata.name}`);
    return [...(await Promise.all(lists)).flat(), ...pods];
  };
  const onlyPrepare = (names: readonly string[]) => names.join() === 'jobs/paywright-prepare';
  const { value, came } = await until(left, onlyPrepare, { seconds: 60, ending });
  trials.note('what it leaves', value.join(', ') || 'nothing', came);
}
