import { createHash } from 'node:crypto';
import {
  type AppSnapshot,
  DecisionSuperseded,
  EventsReported,
  MoneyMoved,
  PaywallServed,
  PurchaseClaimed,
  PurchaseValidated,
  SubscriptionChanged,
  TransactionObserved,
  type DomainEvent,
} from '@paywright/contracts';
import { toCloudEvent, type OutgoingMessage, type Service } from '@paywright/messaging';
import { appSnapshot, context, issuedAt } from '@paywright/selection-models/testing';

/** A UUID of a name: the same name, the same id. */
export const idOf = (name: string): string =>
  createHash('sha256')
    .update(name)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');

export const catalogSnapshot: AppSnapshot = appSnapshot(1, 4);

const placeOf = (profile: string, chain: string) =>
  ({
    appId: 1,
    chainId: idOf(chain),
    profileId: idOf(profile),
    store: 'app_store',
    environment: 'production',
  }) as const;

/** Events as their services publish them, each stream's in order. */
export class EventLog {
  readonly #versions = new Map<string, number>();

  /** @param at milliseconds behind the beginning */
  message(service: Service, stream: string, at: number, event: DomainEvent): OutgoingMessage {
    const streamVersion = (this.#versions.get(`${service}/${stream}`) ?? 0) + 1;
    this.#versions.set(`${service}/${stream}`, streamVersion);
    const id = idOf(`${service}/${stream}/${streamVersion}`);
    const place = { id, stream, streamVersion, time: issuedAt + at, correlationId: id, causationId: id };
    return toCloudEvent(service, { ...place, ...event }, stream);
  }

  /** The model main drew this paywall for a profile. */
  served(profile: string, decision: string, at: number, paywall: 'calm' | 'bold' = 'calm'): OutgoingMessage {
    const profileId = idOf(profile);
    const candidates = ['calm', 'bold'].map((name, index) => ({
      ...{ paywall: name, paywallId: index + 1, externalId: name, score: 0, probability: 0.5 },
    }));
    const weighed = candidates.map(({ paywall: name }) => {
      return { paywall: name, score: 0, variance: 0.1, probability: 0.5, value: 0.2, propensity: 0.45 };
    });
    const body: PaywallServed['body'] = {
      ...{ decisionId: idOf(decision), placementId: 'onboarding', catalogRevision: 4, appId: 1, profileId },
      ...{ paywall, paywallId: paywall === 'calm' ? 1 : 2, externalId: paywall, isExperiment: true },
      ...{ aiPricingModelId: 1, abTestId: null, target: 'ai_model', modelVersion: 'learned-1:x', candidates },
      path: [{ placementId: 'onboarding', target: 'ai_model', weight: 90 }],
      ...{ probability: 0.5, seed: decision, context, latencyMs: 1, stickyUntil: null, stickyTo: null, fallback: null },
      weighing: {
        ...{ model: 'main', policy: 'learned-1:x', aiWeight: 90, baselineWeight: 10, baselinePaywall: 'calm' },
        ...{ baselinePropensity: 0.55, utcOffsetMinutes: null, candidates: weighed },
      },
    };
    return this.message('selection', profileId, at, PaywallServed.of(body));
  }

  superseded(profile: string, decision: string, at: number): OutgoingMessage {
    const ended = { appId: 1, profileId: idOf(profile), decisionId: idOf(decision), supersededBy: idOf('fallback') };
    return this.message('selection', idOf(profile), at, DecisionSuperseded.of(ended));
  }

  shown(profile: string, decision: string, at: number, paywallId = 1): OutgoingMessage {
    const seen = {
      ...{ eventId: idOf(`${decision}/${at}`), eventType: 'paywall_shown', decisionId: idOf(decision), paywallId },
      ...{ placementId: 'onboarding', aiPricingModelId: 1, abTestId: null, isExperiment: true, foreignToken: false },
      uniqueImpression: true,
    };
    const body = { appId: 1, profileId: idOf(profile), events: [seen] };
    return this.message('impression', idOf(profile), at, EventsReported.of(body));
  }

  /** A chain's first purchase, by its payer, with its money. */
  bought(profile: string, chain: string, at: number, usd = '10'): readonly OutgoingMessage[] {
    const claim = this.#claimed(profile, chain, at, { formerProfileId: null, payerProfileId: idOf(profile) });
    const [observed, paid] = this.#paid(profile, chain, chain, at, usd);
    return [observed!, claim, paid!].map((event) => this.message('purchase', idOf(chain), at, event));
  }

  /** The chain is bought again after it ended, by another profile of its payer's if `payer` is not the profile. */
  boughtAgain(profile: string, chain: string, at: number, payer = profile): readonly OutgoingMessage[] {
    const ids = { formerProfileId: idOf(payer), payerProfileId: idOf(payer) };
    const claims = profile === payer ? [] : [this.#claimed(profile, chain, at, ids)];
    const events = [...claims, ...this.#paid(profile, chain, `${chain} at ${at}`, at, '10')];
    return events.map((event) => this.message('purchase', idOf(chain), at, event));
  }

  /** Another profile's phone reports what the store has told of as bought again, and takes the chain over. */
  reportedAgain(
    profile: string,
    chain: string,
    at: number,
    { payer, boughtAt }: { readonly payer: string; readonly boughtAt: number },
  ): readonly OutgoingMessage[] {
    const report = { transactionId: `${chain} at ${boughtAt}`, source: 'purchasing', origin: null, clientReported: null } as const; // prettier-ignore
    const ids = { formerProfileId: idOf(payer), payerProfileId: idOf(payer) };
    const validated = PurchaseValidated.of({ ...placeOf(profile, chain), ...report });
    const events = [validated, this.#claimed(profile, chain, at, ids)];
    return events.map((event) => this.message('purchase', idOf(chain), at, event));
  }

  #claimed(
    profile: string,
    chain: string,
    at: number,
    ids: Pick<PurchaseClaimed['body'], 'formerProfileId' | 'payerProfileId'>,
  ): PurchaseClaimed {
    const place = placeOf(profile, chain);
    return PurchaseClaimed.of({ ...place, ...ids, by: 'client', claimedAt: issuedAt + at });
  }

  #paid(profile: string, chain: string, transactionId: string, at: number, usd: string): readonly DomainEvent[] {
    const [place, time] = [placeOf(profile, chain), issuedAt + at];
    const transaction: TransactionObserved['body']['transaction'] = {
      ...{ transactionId, kind: 'subscription', productId: 'premium.monthly', basePlanId: null, offerId: null },
      ...{ phase: 'regular', purchasedAt: time, startsAt: time, expiresAt: time + 31 * 86_400_000, price: null },
      ...{ isEstimate: false, isFamilyShared: false, isUpgraded: false },
    };
    return [
      TransactionObserved.of({ ...place, originalTransactionId: chain, observedAt: time, labels: [], transaction }),
      this.#charge(place, transactionId, time, usd),
    ];
  }

  /** The store tells how a subscription stands, and what its next period costs. */
  priced(profile: string, chain: string, at: number, renewalUsd: string): OutgoingMessage {
    const [place, observedAt] = [placeOf(profile, chain), issuedAt + at];
    const subscription: SubscriptionChanged['body']['subscription'] = {
      ...{ status: 'active', productId: 'premium.monthly', basePlanId: null, offerId: null, transactionId: chain },
      ...{ startsAt: observedAt, expiresAt: observedAt + 31 * 86_400_000, graceExpiresAt: null, isOpenEnded: false },
      ...{ willRenew: true, renewsAs: null, unsubscribedAt: null, billingIssueAt: null, cancellationReason: null },
      renewalPrice: { amount: renewalUsd, currency: 'USD' },
    };
    const changed = SubscriptionChanged.of({ ...place, observedAt, subscription, renewalUsd, labels: [] });
    return this.message('purchase', place.chainId, at, changed);
  }

  renewed(profile: string, chain: string, at: number, usd = '10'): OutgoingMessage {
    const place = placeOf(profile, chain);
    return this.message('purchase', place.chainId, at, this.#charge(place, `${chain} again`, issuedAt + at, usd));
  }

  #charge(
    place: Pick<MoneyMoved['body'], 'appId' | 'chainId' | 'profileId' | 'store' | 'environment'>,
    transactionId: string,
    time: number,
    usd: string,
  ): MoneyMoved {
    return MoneyMoved.of({
      ...place,
      ...{ movementId: transactionId, type: 'charge', transactionId, originalTransactionId: transactionId },
      ...{ productId: 'premium.monthly', time, originalTime: time, amount: usd, currency: 'USD', usd, rate: '1' },
      ...{ refundOf: null, isEstimate: false, payerProfileId: place.profileId, origin: null },
    });
  }
}
