import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readYaml } from '@paywright/deploy/helm/chart.ts';
import { freePorts, loopback } from '@paywright/deploy/local/free-ports.ts';
import { becomesReady, startProgram, type ControlPlane, type ControlPlaneOptions } from './control-plane.ts';
import type { Answer, KubernetesApi } from './kubernetes-api.ts';
import { serveMetrics } from './metrics-server.ts';
import type { KedaPrograms } from './programs.ts';
import { until } from './until.ts';

/** Starts KEDA's operator, its server of metrics and its admission webhook beside the control plane. */
export async function startKeda(
  programs: KedaPrograms,
  { api, kubeconfig, authority }: ControlPlane,
  { folder, group, ending }: Omit<ControlPlaneOptions, 'programs'>,
): Promise<Keda> {
  await define(programs.definitions, api, ending);
  await api.do('POST', '/api/v1/namespaces', { metadata: { name: 'keda' } });

  const certificates = join(folder, 'keda');
  mkdirSync(certificates, { mode: 0o700 });
  const { certificate, key } = await authority.certify('keda', [loopback]);
  const files = { 'ca.crt': authority.certificate, 'tls.crt': certificate, 'tls.key': key };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(certificates, name), text, { mode: 0o600 });

  const [grpc, webhook, adapter, adapterMetrics, ...others] = (await freePorts(8)) as [number, number, number, number, ...number[]]; // prettier-ignore
  const env = { KUBECONFIG: kubeconfig, WATCH_NAMESPACE: '', POD_NAMESPACE: 'keda', KEDA_CLUSTER_OBJECT_NAMESPACE: 'keda' }; // prettier-ignore
  const at = (port: number) => `${loopback}:${port}`;
  const run = (name: 'operator' | 'webhooks' | 'adapter', args: readonly string[]) => {
    const all = [`--cert-dir=${certificates}`, ...args];
    return startProgram({ name: `keda-${name}`, program: programs[name], args: all, env, folder, group });
  };
  const probed = ([metrics, health]: readonly number[]) => [`--metrics-bind-address=${at(metrics!)}`, `--health-probe-bind-address=${at(health!)}`]; // prettier-ignore
  const [operatorPorts, webhookPorts] = [others.slice(0, 2), others.slice(2)];
  const operator = run('operator', [`--metrics-service-bind-address=${at(grpc)}`, ...probed(operatorPorts)]);
  await untilReady(operator, operatorPorts[1]!, ending);
  run('adapter', [
    ...[`--bind-address=${loopback}`, `--secure-port=${adapter}`, `--port=${adapterMetrics}`],
    ...[`--tls-cert-file=${join(certificates, 'tls.crt')}`, `--tls-private-key-file=${join(certificates, 'tls.key')}`],
    `--metrics-service-address=${at(grpc)}`,
    ...['authentication', 'authorization', 'lister'].map((what) => `--${what}-kubeconfig=${kubeconfig}`),
  ]);
  await untilReady(run('webhooks', [`--port=${webhook}`, ...probed(webhookPorts)]), webhookPorts[1]!, ending);
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  await api.do('POST', path, webhookOf(webhook, authority.certificate));
  return { answerMetrics: () => serveMetrics(api, 'external.metrics.k8s.io', adapter) };
}

async function untilReady(child: ChildProcess, port: number, ending: AbortSignal): Promise<void> {
  const isReady = () => fetch(`http://${loopback}:${port}/readyz`).then(({ ok }) => ok);
  if (!(await becomesReady(child, isReady, ending)))
    throw new Error(`KEDA did not start: ${child.spawnargs.join(' ')}`);
}

/** Its programs end where they do not find its kinds, which are found some time after they are defined. */
async function define(folder: string, api: KubernetesApi, ending: AbortSignal): Promise<void> {
  for (const name of readdirSync(folder))
    await api.do('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', readYaml(join(folder, name)));
  const found = () => api.ask('GET', '/apis/keda.sh/v1alpha1');
  const isFound = ({ body }: Answer) => JSON.stringify(body).includes('"scaledobjects"');
  const { came } = await until(found, isFound, { seconds: 60, ending });
  if (!came) throw new Error('kube-apiserver does not serve the kinds of KEDA.');
}

export interface Keda {
  /** Lets it answer for the metrics that are none of Kubernetes' own, in place of who did. */
  readonly answerMetrics: () => Promise<void>;
}

/** As KEDA's own; but that one lets through what it cannot ask of, and is reached by a Service. */
const webhookOf = (port: number, authority: string) => ({
  metadata: { name: 'keda-admission' },
  webhooks: [
    {
      ...{ name: 'vscaledobject.kb.io', admissionReviewVersions: ['v1'], sideEffects: 'None', failurePolicy: 'Fail' },
      clientConfig: {
        url: `https://${loopback}:${port}/validate-keda-sh-v1alpha1-scaledobject`,
        caBundle: Buffer.from(authority).toString('base64'),
      },
      rules: [{ apiGroups: ['keda.sh'], apiVersions: ['v1alpha1'], operations: ['CREATE', 'UPDATE'], resources: ['scaledobjects'] }], // prettier-ignore
    },
  ],
});
