import type { Observation, Store, ValidatePurchase } from '@paywright/contracts';
import { type Chain, chainIdOf, costsSomething } from '@paywright/purchases';
import type { Clock, Logger } from '@paywright/platform';
import type { PurchaseQueries } from '@paywright/read-model';
import type { StoreAccess } from '@paywright/store-credentials';
import {
  type AppStore,
  type FoundPlayPurchase,
  type PlayLookUp,
  type PlayObservation,
  type PlayStore,
  StoreFault,
  type StripeStore,
} from '@paywright/stores';
import { type LookUpSubject, unsettledOf } from '../look-ups/look-up-subject.ts';
import { nextLookAtUnsettled } from '../look-ups/next-look.ts';
import type { Answer } from './answer.ts';
import type { AppSettingsBook } from './app-settings.ts';
import { missedOrders, renewedOrders, replacedOrders, wasPaidBefore } from './missed-orders.ts';
import type { PlayChains } from './play-chains.ts';
import type { Asker, StoreGuard } from './store-guard.ts';

export interface StoreQuestionsOptions {
  readonly access: Pick<StoreAccess, 'appStore' | 'playStore' | 'stripe' | 'isLocked'>;
  readonly apps: AppSettingsBook;
  readonly guard: StoreGuard;
  readonly playChains: PlayChains;
  /** What is known of chains by now. */
  readonly purchases: Pick<PurchaseQueries, 'findChain'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A purchase as a client claims it; of Play its token in the clear. */
export type Claimed =
  | Extract<ValidatePurchase['body']['purchase'], { store: 'app_store' }>
  | {
      readonly store: 'play_store';
      readonly purchaseToken: string;
      readonly productId: string;
      readonly kind: 'subscription' | 'one_time' | null;
    };

type PlaySubject = Extract<LookUpSubject, { store: 'play_store' }>;

/** For the sake of which order a Play purchase is asked for, and whether Google said that its money goes back. */
type AskedOrder = Pick<PlaySubject, 'orderId' | 'isVoided' | 'isVoidedWhole' | 'isOnItsWayBack'>;

/** Asks the stores, each about its own chains. */
export class StoreQuestions {
  readonly #options: StoreQuestionsOptions;

  constructor(options: StoreQuestionsOptions) {
    this.#options = options;
  }

  /**
   * What the store says of a purchase that a client claims, bound to what it claims.
   * @throws StoreFault; see AppStore.validate and PlayStore.validate
   */
  claimed(appId: number, claimed: Claimed, deadlineMs: number): Promise<Answer> {
    return this.#options.guard.ask({ appId, store: claimed.store }, deadlineMs, (signal) =>
      claimed.store === 'app_store'
        ? this.#claimedInAppStore(appId, claimed, signal)
        : this.#claimedOnPlay(appId, claimed, signal),
    );
  }

  /**
   * How a chain stands now.
   * @returns null if the store keeps it no longer, or it is nothing that was bought
   * @throws StoreFault 'not-found', 'bundle-mismatch', 'not-configured', 'pending', 'unavailable'
   */
  about(appId: number, subject: LookUpSubject, deadlineMs: number, asker?: Asker): Promise<Answer | null> {
    return this.#options.guard.ask({ appId, store: subject.store, ...(asker && { asker }) }, deadlineMs, (signal) => {
      switch (subject.store) {
        case 'app_store':
          return this.#aboutInAppStore(appId, subject, signal);
        case 'play_store':
          return this.#aboutOnPlay(appId, subject, signal);
        case 'stripe':
          return this.#aboutAtStripe(appId, subject, signal);
      }
    });
  }

  async #claimedInAppStore(
    appId: number,
    { environment, isSubscription, ...claimed }: Extract<Claimed, { store: 'app_store' }>,
    signal: AbortSignal,
  ): Promise<Answer> {
    const known = { ...claimed, environment: environment ?? undefined, isSubscription: isSubscription ?? undefined };
    return ofAppStore(appId, await this.#appStore(appId).validate(known, signal), 'fetched');
  }

  async #aboutInAppStore(
    appId: number,
    { originalTransactionId, environment }: Extract<LookUpSubject, { store: 'app_store' }>,
    signal: AbortSignal,
  ): Promise<Answer> {
    const observation = await this.#appStore(appId).observe(originalTransactionId, environment, signal);
    return ofAppStore(appId, observation, 'fetched');
  }

  async #claimedOnPlay(
    appId: number,
    { purchaseToken, productId, kind }: Extract<Claimed, { store: 'play_store' }>,
    signal: AbortSignal,
  ): Promise<Answer> {
    const store = this.#playStore(appId);
    const found = await store.validate({ purchaseToken, productId, kind }, signal);
    if (this.#isToAcknowledge(appId, found)) await this.#acknowledge(appId, store, found.observation, signal);
    return this.#ofPlay(appId, store, { ...found, asked: { orderId: null } }, signal);
  }

  async #aboutOnPlay(appId: number, subject: PlaySubject, signal: AbortSignal): Promise<Answer | null> {
    const store = this.#playStore(appId);
    const { purchaseToken, kind, isVoided } = subject;
    const [voided, boughtOnce] = await Promise.all([
      this.#lastWordOf(appId, subject),
      this.#boughtOnce(appId, subject),
    ]);
    const orderId = subject.orderId ?? boughtOnce?.paidBy ?? null;
    const wanted = { purchaseToken, kind, orderId, isVoided, ...voided, mayBeForgotten: boughtOnce !== null };
    const observed = await store.observe(wanted, signal);
    if (observed === null) return null;
    // Of what was never told of, nothing can have been booked that goes back.
    if (observed.isForgotten && (await this.#options.playChains.find(appId, purchaseToken)) === null) return null;
    if (observed.observation.subscription?.status === 'pending')
      throw new StoreFault('pending', 'The purchase waits for its payment.');
    const isByOrderAlone = observed.isForgotten && subject.orderId === null;
    const asked = isByOrderAlone ? { orderId, isOnItsWayBack: true } : subject;
    const answer = await this.#ofPlay(appId, store, { ...observed, asked }, signal);
    if (this.#isToAcknowledge(appId, observed) && (await this.#hasOwner(answer)))
      await this.#acknowledge(appId, store, observed.observation, signal);
    return answer;
  }

  /**
   * Google shows orders to those alone who may see them: with the last look its word that all of one is void must do. Not of
   * one that it showed before, unless it says that the account may not see it any more.
   */
  async #lastWordOf(appId: number, subject: PlaySubject): Promise<Pick<PlayLookUp, 'voidedSince' | 'wasShown'>> {
    const asked = subject.isVoidedWhole ? unsettledOf(subject) : null;
    if (!asked || nextLookAtUnsettled(asked, this.#options.clock.now()) !== null) return {};
    return { voidedSince: asked.since, wasShown: await this.#wasShown(appId, subject) };
  }

  async #wasShown(appId: number, { purchaseToken, orderId }: PlaySubject): Promise<boolean> {
    const booked = (await this.#knownOf(appId, purchaseToken))?.transactions[orderId ?? ''];
    return booked !== undefined && booked.price !== null && !booked.isEstimate;
  }

  /**
   * What Google may have forgotten, as it was bought again since: of a subscription it says itself that it keeps it no longer. For
   * the price of an order it is asked again. Of the purchase itself, where it is not known, the order that paid it tells the rest.
   * @returns null of anything else
   */
  async #boughtOnce(appId: number, { purchaseToken, orderId, ...asked }: PlaySubject) {
    if (orderId !== null && !asked.isVoided && !asked.isOnItsWayBack) return null;
    const transactions = Object.values((await this.#knownOf(appId, purchaseToken))?.transactions ?? {});
    const bought = transactions.filter(({ kind }) => kind === 'one_time');
    const paid = bought.find(costsSomething);
    return bought.length > 0 ? { paidBy: paid?.transactionId ?? null } : null;
  }

  async #knownOf(appId: number, purchaseToken: string): Promise<Chain | null> {
    const place = await this.#options.playChains.find(appId, purchaseToken);
    return place && this.#options.purchases.findChain(place.chainId);
  }

  #isToAcknowledge(appId: number, { awaitsAcknowledgement, observation }: FoundPlayPurchase): boolean {
    const isOver = observation.subscription?.status === 'expired';
    return awaitsAcknowledgement && !isOver && this.#options.apps.find(appId)?.acknowledgePlayPurchases === true;
  }

  /** Who bought anew outside of the app has access without a claim. What nobody has is Google's to give back. */
  async #hasOwner({ chainId }: Answer): Promise<boolean> {
    return ((await this.#options.purchases.findChain(chainId))?.owner ?? null) !== null;
  }

  async #acknowledge(appId: number, store: PlayStore, observation: Observation, signal: AbortSignal): Promise<void> {
    const { originalId: purchaseToken, subscription, transactions } = observation;
    const productId = subscription?.productId ?? transactions[0]?.productId;
    if (productId === undefined) return;
    const isAcknowledged = await store.acknowledge(kindOf(observation), productId, purchaseToken, signal);
    // Not the purchase's fault: Google has just told of it, and it counts.
    if (!isAcknowledged) this.#options.logger.warn({ appId, productId }, 'Google Play had nothing to acknowledge');
  }

  /**
   * `observation.originalId` is the token that was asked for, or the one that stands in its place.
   * @param asked the order for whose sake it was: what else passed unseen, the chain's own look finds
   */
  async #ofPlay(
    appId: number,
    store: PlayStore,
    { observation, unreadOrders, asked }: PlayObservation & { readonly asked: AskedOrder },
    signal: AbortSignal,
  ): Promise<Answer> {
    const { originalId: purchaseToken, replaces, observedAt: unreadSince } = observation;
    const { playChains: chains, purchases } = this.#options;
    const { isNew, ...place } = await chains.place(appId, purchaseToken, replaces, (older) =>
      linksOf(store, older, signal),
    );
    const [known, ...replaced] = await Promise.all([
      asked.orderId === null && wasPaidBefore(observation) ? purchases.findChain(place.chainId) : null,
      ...replaces.map((token) => chains.find(appId, token)),
    ]);
    const former = known ? [...missedOrders(observation, known), ...renewedOrders(observation, known)] : [];
    const ofFormerPlan = known ? replacedOrders(observation, known) : [];
    const subject = { store: 'play_store', purchaseToken, kind: toldKindOf(observation), orderId: null } as const;
    return {
      observation: isNew && replaces.length > 0 ? this.#saidNow(observation) : observation,
      ...place,
      replacedChains: replaced.flatMap((other) => (other && other.chainId !== place.chainId ? [other.chainId] : [])),
      buyer: null,
      by: 'fetched',
      subject,
      unsettled: [...new Set([...unreadOrders, ...former, ...ofFormerPlan])].map((orderId) => ({
        ...{ ...subject, orderId, unreadSince },
        // By its own token: that tells when the plan was bought.
        ...(ofFormerPlan.includes(orderId) && { purchaseToken: replaces[0] ?? purchaseToken }),
        ...(orderId === asked.orderId && whyOf(asked)),
        ...(unreadOrders.includes(orderId) && isShown(observation, orderId) && { isOnItsWayBack: true }),
      })),
      others: [],
    };
  }

  /**
   * A word about the token that it replaced may be on its way, and was asked for by who did not know that. It is the older
   * one of both, for from now on everybody knows.
   */
  #saidNow(observation: Observation): Observation {
    return { ...observation, observedAt: Math.max(observation.observedAt, this.#options.clock.now() + 1) };
  }

  async #aboutAtStripe(
    appId: number,
    subject: Extract<LookUpSubject, { store: 'stripe' }>,
    signal: AbortSignal,
  ): Promise<Answer | null> {
    const found = await this.#stripe(appId).observe(subject.subject, signal);
    if (found === null) return null;
    const { observation, buyer, onItsWayBack, others } = found;
    const placeOf = (kind: 'payment' | 'subscription', id: string) => ({
      chainId: chainIdOf(appId, 'stripe', id),
      subject: { store: 'stripe', subject: { kind, id } } as const,
    });
    const chargeId = subject.subject.kind === 'charge' ? subject.subject.id : undefined;
    return {
      observation,
      ...placeOf(observation.subscription === null ? 'payment' : 'subscription', observation.originalId),
      isReplaced: false,
      replacedChains: [],
      buyer,
      by: 'fetched',
      unsettled: onItsWayBack.map(({ charge, ...givenBack }) => ({
        store: 'stripe',
        subject: { kind: 'charge', ...charge },
        givenBack,
      })),
      others: others.map((id) => ({
        ...placeOf('subscription', id),
        subject: { store: 'stripe', subject: { kind: 'subscription', id, chargeId } },
      })),
    };
  }

  #appStore(appId: number): AppStore {
    const bundleId = this.#options.apps.find(appId)?.bundleId;
    const store = bundleId == null ? null : this.#options.access.appStore(appId, bundleId);
    return store ?? this.#without(appId, 'app_store', 'The App Store');
  }

  #playStore(appId: number): PlayStore {
    const packageName = this.#options.apps.find(appId)?.packageName;
    const store = packageName == null ? null : this.#options.access.playStore(appId, packageName);
    return store ?? this.#without(appId, 'play_store', 'Google Play');
  }

  #stripe(appId: number): StripeStore {
    return this.#options.access.stripe(appId) ?? this.#without(appId, 'stripe', 'Stripe');
  }

  /** What cannot be opened here may be opened by an instance that has the right key, or once this one has it. */
  #without(appId: number, store: Store, name: string): never {
    if (this.#options.access.isLocked(appId, store))
      throw new StoreFault('unavailable', `The credentials for ${name} cannot be opened.`);
    throw new StoreFault('not-configured', `${name} has no credentials, or the catalog does not name the app there.`);
  }
}

/** What the App Store said, in a notification or when it was asked. */
export function ofAppStore(appId: number, observation: Observation, by: Answer['by']): Answer {
  const { originalId: originalTransactionId, environment } = observation;
  return {
    observation,
    chainId: chainIdOf(appId, 'app_store', originalTransactionId),
    isReplaced: false,
    replacedChains: observation.replaces.map((id) => chainIdOf(appId, 'app_store', id)),
    buyer: null,
    by,
    subject: { store: 'app_store', originalTransactionId, environment },
    unsettled: [],
    others: [],
  };
}

const whyOf = ({ isVoided, isVoidedWhole, isOnItsWayBack }: AskedOrder) => ({
  ...(isVoided && { isVoided }),
  ...(isVoidedWhole && { isVoidedWhole }),
  ...(isOnItsWayBack && { isOnItsWayBack }),
});

/** An order that was shown, and is unread all the same, is one whose money is on its way back. */
const isShown = ({ transactions }: Observation, orderId: string): boolean =>
  transactions.some((bought) => {
    return bought.transactionId === orderId && !bought.isEstimate && costsSomething(bought);
  });

const kindOf = ({ subscription }: Observation): 'subscription' | 'one_time' =>
  subscription === null ? 'one_time' : 'subscription';

/** The same; null where nothing is told but money that went back. */
const toldKindOf = (observation: Observation) =>
  observation.subscription === null && observation.transactions.length === 0 ? null : kindOf(observation);

/** The tokens that an older one replaced; none if Play does not know it, or keeps it no longer. */
async function linksOf(store: PlayStore, purchaseToken: string, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const observed = await store.observe({ purchaseToken, kind: 'subscription' }, signal);
    return observed?.observation.replaces ?? [];
  } catch (error) {
    if (error instanceof StoreFault && error.kind === 'not-found') return [];
    throw error;
  }
}
