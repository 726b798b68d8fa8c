import { type Store, stores } from '@paywright/contracts';
import { type Metrics, noTracer, tracedPart, type Tracer } from '@paywright/platform';
import { StoreFault } from '@paywright/stores';
import {
  bulkhead,
  type BulkheadPolicy,
  circuitBreaker,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  handleWhen,
  isBrokenCircuitError,
  isBulkheadRejectedError,
} from 'cockatiel';
import { LRUCache } from 'lru-cache';

/** How many questions of an app a store is asked at a time. */
export const askedAtATime = 16;
/** The same, and how many wait. */
const perApp = { atATime: askedAtATime, waiting: 64 };
/** The same for all apps together: below what the service handles at a time, so that a store never takes it all. */
const perStore = { atATime: 256, waiting: 256 };
/** Questions in a row that a store leaves unanswered before it is left alone, and for how long. */
const patience = 5;
const restMs = 5_000;
/** As long as a store that is well needs at most: with less, what waited elsewhere would pass for its silence. */
const fairMs = 2_000;
const keptGates = 4_000;
/** An app may ask seldom: as long as this it counts as unanswered by what it asked last. */
const tellsForMs = 3_600_000;

/** What asks the stores: requests, for which somebody waits, and what is done of our own accord. */
export type Asker = 'requests' | 'look-ups';

export interface Asks {
  readonly appId: number;
  readonly store: Store;
  /** Requests if left out. */
  readonly asker?: Asker;
}

interface Gate {
  readonly appId: number;
  readonly store: Store;
  readonly bulkhead: BulkheadPolicy;
  circuit: CircuitBreakerPolicy;
  /** When questions in a row were last found unanswered, and when one was last answered: by the guard's time. */
  silentAt: number;
  answeredAt: number;
}

/** Who asks is told nothing else than of a silent store. */
class HadNoTime extends StoreFault {}

const isSilence = (error: unknown): error is StoreFault => error instanceof StoreFault && error.kind === 'unavailable';

/**
 * Keeps a store that hangs from costing anything but itself: of each store, and of each app at it, only so much is
 * asked at a time, and one that leaves several questions in a row unanswered is asked nothing for a moment, if it had
 * time to answer them. A key that the store refuses is such silence too, of that app alone. Look-ups have a gate of their
 * own, so that what a store does not answer them closes it to nobody who waits.
 */
export class StoreGuard {
  readonly #stores = new Map<string, BulkheadPolicy>();
  readonly #gates = new LRUCache<string, Gate>({ max: keptGates });
  readonly #seconds;
  readonly #tracer: Tracer;
  readonly #time: () => number;

  /** @param time milliseconds that only grow */
  constructor(metrics: Metrics, tracer: Tracer = noTracer, time = () => performance.now()) {
    this.#tracer = tracer;
    this.#time = time;
    const help =
      'Apps of which a store left the newest questions unanswered, five in a row or more, within the last hour';
    for (const store of stores) metrics.reading('store_circuits_open', help, { store }, () => this.#unanswered(store));
    this.#seconds = metrics.histogram('store_seconds', 'Time until a store answered a question', ['store', 'answer']);
  }

  /**
   * @param deadlineMs for all of the question, the wait for its turn included
   * @throws StoreFault: the question's own, or 'unavailable' if the store is not to be asked now
   */
  async ask<T>(
    { appId, store, asker = 'requests' }: Asks,
    deadlineMs: number,
    question: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const time = { signal: AbortSignal.timeout(deadlineMs), endsAt: performance.now() + deadlineMs };
    const gate = this.#gateOf({ appId, store, asker });
    const stop = this.#seconds.startTimer({ store });
    try {
      // The app's turn comes first: what waits for it takes no place from other apps.
      const answer = await gate.bulkhead.execute(() =>
        this.#storeOf(`${asker}/${store}`).execute(() =>
          gate.circuit.execute(() => this.#told(store, () => inTime(question, time))),
        ),
      );
      stop({ answer: 'yes' });
      gate.answeredAt = this.#time();
      return answer;
    } catch (error) {
      const fault = asFault(error);
      stop({ answer: fault.kind });
      if (!isSilence(fault)) gate.answeredAt = this.#time();
      throw fault;
    }
  }

  /** Of recorded traces: that the store was asked, and whether it answered; nothing of what. */
  #told<T>(store: Store, question: () => Promise<T>): Promise<T> {
    const span = { kind: 'client', attributes: { 'peer.service': store } } as const;
    return tracedPart(this.#tracer, `ask ${store}`, span, question);
  }

  /** Not by who is left alone at present: that lasts seconds, and of an app that asks each minute would hardly ever show. */
  #unanswered(store: Store): number {
    const newest = new Map<number, { silentAt: number; answeredAt: number }>();
    for (const gate of this.#gates.values()) {
      if (gate.store !== store) continue;
      const { silentAt, answeredAt } = newest.get(gate.appId) ?? gate;
      newest.set(gate.appId, {
        silentAt: Math.max(silentAt, gate.silentAt),
        answeredAt: Math.max(answeredAt, gate.answeredAt),
      });
    }
    const from = this.#time() - tellsForMs;
    return [...newest.values()].filter(({ silentAt, answeredAt }) => silentAt > Math.max(answeredAt, from)).length;
  }

  #storeOf(name: string): BulkheadPolicy {
    const known = this.#stores.get(name) ?? bulkhead(perStore.atATime, perStore.waiting);
    this.#stores.set(name, known);
    return known;
  }

  #gateOf({ appId, store, asker }: Required<Asks>): Gate {
    const name = `${asker}/${appId}/${store}`;
    const gate = this.#gates.get(name) ?? newGate(appId, store, this.#time);
    this.#gates.set(name, gate);
    // cockatiel's rest goes by the machine's clock, and would last as long as that was set back.
    const hasRested = this.#time() - gate.silentAt >= restMs;
    if (gate.circuit.state === CircuitState.Open && hasRested) gate.circuit = circuitOf(gate, this.#time, rested);
    return gate;
  }
}

function newGate(appId: number, store: Store, time: () => number): Gate {
  const turns = bulkhead(perApp.atATime, perApp.waiting);
  const gate = { appId, store, bulkhead: turns, silentAt: -Infinity, answeredAt: -Infinity };
  return Object.assign(gate, { circuit: circuitOf(gate, time) });
}

/** As cockatiel writes a circuit down: open since long ago, so that the next question is tried. */
const rested = { ownState: { value: CircuitState.Open, openedAt: 0, attemptNo: 1 }, breakerState: patience };

function circuitOf(gate: Pick<Gate, 'silentAt'>, time: () => number, initialState?: typeof rested) {
  // That the one question behind a rest had no time does not show that the store is well.
  const isHeldAgainst = (error: unknown) =>
    isSilence(error) && (!(error instanceof HadNoTime) || circuit.state === CircuitState.HalfOpen);
  const circuit: CircuitBreakerPolicy = circuitBreaker(handleWhen(isHeldAgainst), {
    halfOpenAfter: restMs,
    breaker: new ConsecutiveBreaker(patience),
    initialState,
  });
  circuit.onBreak(() => (gate.silentAt = time()));
  return circuit;
}

/** `endsAt` by `performance.now()`. */
interface Time {
  readonly signal: AbortSignal;
  readonly endsAt: number;
}

async function inTime<T>(question: (signal: AbortSignal) => Promise<T>, { signal, endsAt }: Time): Promise<T> {
  if (signal.aborted) throw new HadNoTime('unavailable', 'The store was too busy to be asked in time.');
  const isFair = endsAt - performance.now() >= fairMs;
  try {
    return await question(signal);
  } catch (error) {
    if (isFair || !signal.aborted || !isSilence(error)) throw error;
    throw new HadNoTime(error.kind, error.message, error.restMs);
  }
}

/** @throws what is no fault of a store, as it came */
function asFault(error: unknown): StoreFault {
  if (error instanceof StoreFault) return error;
  if (isBrokenCircuitError(error)) return new StoreFault('unavailable', 'The store has not answered for a while.');
  if (isBulkheadRejectedError(error)) return new StoreFault('unavailable', 'Too many questions wait for the store.');
  throw error;
}
