import { z } from 'zod';
import type { Manifest } from './chart.ts';

const Variable = z.strictObject({ name: z.string(), value: z.string().optional(), valueFrom: z.unknown().optional() });
const Probe = z.looseObject({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const Container = z.looseObject({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()),
  env: z.array(Variable),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  volumeMounts: z.array(z.looseObject({ mountPath: z.string() })),
  startupProbe: Probe.optional(),
  livenessProbe: Probe.optional(),
  readinessProbe: Probe.optional(),
});
const Workload = z.looseObject({
  kind: z.enum(['Deployment', 'StatefulSet', 'Job']),
  metadata: z.object({ labels: z.looseObject({ 'app.kubernetes.io/name': z.string() }) }),
  spec: z.looseObject({
    replicas: z.number().optional(),
    template: z.object({ spec: z.looseObject({ containers: z.array(Container).length(1) }) }),
  }),
});

export interface Workload {
  /** The service's, or the job's. */
  readonly name: string;
  readonly kind: string;
  readonly replicas: number | undefined;
  readonly pod: Readonly<Record<string, unknown>>;
  readonly container: z.output<typeof Container>;
}

/** What runs pods. */
export function workloadsOf(manifests: readonly Manifest[]): readonly Workload[] {
  const running = manifests.filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind));
  return running.map((manifest) => {
    const { kind, metadata, spec } = Workload.parse(manifest);
    const { spec: pod } = spec.template;
    const name = metadata.labels['app.kubernetes.io/name'];
    return { name, kind, replicas: spec.replicas, pod, container: pod.containers[0]! };
  });
}

/** The variables of a container; the ordinal of a pod is 0. */
export const environmentOf = ({ container }: Workload): Readonly<Record<string, string>> =>
  Object.fromEntries(container.env.map(({ name, value }) => [name, value ?? '0']));
