import {
  type ObservedPurchase,
  type ObservePurchase,
  PurchaseAttributed,
  type PurchaseClaim,
  PurchaseClaimed,
  type PurchaseOrigin,
  PurchaseValidated,
  refuse,
  type Refusal,
} from '@paywright/contracts';
import {
  awaitsOrigin,
  type Chain,
  isBoughtAgain,
  isOfPurchase,
  isPaidBack,
  withdraws,
  withObserved,
} from '@paywright/purchases';
import { observedIn, type PurchaseStream, type Step, validationKey } from './purchase-stream.ts';
import { isErased, isOwnedSince } from './release-purchase.ts';

/** Why the client's claim is refused; null if it is not, or there is none. */
export function refuseClaim(command: ObservePurchase, stream: PurchaseStream): Refusal | null {
  const { body } = command;
  const { claim, observation } = body;
  const { chain } = stream;
  if (!claim) return null;
  if (isErased(command, stream, claim.profileId))
    return refuse('PROFILE_NOT_FOUND', 'profileId names no profile of this app.');
  if (!isOfChain(observation, chain))
    return refuse('TRANSACTION_NOT_FOUND', 'The store knows this purchase in another environment.');
  if (observation.subscription?.status === 'pending')
    return refuse('PURCHASE_PENDING', 'The purchase is not paid for yet: validate it again once it is.');
  if (isTakenBack(observation, claimedTransaction(observation, claim.transactionId)))
    return refuse('TRANSACTION_REVOKED', 'The store has refunded or revoked this purchase.');
  return refuseOwner(body, chain);
}

function refuseOwner({ claim, accountProfileId, isReplaced }: ObservePurchase['body'], chain: Chain): Refusal | null {
  const owner = chain.owner ?? accountProfileId;
  if (!claim || claim.profileId === chain.owner) return null;
  // A mere observer takes nothing from an owner, so whom the store names as the buyer does not matter.
  if (chain.owner !== null && claim.source === 'observing') return null;
  if (accountProfileId !== null && accountProfileId !== claim.profileId && claim.source !== 'restore')
    return refuse('ACCOUNT_MISMATCH', 'The store names another profile of this app as the buyer.');
  if (owner === null || owner === claim.profileId) return null;
  return isReplaced || claim.restorePolicy === 'keep'
    ? refuse('PURCHASE_BELONGS_TO_ANOTHER_PROFILE', 'The purchase belongs to another profile of this app.')
    : null;
}

/** Whether the observation is of the chain's own environment; another's would be another purchase of the same id. */
export const isOfChain = ({ environment }: ObservedPurchase, chain: Chain): boolean =>
  chain.environment === null || chain.environment === environment;

/** Nobody owns the chain, and the buyer's account at the store names a profile: it is that one's, before any claim. */
export const attachByAccount: Step = (command, { chain }) => {
  const { accountProfileId, claim } = command.body;
  if (chain.owner !== null || accountProfileId === null || claim?.profileId === accountProfileId) return [];
  return [claimed(command, chain, accountProfileId, 'store_account')];
};

/** The client's report, as it came, once a profile and transaction. */
export const recordValidation: Step = (command, { chain, validations }) => {
  const { claim, observation } = command.body;
  if (!claim) return [];
  const { profileId, source, clientReported } = claim;
  const validation = { profileId, transactionId: claimedTransaction(observation, claim.transactionId) };
  if (validations.has(validationKey(validation))) return [];
  const { origin } = claim;
  return [PurchaseValidated.of({ ...observedIn(command, chain), ...validation, source, origin, clientReported })];
};

/**
 * What nobody owns, or may be taken over, becomes the claiming profile's. A mere observer takes nothing over. Who was
 * erased and came back claims it as somebody new, though it is not released yet.
 */
export const takeOwnership: Step = (command, { chain, ownedSince }) => {
  const { claim } = command.body;
  if (!claim) return [];
  const { profileId, profileCreatedAt = null } = claim;
  if (chain.owner === profileId) {
    const isFormer = profileCreatedAt !== null && !isOwnedSince(profileCreatedAt, ownedSince);
    return isFormer ? [claimed(command, chain, profileId, 'client')] : [];
  }
  if (chain.owner !== null && claim.source === 'observing') return [];
  return [claimed(command, chain, claim.profileId, 'client')];
};

/**
 * The first attribution that the payer sends, or that the store's data has of the payer, is the chain's, for ever. What is
 * bought again after a lapse has one of its own, of whoever bought it.
 */
export const attribute: Step = (command, { chain: known }) => {
  const { claim, observation } = command.body;
  const { payer: payerProfileId } = known;
  if (payerProfileId === null) return [];
  const transactionId = claimedTransaction(observation, claim?.transactionId ?? null);
  const chain = withObserved(known, observation);
  if (!awaitsOrigin(chain, transactionId)) return [];
  const origin = toldOrigin(command, chain, transactionId);
  if (origin === null) return [];
  return [PurchaseAttributed.of({ ...observedIn(command, known), payerProfileId, transactionId, origin })];
};

function toldOrigin({ body }: ObservePurchase, chain: Chain, transactionId: string | null): PurchaseOrigin | null {
  const { claim, accountProfileId, accountOrigin = null } = body;
  const origin = claim?.origin ?? null;
  if (claim && origin && !isEmpty(origin) && isAttributing(claim, origin, chain, transactionId)) return origin;
  return accountProfileId === chain.payer ? accountOrigin : null;
}

/** The payer's word counts; of what was bought again, also that of another profile which had seen a decision before. */
const isAttributing = (
  claim: PurchaseClaim,
  { decisionId }: PurchaseOrigin,
  chain: Chain,
  transactionId: string | null,
): boolean =>
  claim.profileId === chain.payer || (decisionId !== null && mayHaveBoughtAgain(claim, chain, transactionId));

/** Whether the claim of another profile than the payer's can be that of who bought it again: nobody brought it from elsewhere. */
export const mayHaveBoughtAgain = (
  { source }: Pick<PurchaseClaim, 'source'>,
  chain: Chain,
  transactionId: string | null,
): boolean =>
  source !== 'restore' && source !== 'observing' && transactionId !== null && isBoughtAgain(chain, transactionId);

const claimed = (command: ObservePurchase, chain: Chain, profileId: string, by: 'client' | 'store_account') =>
  PurchaseClaimed.of({
    ...observedIn(command, chain),
    profileId,
    formerProfileId: chain.owner === profileId ? null : chain.owner,
    payerProfileId: chain.payer ?? profileId,
    by,
    claimedAt: command.issuedAt,
  });

const isEmpty = (origin: PurchaseOrigin) => Object.values(origin).every((value) => value === null);

type Observation = Pick<ObservedPurchase, 'transactions' | 'subscription'>;

/** The transaction that a claim is about: as the client names it, else the current, else the newest. */
export function claimedTransaction({ transactions, subscription }: Observation, named: string | null): string | null {
  const newest = [...transactions].sort((a, b) => b.purchasedAt - a.purchasedAt)[0];
  return named ?? subscription?.transactionId ?? newest?.transactionId ?? null;
}

/** At Play a refund can leave what was bought: the store's word on that decides, not the refund. */
function isTakenBack(observation: ObservedPurchase, transactionId: string | null): boolean {
  const { store, refunds, transactions, revokedTransactions, reversedRefunds } = observation;
  if (transactionId === null || reversedRefunds.includes(transactionId)) return false;
  if (revokedTransactions.includes(transactionId)) return true;
  const given = refunds.filter((one) => one.transactionId === transactionId);
  if (store === 'app_store') return given.some(isOfPurchase);
  const bought = transactions.find((one) => one.transactionId === transactionId);
  if (bought?.kind !== 'one_time') return false;
  return store === 'play_store' ? withdraws(given) : isPaidBack(given, bought.price);
}
