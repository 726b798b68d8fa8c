import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { History, Outcome, ProfileHistory } from './history.ts';

export interface LoadTarget {
  /** Base addresses of the gateways that run now; requests take turns. */
  readonly gateways: () => readonly string[];
  readonly secretKey: string;
  readonly placementId: string;
  /** The decision that a token attests. */
  readonly decisionOf: (paywallSessionId: string) => { decisionId: string; paywallId: number };
  /**
   * How long what got no answer is repeated, under one Idempotency-Key, as a careful client does; 0 or left out: it
   * is not.
   */
  readonly repeatMs?: number;
}

interface Answer {
  readonly status: number | 'no answer';
  /** As it came. */
  readonly text: string;
  readonly data: Record<string, unknown>;
}

const requestTimeoutMs = 12_000;

/**
 * Clients that each live the life of one profile after another (create, set attributes, fetch, report) as
 * fast as they are answered, and write down what they were told.
 */
export class Load {
  readonly #target: LoadTarget;
  readonly #history: History;
  readonly #clients: Promise<void>[];
  #running = true;
  #requests = 0;

  constructor(target: LoadTarget, history: History, clients: number) {
    this.#target = target;
    this.#history = history;
    this.#clients = Array.from({ length: clients }, () => this.#live());
  }

  /** Requests answered so far. */
  get requests(): number {
    return this.#requests;
  }

  /** Lets every client finish what it is at. */
  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#clients);
  }

  async #live(): Promise<void> {
    while (this.#running) {
      const profile = await this.#createProfile();
      if (profile === null) continue;
      this.#history.profiles.push(profile);
      for (let round = 0; round < 3 && this.#running; round++) {
        await this.#setAttribute(profile);
        await this.#fetchAndReport(profile);
      }
    }
  }

  async #createProfile(): Promise<ProfileHistory | null> {
    const customerUserId = `user-${randomUUID()}`;
    const body = {
      customerUserId,
      country: 'DE',
      device: 'Pixel 9',
      os: 'Android 15',
      platform: 'android',
    };
    const { status, data } = await this.#write('/profiles', body);
    const outcome = outcomeOf(status);
    if (outcome !== 'acknowledged') {
      this.#history.unacknowledgedCreations.push({ customerUserId, outcome });
      return null;
    }
    return {
      profileId: data['profileId'] as string,
      attributeWrites: [],
      eventBatches: [],
      decisionIds: [],
      unknownFetches: 0,
      shownPaywallIds: new Set(),
      perhapsShownPaywallIds: new Set(),
    };
  }

  async #setAttribute(profile: ProfileHistory): Promise<void> {
    const marker = randomUUID();
    const { status } = await this.#write('/profiles/custom-attributes', {
      profileId: profile.profileId,
      custom: { key: 'step', value: marker },
    });
    profile.attributeWrites.push({ marker, outcome: outcomeOf(status) });
  }

  async #fetchAndReport(profile: ProfileHistory): Promise<void> {
    const { profileId } = profile;
    const fetched = await this.#write('/paywalls', { profileId, placementId: this.#target.placementId });
    if (outcomeOf(fetched.status) !== 'acknowledged') {
      profile.unknownFetches += outcomeOf(fetched.status) === 'unknown' ? 1 : 0;
      return;
    }
    const paywallSessionId = fetched.data['paywallSessionId'] as string;
    const { decisionId, paywallId } = this.#target.decisionOf(paywallSessionId);
    profile.decisionIds.push(decisionId);
    const marker = `mark_${randomUUID().replaceAll('-', '')}`;
    const { status } = await this.#write('/events', [
      { eventType: 'paywall_shown', profileId, paywallSessionId },
      { eventType: marker, profileId, paywallSessionId },
    ]);
    const outcome = outcomeOf(status);
    profile.eventBatches.push({ marker, outcome });
    if (outcome === 'acknowledged') profile.shownPaywallIds.add(paywallId);
    if (outcome === 'unknown') profile.perhapsShownPaywallIds.add(paywallId);
  }

  async #write(path: string, body: unknown): Promise<Answer> {
    const { repeatMs = 0 } = this.#target;
    const idempotencyKey = repeatMs > 0 ? randomUUID() : undefined;
    const end = performance.now() + repeatMs;
    const first = await this.#postOnce(path, body, idempotencyKey);
    if (outcomeOf(first.status) !== 'unknown') return first;
    while (performance.now() < end) {
      const answer = await this.#postOnce(path, body, idempotencyKey);
      if (outcomeOf(answer.status) !== 'acknowledged') continue;
      await this.#askAgain(path, body, idempotencyKey, answer);
      return answer;
    }
    return first; // refused after it was unknown, it may have happened all the same
  }

  /** A client that did not get the answer would ask so. */
  async #askAgain(path: string, body: unknown, idempotencyKey: string | undefined, first: Answer): Promise<void> {
    const again = await this.#postOnce(path, body, idempotencyKey);
    if (outcomeOf(again.status) === 'unknown') return;
    const [given, repeated] = [first, again].map(({ status, text }) => `${status} ${text}`);
    this.#history.answersAgain.push({ request: `${path} ${idempotencyKey}`, first: given!, again: repeated! });
  }

  async #postOnce(path: string, body: unknown, idempotencyKey?: string): Promise<Answer> {
    const { secretKey } = this.#target;
    const gateways = this.#target.gateways();
    const gateway = gateways[this.#requests++ % gateways.length] ?? '';
    const answer = await post(`${gateway}/api/v1/web-api${path}`, body, {
      authorization: secretKey,
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    });
    const { statuses } = this.#history;
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (outcomeOf(answer.status) === 'unknown') await sleep(100);
    return answer;
  }
}

async function post(url: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const text = await response.text();
    const { data } = JSON.parse(text) as { data?: Record<string, unknown> };
    return { status: response.status, text, data: data ?? {} };
  } catch {
    return { status: 'no answer', text: '', data: {} };
  }
}

const outcomeOf = (status: number | 'no answer'): Outcome =>
  status === 'no answer' || status >= 500 ? 'unknown' : status >= 400 ? 'refused' : 'acknowledged';
