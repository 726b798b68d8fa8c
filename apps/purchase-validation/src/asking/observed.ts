import {
  type Attribution,
  type Observation,
  type ObservePurchase,
  type PurchaseClaim,
  type PurchaseOrigin,
  ReplacePurchase,
  type StoreNotification,
  type ValidatePurchase,
} from '@paywright/contracts';
import { type OutgoingMessage, unawaitedCommand } from '@paywright/messaging';
import { type Clock, derivedId, type Logger } from '@paywright/platform';
import { awaitsOrigin, originallyPurchasedAt, subscriptionsOf, withObserved } from '@paywright/purchases';
import type { PurchaseQueries } from '@paywright/read-model';
import { setTimeout as delay } from 'node:timers/promises';
import { claimedTransaction, mayHaveBoughtAgain } from '../domain/claim.ts';
import { withoutSecrets } from '../domain/without-secrets.ts';
import type { ClaimedLookUp, LookUpBook, Unvalued } from '../look-ups/look-up-book.ts';
import { awaitedBy, type LookUpSubject, placeOfUnsettled, unsettledOf } from '../look-ups/look-up-subject.ts';
import { nextLook, nextLookAtUnsettled } from '../look-ups/next-look.ts';
import type { ExchangeRates } from '../rates/exchange-rates.ts';
import type { Answer, StripeBuyer } from './answer.ts';
import type { AppSettingsBook } from './app-settings.ts';
import type { Buyers } from './buyers.ts';
import type { PlayChains } from './play-chains.ts';

/** Store and server have clocks of their own. */
const clockToleranceMs = 5 * 60_000;
/** How long until the store is asked whether what it took without money is still taken. */
const revokedPauseMs = 60 * 60_000;
/**
 * Pauses between looks for a decision that the app has and the projection may not tell of yet: 1.3 s in all, which a validate has
 * left though its store took as long as it may.
 */
const decisionPausesMs = [10, 20, 40, 80, 160, 320, 640];

const misnamed =
  'Purchases at Stripe are credited to no paywall: the paywallId in their metadata is no id of one, such as "12"';

const unattributed: Attribution = {
  paywallId: null,
  placementId: null,
  isExperiment: null,
  aiPricingModelId: null,
  abTestId: null,
};

export interface ObservedOptions {
  readonly apps: AppSettingsBook;
  readonly buyers: Buyers;
  readonly rates: ExchangeRates;
  readonly lookUps: LookUpBook;
  readonly playChains: Pick<PlayChains, 'find'>;
  readonly purchases: Pick<PurchaseQueries, 'originOf' | 'findChain'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Why a store was asked. */
export interface Cause {
  readonly claim: ValidatePurchase | null;
  readonly notification: StoreNotification | null;
}

interface ObservedBody {
  /** With what is not settled on our side either. */
  readonly answer: Answer;
  readonly body: ObservePurchase['body'];
  readonly missing: Unvalued;
}

/** Takes a store's answer in: what else the decision needs beside it, and how the chain is asked for again. */
export class Observed {
  readonly #options: ObservedOptions;
  /** Apps of which it was said that they name paywalls by what is no id. */
  readonly #misnaming = new Set<number>();

  constructor(options: ObservedOptions) {
    this.#options = options;
  }

  /** The body of the command that takes the answer in, and the rates that it lacks. */
  async commandBody(appId: number, answer: Answer, { claim, notification }: Cause): Promise<ObservedBody> {
    const { observation, isReplaced } = answer;
    const { rates, missing } = this.#options.rates.valuation(observation);
    const [{ accountProfileId, accountOrigin }, purchaseClaim] = await Promise.all([
      this.#accountOf(appId, answer),
      claim && this.#claimOf(claim, answer),
    ]);
    const body = {
      ...withoutSecrets(observation),
      ...{ accountProfileId, accountOrigin },
      isReplaced,
      claim: purchaseClaim,
      notification,
      rates: [...rates],
    };
    return { answer: this.#awaiting(appId, answer, accountProfileId), body, missing };
  }

  /**
   * Keeps how and when the chain is asked for again, which is by its newest token, and what of it is not settled: by a
   * key of its own, for a chain can have several. Money of a token that was replaced is the chain's all the same. Others that
   * the news is about are asked for at once.
   * @param missing of the very command: rates that came since would leave its money without value
   * @param claimed as what it was asked for, if it was of our own accord
   */
  async keep(appId: number, answer: Answer, missing: ObservedBody['missing'], claimed?: ClaimedLookUp): Promise<void> {
    const { observation, chainId, subject, by, unsettled, others } = answer;
    const { lookUps, clock } = this.#options;
    const now = clock.now();
    for (const each of unsettled) {
      const asked = unsettledOf(each)!;
      const lookAt = nextLookAtUnsettled(asked, now);
      if (lookAt !== null)
        await lookUps.keep({ appId, chainId: placeOfUnsettled(chainId, asked), subject: each }, lookAt);
    }
    for (const other of others) await lookUps.lookNow({ appId, ...other }, now);
    const chain = { appId, chainId, subject };
    // It may be older than a word that a family shares the purchase again, of which nothing is kept beside the purchase.
    if (tellsNothingOfPeriods(answer) && observation.revokedTransactions.length > 0)
      await lookUps.keepNoLater(chain, now + revokedPauseMs);
    if (tellsNothingOfPeriods(answer) || (await this.#isReplacedByNow(appId, answer))) {
      if (missing.length > 0) await lookUps.keepUnvalued(chain, missing);
      return;
    }
    const lookAt = nextLook(observation, now, by);
    if (by === 'notified' && observation.observedAt < now - clockToleranceMs) {
      // It may be of an older and longer plan, and what is known since then ends before that one would have.
      await lookUps.keepNoLater(chain, lookAt);
      if (missing.length > 0) await lookUps.keepUnvalued(chain, missing);
      return;
    }
    await (claimed?.chainId === chainId
      ? lookUps.answeredAsClaimed({ ...claimed, subject }, lookAt, missing)
      : lookUps.answered(chain, lookAt, missing));
  }

  /** The buyer for whose sake it is kept, and who still has no profile, or of whom nobody has told. */
  async awaitedInVain(appId: number, subject: LookUpSubject): Promise<string | null> {
    const { buyers } = this.#options;
    const awaited = awaitedBy(subject);
    if (awaited === null) return null;
    const { profileId, customerId } = awaited;
    const isThere = await (customerId === undefined
      ? buyers.exists(appId, profileId)
      : buyers.isKnown(appId, customerId));
    return isThere ? null : profileId;
  }

  /**
   * Who buys on the web may have no profile before the app starts first, or none yet that the read model shows, and the app
   * may name a customer with one of several purchases alone: nothing else would tell of the purchase then.
   */
  #awaiting(appId: number, answer: Answer, accountProfileId: string | null): Answer {
    const { subject, buyer, unsettled } = answer;
    if (subject.store !== 'stripe' || accountProfileId !== null || buyer === null) return answer;
    const since = this.#options.clock.now();
    const awaited = this.#namesOf(appId, answer.observation.account, buyer).map((named) => {
      return { ...subject, awaitedBuyer: { ...named, since } };
    });
    return { ...answer, unsettled: [...unsettled, ...awaited] };
  }

  /** By the customer too where there may never be a profile of the id that the app told. */
  #namesOf(appId: number, account: string | null, { customerUserId, customerId }: StripeBuyer) {
    const { buyers } = this.#options;
    if (customerUserId !== null) return [{ profileId: buyers.idOf(appId, customerUserId) }];
    const profileId = buyers.idIn(account);
    return [
      ...(profileId === null ? [] : [{ profileId }]),
      ...(customerId === null ? [] : [{ profileId: buyers.placeOfCustomer(appId, customerId), customerId }]),
    ];
  }

  /** What else the customer bought, and named nobody, is asked about now that one is known. */
  async #lookForOthers(appId: number, customerId: string | null): Promise<void> {
    if (customerId === null) return;
    const { buyers, lookUps, clock } = this.#options;
    await lookUps.lookFor([buyers.placeOfCustomer(appId, customerId)], clock.now());
  }

  async #isReplacedByNow(appId: number, { isReplaced, subject }: Answer): Promise<boolean> {
    if (isReplaced || subject.store !== 'play_store') return isReplaced;
    return (await this.#options.playChains.find(appId, subject.purchaseToken))?.isReplaced ?? false;
  }

  /** What ends the chains whose place this one took. */
  replacements(appId: number, { observation, chainId, replacedChains }: Answer): OutgoingMessage[] {
    const { store, observedAt: replacedAt } = observation;
    return replacedChains.map((key) =>
      unawaitedCommand(ReplacePurchase, {
        id: derivedId(`${key} is replaced by ${chainId}`),
        appId,
        key,
        issuedAt: replacedAt,
        body: { store, byChainId: chainId, replacedAt },
      }),
    );
  }

  /** Whom the store's data names as the buyer, and what it says that the purchase came of. */
  async #accountOf(appId: number, answer: Answer) {
    const { observation, buyer } = answer;
    const accountProfileId = await this.#options.buyers.profileOf(appId, answer);
    if (accountProfileId !== null && buyer !== null) await this.#lookForOthers(appId, buyer.customerId);
    const paywallId = buyer?.paywallId ?? null;
    if (paywallId === 'unread') this.#tellOfMisnaming(appId);
    if (accountProfileId === null || paywallId === null || paywallId === 'unread')
      return { accountProfileId, accountOrigin: null };
    const attribution = { ...unattributed, paywallId };
    const boughtAt = Math.min(...observation.transactions.map(originallyPurchasedAt), observation.observedAt);
    const came = {
      chainId: answer.chainId,
      profileId: accountProfileId,
      source: null,
      attribution,
      observation,
      transactionId: null,
    };
    const accountOrigin = await this.#originBefore(came, boughtAt, observation.observedAt);
    return { accountProfileId, accountOrigin };
  }

  /** Once: each of the app's purchases may have it, at each look. */
  #tellOfMisnaming(appId: number): void {
    if (this.#misnaming.has(appId)) return;
    this.#misnaming.add(appId);
    this.#options.logger.warn({ appId }, misnamed);
  }

  async #claimOf(
    { appId, issuedAt, body }: ValidatePurchase,
    { observation, chainId }: Answer,
  ): Promise<ObservePurchase['body']['claim']> {
    const { profileId, source, attribution, clientReported, purchase } = body;
    const transactionId = namedTransaction(purchase, observation);
    const claimed = claimedTransaction(observation, transactionId);
    const bought = observation.transactions.find((one) => one.transactionId === claimed);
    const boughtAt = bought ? originallyPurchasedAt(bought) : issuedAt;
    const came = attribution && { chainId, profileId, source, attribution, observation, transactionId: claimed };
    const [origin, profileCreatedAt] = await Promise.all([
      came && this.#originBefore(came, boughtAt, issuedAt),
      this.#options.buyers.createdAt(appId, profileId),
    ]);
    return {
      profileId,
      transactionId,
      source,
      restorePolicy: this.#options.apps.find(appId)?.restorePolicy ?? 'transfer',
      origin,
      clientReported,
      profileCreatedAt,
    };
  }

  /** It may be told late, or restored: what was decided after the purchase did not sell it. */
  #originBefore(came: Came, boughtAt: number, toldAt: number) {
    const until = Math.min(toldAt, boughtAt + clockToleranceMs);
    return this.#originOf(came, until, until === toldAt ? decisionPausesMs : []);
  }

  /** Who buys at once, names a paywall whose decision is still on its way to the read model. */
  async #originOf(came: Came, until: number, pausesMs: readonly number[]): Promise<PurchaseOrigin> {
    const { profileId, attribution } = came;
    const found = await this.#options.purchases.originOf(profileId, attribution, until);
    const [pauseMs, ...further] = pausesMs;
    const isMissing = found.decisionId === null && attribution.paywallId !== null;
    if (!isMissing || pauseMs === undefined || (await this.#isSettled(came))) return { ...attribution, ...found };
    await delay(pauseMs);
    return this.#originOf(came, until, further);
  }

  /** The first attribution of a purchase stands for ever: of claims that come again, or at once, all but one wait for nothing. */
  async #isSettled({ chainId, profileId, source, observation, transactionId }: Came): Promise<boolean> {
    const known = await this.#options.purchases.findChain(chainId);
    if (known === null) return false;
    const chain = withObserved(known, observation);
    if (!awaitsOrigin(chain, transactionId)) return true;
    const isPayers = chain.payer === null || chain.payer === profileId;
    return !isPayers && !mayHaveBoughtAgain({ source }, chain, transactionId);
  }
}

/** Who says that a chain came of what. */
interface Came {
  readonly chainId: string;
  readonly profileId: string;
  readonly source: PurchaseClaim['source'];
  readonly attribution: Attribution;
  readonly observation: Observation;
  /** That it is told with; null where the store's data tells it of all of them. */
  readonly transactionId: string | null;
}

/** As a notification of a refund of long ago: when the present period ends is known from before. */
const tellsNothingOfPeriods = ({ observation, by }: Answer): boolean =>
  by === 'notified' && observation.subscription === null;

/** The transaction that the client names; at Play, where it has only a token, the one that paid for what it names. */
function namedTransaction(purchase: ValidatePurchase['body']['purchase'], observation: Observation): string | null {
  if (purchase.store === 'app_store') return purchase.transactionId;
  return subscriptionsOf(observation).find(({ productId }) => productId === purchase.productId)?.transactionId ?? null;
}
