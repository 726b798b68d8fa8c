import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { chartFolder } from '@paywright/deploy/helm/chart.ts';
import { z } from 'zod';
import type { KubernetesApi } from './kubernetes-api.ts';
import { partOf, Pod } from './pod.ts';

export const namespace = 'paywright';
const name = 'paywright';
const values = join(import.meta.dirname, 'values.yaml');

export interface HelmOutcome {
  readonly ok: boolean;
  readonly printed: string;
  readonly seconds: number;
}

export interface ReleaseOptions {
  readonly api: KubernetesApi;
  readonly helm: string;
  readonly kubeconfig: string;
  /** host:port; the projection's group is there. */
  readonly brokers: string;
  /** Ends Helm with the command. */
  readonly ending: AbortSignal;
}

/** The chart, installed by Helm as docs/kubernetes.md says. */
export class Release {
  readonly #options: ReleaseOptions;

  constructor(options: ReleaseOptions) {
    this.#options = options;
  }

  install(): Promise<HelmOutcome> {
    return this.#helm(['install', name, chartFolder, ...this.#values([]), '--wait', '--timeout', '5m']);
  }

  /** @param settings `path=value`, as of --set; what was given before counts no more */
  upgrade(settings: readonly string[], timeout = '5m'): Promise<HelmOutcome> {
    return this.#helm(this.#upgradeArguments(settings, timeout));
  }

  /** Starts an upgrade, and kills Helm at the moment that `when` waits for. */
  async cutOffUpgrade(settings: readonly string[], when: () => Promise<unknown>): Promise<void> {
    const cut = new AbortController();
    const outcome = this.#helm(this.#upgradeArguments(settings, '5m'), cut.signal);
    await when();
    cut.abort();
    await outcome;
  }

  rollback(revision: number): Promise<HelmOutcome> {
    return this.#helm(['rollback', name, String(revision), '--wait', '--timeout', '5m']);
  }

  uninstall(): Promise<HelmOutcome> {
    return this.#helm(['uninstall', name, '--wait', '--timeout', '5m']);
  }

  /** The status of each revision, the newest last. */
  async history(): Promise<readonly { readonly revision: number; readonly status: string }[]> {
    const { printed } = await this.#helm(['history', name, '--output', 'json']);
    return z.array(z.object({ revision: z.number(), status: z.string() })).parse(JSON.parse(printed));
  }

  /** Those of its services; without those that ended, and the jobs'. */
  async pods(): Promise<readonly Pod[]> {
    const all = await this.#options.api.list(`/api/v1/namespaces/${namespace}/pods`, Pod);
    return all.filter((pod) => pod.spec.restartPolicy === 'Always' && partOf(pod) !== '');
  }

  async jobPods(): Promise<readonly Pod[]> {
    const all = await this.#options.api.list(`/api/v1/namespaces/${namespace}/pods`, Pod);
    return all.filter((pod) => pod.spec.restartPolicy === 'Never');
  }

  #upgradeArguments(settings: readonly string[], timeout: string): readonly string[] {
    return ['upgrade', name, chartFolder, ...this.#values(settings), '--wait', '--timeout', timeout];
  }

  #values(settings: readonly string[]): readonly string[] {
    const all = [`kafka.brokers[0]=${this.#options.brokers}`, 'kafka.tls.enabled=false', ...settings];
    return ['--values', values, ...all.flatMap((setting) => ['--set', setting])];
  }

  async #helm(args: readonly string[], cut?: AbortSignal): Promise<HelmOutcome> {
    const { helm, kubeconfig, ending } = this.#options;
    const began = performance.now();
    const signal = cut === undefined ? ending : AbortSignal.any([ending, cut]);
    const child = spawn(helm, [...args, '--namespace', namespace, '--kubeconfig', kubeconfig], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // Ctrl-C is for the command
      signal,
      killSignal: 'SIGKILL',
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const { promise, resolve, reject } = Promise.withResolvers<number | null>();
    child.once('error', (error) => (signal.aborted ? resolve(null) : reject(error)));
    child.once('close', resolve);
    const status = await promise;
    ending.throwIfAborted();
    return { ok: status === 0, printed: printed.trim(), seconds: Math.round((performance.now() - began) / 100) / 10 };
  }
}
