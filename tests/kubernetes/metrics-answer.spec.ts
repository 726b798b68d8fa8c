import { expect, it } from '@jest/globals';
import { metricsAnswer, type MetricsQuestion } from './metrics-answer.ts';

const load = { millicores: 5, lag: new Map([['projection', 9_500]]) };
const asked = (path: string, labelSelector = ''): MetricsQuestion => ({
  ...{ path, labelSelector, at: '2030-01-01T00:00:00.000Z' },
  pods: [{ name: 'paywright-projection-1', containers: ['projection'] }],
});
const lagOf = (labelSelector: string) =>
  metricsAnswer(asked('/apis/external.metrics.k8s.io/v1beta1/namespaces/paywright/messaging_lag', labelSelector), load);

it('tells how far the group of the selector is behind', () => {
  expect(lagOf('group=projection')).toMatchObject({
    items: [{ value: '9500', metricLabels: { group: 'projection' } }],
  });
  expect(lagOf('group=profile')).toMatchObject({ items: [{ value: '0' }] });
});

it('tells how busy each container is', () => {
  expect(metricsAnswer(asked('/apis/metrics.k8s.io/v1beta1/namespaces/paywright/pods'), load)).toMatchObject({
    items: [
      {
        metadata: { name: 'paywright-projection-1' },
        containers: [{ name: 'projection', usage: { cpu: '5m' } }],
      },
    ],
  });
});

it('says that it is there, and knows no other address', () => {
  expect(metricsAnswer(asked('/apis/external.metrics.k8s.io/v1beta1'), load)).toMatchObject({
    groupVersion: 'external.metrics.k8s.io/v1beta1',
  });
  expect(metricsAnswer(asked('/apis/external.metrics.k8s.io/v1beta1/namespaces/paywright/other'), load)).toBeNull();
});
