import { deriveKey } from '@paywright/platform';
import { SessionTokens } from '@paywright/session-token';
import { acknowledgedWrites, newHistory, type History } from '../faults/history.ts';
import { Load } from '../faults/load.ts';
import { Buying, type Bought } from '../faults/purchases/buying.ts';
import { createApp } from '../faults/purchases/create-app.ts';
import { masterKey } from '../stack/stack.ts';
import type { Arena } from './arena/arena.ts';
import { device, postAsApp } from './post-as-app.ts';
import { Probe, type Attempt } from './probe.ts';

/** What the clients were told, and what the customers bought. */
export interface Acknowledged {
  readonly history: History;
  /** Of the app that sells. */
  readonly appId: number;
  readonly bought: readonly Bought[];
  /** When a paywall came, of one that is asked for all the time; in the milliseconds of `performance.now()`. */
  readonly answeredAt: readonly number[];
  /** All that it was asked for. */
  readonly attempts: readonly Attempt[];
  /** Why a purchase that was begun was never taken; null if all were. */
  readonly notTaken: string | null;
}

/** Everything that was acknowledged: profiles, attributes, decisions, batches of events, months that were paid. */
export const countOf = ({ history, bought }: Acknowledged): number =>
  acknowledgedWrites(history) + bought.reduce((sum, { transactionIds }) => sum + transactionIds.length, 0);

/** A write without an answer is repeated for so long. */
const usualRepeatMs = 20_000;

/** How many work at a time, and for how long a write without an answer is repeated, in milliseconds: 20 s if left out. */
export interface Crowd {
  readonly clients: number;
  readonly customers: number;
  readonly repeatMs?: number;
}
const pauseBetweenPurchasesMs = 300;

/** Clients who write down what they are told, and customers who buy. */
export class Clients {
  readonly history: History;
  readonly #load: Load;
  readonly #buying: Buying;
  readonly #probe: Probe;
  readonly #appId: number;

  private constructor(history: History, load: Load, buying: Buying, probe: Probe, appId: number) {
    this.history = history;
    this.#load = load;
    this.#buying = buying;
    this.#probe = probe;
    this.#appId = appId;
  }

  static async start({ stack, store }: Arena, crowd: Crowd): Promise<Clients> {
    const { clients, customers, repeatMs = usualRepeatMs } = crowd;
    const { appId, secretKey } = await createApp(stack, store.credentials);
    const history = newHistory(stack.app.appId);
    // Asked for each time: a gateway that was started again has another port.
    const gateways = () => stack.gateways;
    const load = new Load(
      { gateways, secretKey: stack.app.secretKey, placementId: 'onboarding', decisionOf, repeatMs },
      history,
      clients,
    );
    const target = { gateways, appId, secretKey, pauseMs: pauseBetweenPurchasesMs };
    const buying = new Buying(target, [store], customers);
    const { profileId } = await postAsApp(stack, '/profiles', device);
    const fetchOne = { profileId, placementId: 'onboarding' };
    const probe = new Probe(gateways, stack.app.secretKey, { path: '/paywalls', body: fetchOne });
    return new Clients(history, load, buying, probe, appId);
  }

  /** Lets everybody finish what they are at. */
  async stop(): Promise<Acknowledged> {
    await Promise.all([this.#load.stop(), this.#probe.stop()]);
    const { answeredAt, attempts } = this.#probe;
    const told = { history: this.history, appId: this.#appId, answeredAt, attempts };
    try {
      return { ...told, bought: await this.#buying.stop(), notTaken: null };
    } catch (error) {
      return { ...told, bought: this.#buying.bought, notTaken: error instanceof Error ? error.message : String(error) };
    }
  }
}

const tokens = new SessionTokens([{ id: 1, secret: deriveKey(masterKey, 'session-token') }]);

function decisionOf(paywallSessionId: string): { decisionId: string; paywallId: number } {
  const verification = tokens.verify(paywallSessionId);
  if (!verification.ok) throw new Error(`The gateway gave a token that does not verify: ${verification.fault}`);
  return verification.claims;
}
