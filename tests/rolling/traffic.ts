import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { deriveKey } from '@paywright/platform';
import { SessionTokens } from '@paywright/session-token';
import type { FaultyAppStore } from '../faults/purchases/app-store.ts';
import type { Bought } from '../faults/purchases/buying.ts';
import { newHistory, type History, type Outcome, type ProfileHistory } from '../faults/history.ts';
import { masterKey } from '../stack/stack.ts';
import type { Client } from './client.ts';

interface App {
  readonly appId: number;
  readonly secretKey: string;
}

export interface TrafficOptions {
  readonly client: Client;
  readonly app: App;
  readonly seller: App;
  readonly store: FaultyAppStore;
  readonly perSecond: number;
}

const users = 60;
/** What comes in turn: of twenty requests, one is a purchase. */
const mix = 'fffaefffefafffefvfae';
const webApi = '/api/v1/web-api';
const device = { country: 'DE', device: 'Pixel 9', os: 'Android 15', platform: 'android' };

interface User {
  readonly profile: ProfileHistory;
  shown: { readonly paywallSessionId: string; readonly paywallId: number } | null;
}

/** Users at a steady rate, whatever becomes of the request before: paywalls, attributes, events, purchases. */
export class Traffic {
  readonly history: History;
  readonly bought: Bought[] = [];
  readonly #options: TrafficOptions;
  readonly #idle: User[] = [];
  readonly #going: Promise<void>;
  readonly #atWork = new Set<Promise<void>>();
  #stopped = false;

  /** Begins at once; the first requests create the users. */
  constructor(options: TrafficOptions) {
    this.#options = options;
    this.history = newHistory(options.app.appId);
    this.#going = this.#go();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#going;
    await Promise.all(this.#atWork);
  }

  async #go(): Promise<void> {
    const start = performance.now();
    const { perSecond } = this.#options;
    for (let turn = 0; !this.#stopped; turn++) {
      const dueAt = start + (turn * 1_000) / perSecond;
      await sleep(Math.max(0, dueAt - performance.now()));
      const work = this.#act(mix[turn % mix.length] ?? 'f', dueAt);
      this.#atWork.add(work);
      void work.finally(() => this.#atWork.delete(work));
    }
  }

  async #act(kind: string, dueAt: number): Promise<void> {
    if (kind === 'v') return this.#buy(dueAt);
    const user = this.history.profiles.length < users ? undefined : this.#idle.shift();
    if (user === undefined) return this.#arrive(dueAt);
    if (kind === 'a') await this.#setAttribute(user, dueAt);
    else if (kind === 'e' && user.shown) await this.#report(user, user.shown, dueAt);
    else await this.#fetch(user, dueAt);
    this.#idle.push(user);
  }

  async #arrive(dueAt: number): Promise<void> {
    const { ok, data } = await this.#post('/profiles', device, dueAt);
    if (!ok) return;
    const lists = { attributeWrites: [], eventBatches: [], decisionIds: [], unknownFetches: 0 };
    const sets = { shownPaywallIds: new Set<number>(), perhapsShownPaywallIds: new Set<number>() };
    const profile = { profileId: String(data['profileId']), ...lists, ...sets };
    this.history.profiles.push(profile);
    this.#idle.push({ profile, shown: null });
  }

  async #setAttribute({ profile }: User, dueAt: number): Promise<void> {
    const marker = randomUUID();
    const custom = { key: 'step', value: marker };
    const { ok } = await this.#post('/profiles/custom-attributes', { profileId: profile.profileId, custom }, dueAt);
    profile.attributeWrites.push({ marker, outcome: outcomeOf(ok) });
  }

  async #fetch(user: User, dueAt: number): Promise<void> {
    const { profileId } = user.profile;
    const wanted = { profileId, placementId: 'onboarding' };
    const { ok, repeats, data } = await this.#post('/paywalls', wanted, dueAt);
    user.profile.unknownFetches += ok ? repeats : repeats + 1;
    if (!ok) return;
    const paywallSessionId = String(data['paywallSessionId']);
    const { decisionId, paywallId } = claimsOf(paywallSessionId);
    user.profile.decisionIds.push(decisionId);
    user.shown = { paywallSessionId, paywallId };
  }

  async #report({ profile }: User, { paywallSessionId, paywallId }: NonNullable<User['shown']>, dueAt: number) {
    const marker = `mark_${randomUUID().replaceAll('-', '')}`;
    const event = { profileId: profile.profileId, paywallSessionId };
    const batch = ['paywall_shown', marker].map((eventType) => ({ eventType, ...event }));
    const { ok } = await this.#post('/events', batch, dueAt);
    profile.eventBatches.push({ marker, outcome: outcomeOf(ok) });
    (ok ? profile.shownPaywallIds : profile.perhapsShownPaywallIds).add(paywallId);
  }

  async #buy(dueAt: number): Promise<void> {
    const { seller, store } = this.#options;
    const { ok, data } = await this.#post('/profiles', { ...device, platform: 'ios' }, dueAt, seller);
    if (!ok) return;
    const { transactionId, originalTransactionId, productId } = store.sell();
    const profileId = String(data['profileId']);
    const claim = { profileId, transactionId, originalTransactionId, productId };
    const validated = await this.#post('/purchases/apple-store/validate', claim, performance.now(), seller);
    if (validated.ok) this.bought.push({ profileId, transactionIds: [transactionId] });
  }

  #post(path: string, body: unknown, dueAt: number, { secretKey }: App = this.#options.app) {
    return this.#options.client.post(`${webApi}${path}`, body, { authorization: secretKey }, dueAt);
  }
}

const outcomeOf = (ok: boolean): Outcome => (ok ? 'acknowledged' : 'unknown');

const tokens = new SessionTokens([{ id: 1, secret: deriveKey(masterKey, 'session-token') }]);

function claimsOf(paywallSessionId: string): { decisionId: string; paywallId: number } {
  const verification = tokens.verify(paywallSessionId);
  if (!verification.ok) throw new Error(`The gateway gave a token that does not verify: ${verification.fault}`);
  return verification.claims;
}
