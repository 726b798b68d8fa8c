/** What servers of metrics say of the release: how busy its pods are, and how far its groups are behind. */
export interface Load {
  /** Thousandths of a processor that each pod takes. */
  readonly millicores: number;
  /** Messages, by the group's name; 0 if it is not in it. */
  readonly lag: ReadonlyMap<string, number>;
}

export interface MetricsQuestion {
  /** Such as `/apis/metrics.k8s.io/v1beta1/namespaces/paywright/pods`. */
  readonly path: string;
  readonly labelSelector: string;
  /** ISO 8601 */
  readonly at: string;
  /** The pods that the selector chooses. */
  readonly pods: readonly { readonly name: string; readonly containers: readonly string[] }[];
}

const [resources, external] = ['metrics.k8s.io/v1beta1', 'external.metrics.k8s.io/v1beta1'];

/** The answer of metrics-server, or of an adapter such as prometheus-adapter; null if there is no such address. */
export function metricsAnswer({ path, labelSelector, at, pods }: MetricsQuestion, load: Load): object | null {
  if (path === `/apis/${resources}` || path === `/apis/${external}`) {
    const groupVersion = path.slice('/apis/'.length);
    return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: [] };
  }
  if (new RegExp(`^/apis/${resources}/namespaces/[^/]+/pods$`).test(path)) {
    const usage = { cpu: `${load.millicores}m`, memory: '128Mi' };
    const items = pods.map(({ name, containers }) => ({
      ...{ metadata: { name }, timestamp: at, window: '10s' },
      containers: containers.map((container) => ({ name: container, usage })),
    }));
    return { kind: 'PodMetricsList', apiVersion: resources, metadata: {}, items };
  }
  if (new RegExp(`^/apis/${external}/namespaces/[^/]+/messaging_lag$`).test(path)) {
    const [, group = ''] = /(?:^|,)group=([^,]+)/.exec(labelSelector) ?? [];
    const value = String(load.lag.get(group) ?? 0);
    const item = { metricName: 'messaging_lag', metricLabels: { group }, timestamp: at, value };
    return { kind: 'ExternalMetricValueList', apiVersion: external, metadata: {}, items: [item] };
  }
  return null;
}
