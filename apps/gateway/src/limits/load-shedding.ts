import type { Metrics } from '@paywright/platform';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { serviceOverloaded } from '../http/api-error.ts';
import { errorEnvelope } from '../http/error-answer.ts';
import type { LoadGate } from './load-gate.ts';
import type { Priority } from './load-limit.ts';
import { watchLoopLag } from './loop-lag.ts';
import { priorityOf } from './measured-work.ts';

/** Whoever can keep what they send should come back later than a user who waits. */
const retryAfterSeconds: Readonly<Record<Priority, string>> = {
  paywall: '1',
  purchase: '1',
  write: '1',
  notification: '5',
  bulk: '5',
  report: '5',
};

/** Written once: that it costs little is what a refusal is for. */
const refusalBody = JSON.stringify(errorEnvelope(serviceOverloaded()));

/** Answers 503 and counts it. Nothing of the request's body has been read. */
export type Shed = (reply: FastifyReply, priority: Priority, reason: string) => void;

export function shedding(metrics: Metrics): Shed {
  const help = 'Requests answered 503 before any work was done, by reason and priority';
  const counted = metrics.counter('gateway_shed_total', help, ['reason', 'priority']);
  return (reply, priority, reason) => {
    counted.inc({ reason, priority });
    void reply.code(503).header('retry-after', retryAfterSeconds[priority]);
    void reply.type('application/json; charset=utf-8').send(refusalBody);
  };
}

/**
 * Refuses with 503, before the caller is recognised and before a byte of the body is read, what would not be borne. A
 * request takes its place once its body is there, so that nobody holds places by sending slowly: see `measureWork`.
 */
export function installLoadShedding(
  http: FastifyInstance,
  { gate, metrics, shed }: { gate: LoadGate; metrics: Metrics; shed: Shed },
): void {
  const workBegins = watchLoopLag(gate);
  metrics.gauge(
    'gateway_requests_at_work',
    'Requests whose body is there and whose answer is not',
    [],
    () => gate.inFlight,
  );
  metrics.gauge('gateway_load_limit', 'Requests that are taken on at a time, at present', [], () => gate.limit);

  http.addHook('onRequest', (request, reply, done) => {
    if (request.is404) return done();
    const priority = priorityOf(request);
    const reason = gate.refusal(priority);
    if (reason === null) return done();
    shed(reply, priority, reason);
  });

  // Asked again: of a pipeline, or of bodies that came slowly, many begin their work at one time.
  http.addHook('preValidation', (request, reply, done) => {
    const priority = priorityOf(request);
    const reason = gate.refusal(priority);
    if (reason !== null) return shed(reply, priority, reason);
    workBegins();
    done();
  });
}
