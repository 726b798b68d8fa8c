import { describe, expect, it } from '@jest/globals';
import { kubeletAnswer, type KubeletNow } from './kubelet-answer.ts';
import { isServing, Pod, servingByPart } from './pod.ts';

const now: KubeletNow = { at: '2030-01-01T00:00:00Z', ip: '10.1.0.1', jobsEnd: 'succeeds' };

const podOf = (given: { restartPolicy?: string; status?: object; deletionTimestamp?: string } = {}): Pod =>
  Pod.parse({
    metadata: {
      ...{ name: 'paywright-profile-1', namespace: 'paywright', uid: 'one', creationTimestamp: now.at },
      labels: { 'app.kubernetes.io/name': 'profile', 'app.kubernetes.io/version': '0.1.0' },
      ...(given.deletionTimestamp !== undefined && { deletionTimestamp: given.deletionTimestamp }),
    },
    spec: {
      ...{ nodeName: 'zone-a-1', restartPolicy: given.restartPolicy ?? 'Always' },
      containers: [{ name: 'profile', image: 'registry.example/paywright:0.1.0' }],
    },
    ...(given.status && { status: given.status }),
  });

/** The pod as the server has it once the kubelet has said how it is. */
function afterAnswer(pod: Pod, at: KubeletNow): Pod {
  const answer = kubeletAnswer(pod, at);
  if (answer.does !== 'report') throw new Error(`It ${answer.does}s.`);
  return Pod.parse({ ...pod, status: { ...pod.status, ...answer.status } });
}

describe('what a pretended kubelet says', () => {
  it('of a service that is new on its node: that it runs and is ready, once', () => {
    const running = afterAnswer(podOf(), now);
    expect(running.status).toMatchObject({ phase: 'Running', podIP: '10.1.0.1' });
    expect(isServing(running)).toBe(true);
    expect(kubeletAnswer(running, now)).toEqual({ does: 'nothing' });
  });

  it('of a pod that is to end: that it is gone', () => {
    const ending = podOf({ deletionTimestamp: now.at });
    expect(kubeletAnswer(ending, now)).toEqual({ does: 'remove' });
    expect(isServing(Pod.parse({ ...afterAnswer(podOf(), now), metadata: ending.metadata }))).toBe(false);
  });

  it.each([
    ['succeeds', 'Succeeded', 0],
    ['fails', 'Failed', 1],
  ] as const)('of a job that %s: its status, and nothing after it', (jobsEnd, phase, exitCode) => {
    const ended = afterAnswer(podOf({ restartPolicy: 'Never' }), { ...now, jobsEnd });
    expect(ended.status).toMatchObject({ phase, containerStatuses: [{ state: { terminated: { exitCode } } }] });
    expect(isServing(ended)).toBe(false);
    expect(kubeletAnswer(ended, now)).toEqual({ does: 'nothing' });
  });

  it('of a job that hangs: that it runs, until it is told how it ends', () => {
    const hanging = afterAnswer(podOf({ restartPolicy: 'Never' }), { ...now, jobsEnd: 'hangs' });
    expect(hanging.status.phase).toBe('Running');
    expect(kubeletAnswer(hanging, { ...now, jobsEnd: 'hangs' })).toEqual({ does: 'nothing' });
    expect(afterAnswer(hanging, now).status.phase).toBe('Succeeded');
  });
});

it('counts the instances of a service that serve', () => {
  const running = afterAnswer(podOf(), now);
  expect([...servingByPart([running, running, podOf()])]).toEqual([['profile', 2]]);
});
