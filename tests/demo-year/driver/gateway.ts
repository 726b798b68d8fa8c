import { setTimeout as delay } from 'node:timers/promises';
import { Admin, App } from '../../conformance/clients.ts';
import type { Answer } from '../../conformance/http.ts';
import type { LedgerRow, ProfileAnswer } from '../compare/answers.ts';
import type { ProductAddresses } from './find-product.ts';

/** A paywall as an app keeps it: what it must echo with the purchase. */
export interface FetchedPaywall {
  readonly id: number;
  readonly isExperiment: boolean;
  readonly aiPricingModelId: number | null;
  readonly paywallSessionId: string;
}

export interface DecisionOutcome {
  readonly conversions: number;
  /** Decimal text. */
  readonly revenueUsd: string;
}

const maxTries = 8;

/** What the contract calls safe to repeat: the product could not take it in time. A store's silence is not meant. */
const isPassing = ({ status, body }: Answer): boolean =>
  status === 429 || (status === 503 && body?.code !== 'STORE_UNAVAILABLE');

async function patiently(call: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await call();
    if (!isPassing(answer) || tries === maxTries) return answer;
    await delay(1_000 * Number(answer.headers['retry-after'] ?? 1));
  }
}

function dataOf<Data>({ status, text, body }: Answer, what: string): Data {
  if (status < 200 || status > 299) throw new Error(`${what}: ${status} ${text}`);
  return body.data;
}

/** The product as an app and its operator use it. */
export class Gateway {
  readonly #app: App;
  readonly #admin: Admin;
  readonly #appPath: string;

  constructor({ gateway, adminToken }: ProductAddresses, app: { appId: number; secretKey: string }) {
    this.#app = new App(gateway, app.secretKey);
    this.#admin = new Admin(gateway, adminToken);
    this.#appPath = `/apps/${app.appId}`;
  }

  async createProfile(customerUserId: string, country: string): Promise<string> {
    const body = { customerUserId, country, device: 'iPhone17,1', os: 'iOS 26.0', platform: 'ios' };
    const answer = await patiently(() => this.#app.v1('/profiles', body));
    return dataOf<ProfileAnswer>(answer, 'profile').profileId;
  }

  /** Fetches a paywall and reports that it was seen. */
  async showPaywall(profileId: string, placementId: string): Promise<FetchedPaywall> {
    const answer = await patiently(() => this.#app.v1('/paywalls', { profileId, placementId }));
    const paywall = dataOf<FetchedPaywall>(answer, 'paywall');
    const { paywallSessionId } = paywall;
    const shown = [{ eventType: 'paywall_shown', profileId, paywallSessionId }];
    dataOf(await patiently(() => this.#app.v1('/events', shown)), 'paywall_shown');
    return paywall;
  }

  /** @returns false if the store did not answer: the app tries again later */
  async validate(vendor: 'apple-store' | 'play-store', body: object): Promise<boolean> {
    const answer = await patiently(() => this.#app.v1(`/purchases/${vendor}/validate`, body));
    if (answer.status === 503) return false;
    dataOf(answer, 'validate');
    return true;
  }

  async profile(profileId: string): Promise<ProfileAnswer> {
    return dataOf(await patiently(() => this.#admin.get(`${this.#appPath}/profiles/${profileId}`)), 'profile');
  }

  async ledger(profileId: string): Promise<readonly LedgerRow[]> {
    const rows: LedgerRow[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = `?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const path = `${this.#appPath}/profiles/${profileId}/ledger${query}`;
      const answer = await patiently(() => this.#admin.get(path));
      rows.push(...dataOf<LedgerRow[]>(answer, 'ledger'));
      cursor = answer.body.nextCursor;
    }
    return rows;
  }

  async outcomeOf(decisionId: string): Promise<DecisionOutcome> {
    const answer = await patiently(() => this.#admin.get(`${this.#appPath}/decisions/${decisionId}`));
    return dataOf<{ outcome: DecisionOutcome }>(answer, 'decision').outcome;
  }
}
