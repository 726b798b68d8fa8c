import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { freePort, loopback } from '@paywright/deploy/local/free-ports.ts';
import type { Authority } from '../tls/authority.ts';
import type { KubernetesApi } from './kubernetes-api.ts';
import { metricsAnswer, type Load } from './metrics-answer.ts';
import { Pod } from './pod.ts';

/** Stands in for metrics-server and prometheus-adapter: it tells the autoscalers what the trial sets. */
export class MetricsServer {
  readonly #server: Server;
  readonly port: number;
  readonly #lag = new Map<string, number>();
  /** Of each pod: below what any service aims at. */
  #millicores = 1;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async start(api: KubernetesApi, authority: Authority): Promise<MetricsServer> {
    const { certificate: cert, key } = await authority.certify('metrics', [loopback]);
    const port = await freePort();
    const server = createServer({ cert, key }, (request, response) => {
      const url = new URL(request.url ?? '/', 'https://metrics');
      const answer = async () => {
        const labelSelector = url.searchParams.get('labelSelector') ?? '';
        const pods = url.pathname.endsWith('/pods') ? await podsOf(api, url.pathname, labelSelector) : [];
        const at = new Date().toISOString();
        return metricsAnswer({ path: url.pathname, labelSelector, at, pods }, own.load);
      };
      const send = (status: number, body: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      answer().then(
        (body) => (body === null ? send(404, {}) : send(200, body)),
        () => send(500, {}),
      );
    });
    const own = new MetricsServer(server, port);
    server.listen(port, loopback);
    await once(server, 'listening');
    return own;
  }

  get load(): Load {
    return { millicores: this.#millicores, lag: this.#lag };
  }

  /** @param messages by which the group is behind from now on */
  setLag(group: string, messages: number): void {
    this.#lag.set(group, messages);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

async function podsOf(api: KubernetesApi, path: string, labelSelector: string) {
  const [, namespace = ''] = /\/namespaces\/([^/]+)\//.exec(path) ?? [];
  const query = `labelSelector=${encodeURIComponent(labelSelector)}`;
  const pods = await api.list(`/api/v1/namespaces/${namespace}/pods?${query}`, Pod);
  return pods.map(({ metadata, spec }) => ({
    name: metadata.name,
    containers: spec.containers.map(({ name }) => name),
  }));
}

/** Has kube-apiserver pass questions of a group of metrics on to a server of this machine. */
export async function serveMetrics(api: KubernetesApi, group: string, port: number): Promise<void> {
  const service = `${group.split('.')[0]}-metrics`;
  const path = `/api/v1/namespaces/kube-system/services/${service}`;
  const spec = { type: 'ExternalName', externalName: loopback, ports: [{ name: 'https', port }] };
  const there = await api.ask('GET', path);
  if (there.status === 404) {
    await api.do('POST', '/api/v1/namespaces/kube-system/services', { metadata: { name: service }, spec });
    await api.do('POST', '/apis/apiregistration.k8s.io/v1/apiservices', apiService(group, service, port));
  } else {
    await api.do('PATCH', path, { spec });
    await api.do(
      'PATCH',
      `/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.${group}`,
      apiService(group, service, port),
    );
  }
}

const apiService = (group: string, name: string, port: number) => ({
  metadata: { name: `v1beta1.${group}` },
  spec: {
    ...{ group, version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100 },
    service: { name, namespace: 'kube-system', port },
    insecureSkipTLSVerify: true, // its name would be one of the cluster's, which there is no DNS for
  },
});
