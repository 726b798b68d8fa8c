import { setTimeout as sleep } from 'node:timers/promises';
import { kubeletAnswer, type JobEnd } from './kubelet-answer.ts';
import type { KubernetesApi } from './kubernetes-api.ts';
import { Pod, servingByPart } from './pod.ts';

/** Often enough that a pod is ready within half a second, as one whose image is there would be. */
const roundMs = 400;
/** Well within the control plane's patience, which is short here: see control-plane.ts. */
const heartbeatMs = 3_000;

const zones = ['zone-a', 'zone-b', 'zone-c'] as const;
/** Two of each zone. */
const nodeNames = zones.flatMap((zone) => [`${zone}-1`, `${zone}-2`]);
export const zoneOf = (node: string): string => node.replace(/-\d+$/, '');

/**
 * Nodes that no machine is behind. The control plane takes them for real ones: they say that they are ready again and
 * again, and of the pods that the scheduler gives them that they run.
 */
export class Nodes {
  readonly #api: KubernetesApi;
  readonly #lost = new Set<string>();
  readonly #ending = new AbortController();
  readonly #least = new Map<string, number>();
  #loops: Promise<unknown> = Promise.resolve();
  #ips = 0;
  /** How the container of every job ends. */
  jobsEnd: JobEnd = 'succeeds';

  private constructor(api: KubernetesApi) {
    this.#api = api;
  }

  /** @param onError is told once of what ends its work */
  static async join(api: KubernetesApi, onError: (error: unknown) => void): Promise<Nodes> {
    const nodes = new Nodes(api);
    for (const name of nodeNames) await nodes.#register(name);
    const again = async (everyMs: number, work: () => Promise<void>) => {
      while (!nodes.#ending.signal.aborted) {
        await work();
        await sleep(everyMs, undefined, { signal: nodes.#ending.signal }).catch(() => undefined);
      }
    };
    const loops = [again(heartbeatMs, () => nodes.#beat()), again(roundMs, () => nodes.#look())];
    nodes.#loops = Promise.all(loops).catch((error: unknown) => {
      if (!nodes.#ending.signal.aborted) onError(error);
    });
    return nodes;
  }

  /** Its machine is gone: nobody says anything of it and of its pods any more. */
  lose(node: string): void {
    this.#lost.add(node);
  }

  /** A machine of the same name takes its place. */
  async replace(node: string): Promise<void> {
    await this.#register(node);
    this.#lost.delete(node);
  }

  /** Forgets what `leastServing` remembers. */
  watchAnew(): void {
    this.#least.clear();
  }

  /** The fewest instances of a part that served at a time since `watchAnew`. */
  leastServing(part: string): number {
    return this.#least.get(part) ?? 0;
  }

  async leave(): Promise<void> {
    this.#ending.abort();
    await this.#loops;
  }

  async #register(name: string): Promise<void> {
    const labels = {
      'kubernetes.io/hostname': name,
      'topology.kubernetes.io/zone': zoneOf(name),
      'kubernetes.io/os': 'linux',
    };
    await this.#api.do('POST', '/api/v1/nodes', { metadata: { name, labels } });
    await this.#sayReady(name);
    // A kubelet removes it once its node is ready; here nobody else would.
    await this.#api.do('PATCH', `/api/v1/nodes/${name}`, { spec: { taints: null } });
  }

  async #beat(): Promise<void> {
    await Promise.all(nodeNames.filter((name) => !this.#lost.has(name)).map((name) => this.#sayReady(name)));
  }

  async #sayReady(name: string): Promise<void> {
    const at = now();
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: 'KubeletReady',
      lastHeartbeatTime: at,
      lastTransitionTime: at,
    };
    const capacity = { cpu: '8', memory: '32Gi', pods: '110', 'ephemeral-storage': '200Gi' };
    await this.#api.do('PATCH', `/api/v1/nodes/${name}/status`, {
      status: { conditions: [ready], capacity, allocatable: capacity },
    });
  }

  async #look(): Promise<void> {
    const pods = await this.#api.list('/api/v1/pods', Pod);
    this.#remember(pods);
    const here = pods.filter(({ spec }) => nodeNames.includes(spec.nodeName) && !this.#lost.has(spec.nodeName));
    for (const pod of here) await this.#tend(pod);
  }

  #remember(pods: readonly Pod[]): void {
    const serving = servingByPart(pods);
    for (const [part, count] of serving) this.#least.set(part, Math.min(count, this.#least.get(part) ?? count));
    for (const part of this.#least.keys()) if (!serving.has(part)) this.#least.set(part, 0);
  }

  async #tend(pod: Pod): Promise<void> {
    const { name, namespace } = pod.metadata;
    const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
    const answer = kubeletAnswer(pod, { at: now(), ip: this.#nextIp(), jobsEnd: this.jobsEnd });
    // A pod that is gone meanwhile is not there to be told of.
    if (answer.does === 'report') await this.#api.ask('PATCH', `${path}/status`, { status: answer.status });
    if (answer.does === 'remove')
      await this.#api.ask('DELETE', path, { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } });
  }

  #nextIp(): string {
    this.#ips += 1;
    return `10.1.${Math.floor(this.#ips / 250) % 250}.${(this.#ips % 250) + 1}`;
  }
}

const now = () => `${new Date().toISOString().slice(0, 19)}Z`;
