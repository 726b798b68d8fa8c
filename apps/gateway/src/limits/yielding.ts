import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Metrics } from '@paywright/platform';
import type { FastifyInstance } from 'fastify';
import type { Shed } from './load-shedding.ts';
import type { YieldingPace } from './yielding-pace.ts';

export interface YieldingOptions {
  readonly pace: Pick<YieldingPace, 'rate' | 'beginTogether' | 'waitMs'>;
  readonly metrics: Metrics;
  readonly shed: Shed;
}

/**
 * Has the stores' notifications make way for paywalls: see `YieldingPace`. They wait with their bodies read. Those that begin
 * together do so one a turn of the event loop: verifying a store's signatures takes longer than all else that is done here, and
 * a paywall that comes meanwhile would wait for all of them.
 */
export function installYielding(http: FastifyInstance, { pace, metrics, shed }: YieldingOptions): void {
  const help = 'Notifications a second that are taken at most, so that paywalls do not suffer';
  metrics.gauge('gateway_notification_pace', help, [], () => pace.rate);

  let lastTurn = Promise.resolve();
  const ownTurn = (): Promise<void> => (lastTurn = lastTurn.then(() => nextTurn()));

  http.addHook('preHandler', async (request, reply) => {
    if (request.routeOptions.config.priority !== 'notification') return;
    const waitMs = pace.waitMs(performance.now());
    const { beginTogether } = pace; // as the wait was reckoned: it may be otherwise by its end
    if (waitMs === null) {
      shed(reply, 'notification', 'pace');
      return reply;
    }
    if (waitMs < 1) return undefined;
    await sleep(waitMs);
    if (beginTogether) await ownTurn();
    return undefined;
  });
}
