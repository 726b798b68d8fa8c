import { z } from 'zod';
import { KubernetesObject } from './kubernetes-api.ts';

const Condition = z.looseObject({ type: z.string(), status: z.string() });

/** A pod, as far as it is looked at here. */
export const Pod = KubernetesObject.extend({
  spec: z.looseObject({
    nodeName: z.string().default(''),
    restartPolicy: z.string().default('Always'),
    containers: z.array(z.looseObject({ name: z.string(), image: z.string() })),
  }),
  status: z
    .looseObject({
      phase: z.string().default('Pending'),
      conditions: z.array(Condition).default([]),
      containerStatuses: z.array(z.looseObject({ name: z.string() })).default([]),
    })
    .prefault({}),
});
export type Pod = z.output<typeof Pod>;

/** Of which service or job it is, as the chart labels it; empty of a foreign one. */
export const partOf = ({ metadata }: Pod): string => metadata.labels['app.kubernetes.io/name'] ?? '';

export const versionOf = ({ metadata }: Pod): string => metadata.labels['app.kubernetes.io/version'] ?? '';

/** It gets requests: ready, and not about to end. */
export const isServing = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  status.conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True');

/** How many of each part serve, by its name. */
export function servingByPart(pods: readonly Pod[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const pod of pods) if (isServing(pod)) counts.set(partOf(pod), (counts.get(partOf(pod)) ?? 0) + 1);
  return counts;
}
