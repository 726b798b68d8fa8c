import { EndedEarly } from '@paywright/deploy/local/service.ts';
import type { FailpointName } from '@paywright/messaging';
import { lacksNothing, type Nemesis } from '../nemesis.ts';
import { serviceOf } from './services.ts';

const patienceMs = 15_000;

const points: readonly `${string}:${FailpointName}`[] = [
  ...(['profile', 'selection', 'impression', 'purchase-validation'] as const).flatMap(
    (service) => [`${service}:after_append`, `${service}:after_publish`] as const,
  ),
  'purchase-validation:after_answer',
  'projection:after_projection_commit',
];

export const crashAtAPoint: Nemesis = {
  name: 'crash-at-a-point',
  fault: 'N1',
  about: 'a service dies exactly behind its append, its publication, its commit, or a store’s answer',
  targets: points,
  lastsMs: [0, 0],
  recoversMs: 6_000,
  lacks: lacksNothing,
  async strike({ stack }, { target }) {
    const [name = '', failpoint] = target.split(':');
    const service = serviceOf(name);
    try {
      await stack.restartService(service, { FAILPOINT: failpoint });
      const dying = stack.processOf(service);
      const timer = setTimeout(() => dying?.kill('SIGKILL'), patienceMs); // nothing came its way
      await stack.serviceDeath(service);
      clearTimeout(timer);
    } catch (error) {
      // What waited for it brought it to the point before it was ready.
      if (!(error instanceof EndedEarly) || error.signal !== 'SIGKILL') throw error;
    }
    await stack.startService(service);
  },
};
