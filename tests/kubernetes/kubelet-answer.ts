import type { Pod } from './pod.ts';

/** How the container of a job ends: by itself, with an error, or not at all. */
export type JobEnd = 'succeeds' | 'fails' | 'hangs';

/** What a kubelet does about a pod of its node: it takes it away, says how it is, or has nothing to say. */
export type KubeletAnswer =
  | { readonly does: 'nothing' }
  | { readonly does: 'remove' }
  | { readonly does: 'report'; readonly status: Readonly<Record<string, unknown>> };

export interface KubeletNow {
  /** ISO 8601, in whole seconds, as the server keeps times. */
  readonly at: string;
  /** Of the pod, if it starts now. */
  readonly ip: string;
  readonly jobsEnd: JobEnd;
}

/**
 * What a kubelet would say of a pod that is bound to its node, were its container to start at once and to be ready at
 * once: a service runs until it is to end, a job ends as it is told.
 */
export function kubeletAnswer(pod: Pod, now: KubeletNow): KubeletAnswer {
  if (pod.metadata.deletionTimestamp !== undefined) return { does: 'remove' };
  const { phase } = pod.status;
  if (phase === 'Succeeded' || phase === 'Failed') return { does: 'nothing' };
  const hasStarted = pod.status.containerStatuses.length > 0;
  const isJob = pod.spec.restartPolicy === 'Never';
  if (hasStarted && (!isJob || now.jobsEnd === 'hangs')) return { does: 'nothing' };
  if (!isJob || now.jobsEnd === 'hangs') return { does: 'report', status: running(pod, now) };
  return { does: 'report', status: ended(pod, now, now.jobsEnd === 'succeeds' ? 0 : 1) };
}

const conditions = (at: string, isReady: boolean) =>
  ['PodReadyToStartContainers', 'Initialized', 'PodScheduled', 'ContainersReady', 'Ready'].map((type) => {
    const holds = isReady || !['ContainersReady', 'Ready'].includes(type);
    return { type, status: holds ? 'True' : 'False', lastTransitionTime: at };
  });

const container = (pod: Pod, state: object, isReady: boolean) =>
  pod.spec.containers.map(({ name, image }) => ({
    ...{ name, image, imageID: image, restartCount: 0, started: isReady, ready: isReady },
    state,
  }));

const running = (pod: Pod, { at, ip }: KubeletNow) => ({
  ...{ phase: 'Running', startTime: at, podIP: ip, podIPs: [{ ip }] },
  conditions: conditions(at, true),
  containerStatuses: container(pod, { running: { startedAt: at } }, true),
});

const ended = (pod: Pod, { at, ip }: KubeletNow, exitCode: number) => ({
  ...{ phase: exitCode === 0 ? 'Succeeded' : 'Failed', startTime: at, podIP: ip, podIPs: [{ ip }] },
  conditions: conditions(at, false),
  containerStatuses: container(
    pod,
    { terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', startedAt: at, finishedAt: at } },
    false,
  ),
});
