import { groups } from '@paywright/contracts';
import { z } from 'zod';
import type { Broker } from './broker.ts';
import type { Keda } from './keda.ts';
import { KubernetesObject } from './kubernetes-api.ts';
import { parts, type Surroundings } from './life-of-a-release.ts';
import { serveMetrics, type MetricsServer } from './metrics-server.ts';
import { namespace } from './release.ts';
import { until } from './until.ts';

const Deployment = KubernetesObject.extend({ spec: z.looseObject({ replicas: z.number() }) });
const patience = { seconds: 240 };
/** The projection's `lag` in values.yaml: the messages that one instance may be behind. */
const perInstance = 1_000;

/** How many instances the projection is to have, by whoever scales it. */
async function wanted({ api }: Surroundings): Promise<number> {
  const all = await api.list(`/apis/apps/v1/namespaces/${namespace}/deployments`, Deployment);
  return all.find(({ metadata }) => metadata.name === 'paywright-projection')?.spec.replicas ?? 0;
}

async function noteInstances(what: string, count: number, all: Surroundings): Promise<void> {
  const seen = await until(() => wanted(all), (replicas) => replicas === count, { ...patience, ending: all.ending }); // prettier-ignore
  all.trials.note(what, `${seen.value} instances after ${seen.after} s`, seen.came);
}

const autoscalersPath = `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`;
const namesOf = async ({ api }: Surroundings): Promise<readonly string[]> =>
  (await api.list(autoscalersPath, KubernetesObject)).map(({ metadata }) => metadata.name).sort();

/** Of all but the catalog, which has as many instances always. */
const scaled = parts.filter((part) => part !== 'catalog');
const ownNames = scaled.map((part) => `paywright-${part}`).sort();
const kedaNames = scaled.map((part) => (part === 'gateway' ? 'paywright-gateway' : `keda-hpa-paywright-${part}`)).sort(); // prettier-ignore

async function noteAutoscalers(what: string, names: readonly string[], all: Surroundings): Promise<void> {
  const are = (found: readonly string[]) => found.join() === names.join();
  const { value, after, came } = await until(() => namesOf(all), are, { seconds: 60, ending: all.ending });
  all.trials.note(what, came ? `${value.length} autoscalers, as they should be, after ${after} s` : value.join(', '), came); // prettier-ignore
}

async function switchTo(by: string, all: Surroundings): Promise<void> {
  const upgraded = await all.release.upgrade(['image.tag=0.3.0', `autoscaling.by=${by}`]);
  const seen = upgraded.ok ? `done after ${upgraded.seconds} s` : upgraded.printed;
  all.trials.note(`helm upgrade to autoscaling.by=${by}`, seen, upgraded.ok);
}

export async function tryExternalMetric(metrics: MetricsServer, all: Surroundings): Promise<void> {
  await serveMetrics(all.api, 'metrics.k8s.io', metrics.port);
  await serveMetrics(all.api, 'external.metrics.k8s.io', metrics.port);
  all.nodes.watchAnew();
  await switchTo('external-metric', all);
  await noteAutoscalers('one for each service but the catalog', ownNames, all);
  await noteInstances('with no lag, the least', 2, all);
  const least = all.nodes.leastServing('projection');
  all.trials.note('since then one instance always served', `${least} at the least`, least >= 1);
  metrics.setLag(groups.projection, 9.5 * perInstance);
  await noteInstances('the projection is 9,500 messages behind', 10, all);
  metrics.setLag(groups.projection, 0);
  await noteInstances('it has caught up', 2, all);
}

export async function tryKeda(keda: Keda, broker: Broker, metrics: MetricsServer, all: Surroundings): Promise<void> {
  await keda.answerMetrics();
  await switchTo('keda', all);
  await noteAutoscalers('KEDA’s are there, and the former ones are not', kedaNames, all);
  await noteInstances('nothing is behind', 2, all);
  // Counted from the moment at which it begins: to set a group's offsets takes seconds.
  const caused = (cause: Promise<void>, what: string, count: number) =>
    Promise.all([cause, noteInstances(what, count, all)]);
  await caused(broker.fallBehind(12 * perInstance), '12,000 messages come, which nobody reads', 12);
  await caused(broker.catchUp(), 'the group has read them', 2);

  await serveMetrics(all.api, 'external.metrics.k8s.io', metrics.port);
  await switchTo('external-metric', all);
  await noteAutoscalers('the chart’s are there again, and KEDA’s are not', ownNames, all);
  metrics.setLag(groups.projection, 3.5 * perInstance);
  await noteInstances('the projection is 3,500 messages behind', 4, all);
  metrics.setLag(groups.projection, 0);
}
