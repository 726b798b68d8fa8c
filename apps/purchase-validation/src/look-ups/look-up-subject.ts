import type { PurchaseEnvironment } from '@paywright/contracts';
import { derivedId } from '@paywright/platform';
import { z } from 'zod';
import { longestUnsettledMs } from './next-look.ts';

/** How a store is asked about a chain. Purchase tokens are secrets: only sealed is this ever written down. */
export const LookUpSubject = z.discriminatedUnion('store', [
  z.object({
    store: z.literal('app_store'),
    originalTransactionId: z.string(),
    environment: z.enum(['production', 'sandbox']) satisfies z.ZodType<PurchaseEnvironment>,
  }),
  z.object({
    store: z.literal('play_store'),
    purchaseToken: z.string(),
    kind: z.enum(['subscription', 'one_time']).nullable(),
    orderId: z.string().nullable(),
    /** Asked for the sake of this order alone, which Google did not show at that time (milliseconds). */
    unreadSince: z.int().optional(),
    /** Google said that the order's money goes back: it is unread until it shows that. */
    isVoided: z.boolean().optional(),
    /** And that all of it is: then that counts, where Google does not show the order in the end. */
    isVoidedWhole: z.boolean().optional(),
    /** Google showed the order, and that its money is on its way back. */
    isOnItsWayBack: z.boolean().optional(),
  }),
  z.object({
    store: z.literal('stripe'),
    subject: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('subscription'), id: z.string(), chargeId: z.string().optional() }),
      z.object({ kind: z.literal('payment'), id: z.string() }),
      z.object({ kind: z.literal('customer'), id: z.string() }),
      z.object({ kind: z.literal('charge'), id: z.string(), paymentIntent: z.string().nullable() }),
    ]),
    /** Asked for the sake of this refund or dispute alone, of that time (milliseconds): it may yet come to nothing. */
    givenBack: z.object({ id: z.string(), at: z.int() }).optional(),
    /**
     * Asked once there is this profile, that of the buyer whom the app names, who had none at that time (milliseconds). Where
     * it names nobody, once another purchase has told who the customer is: `profileId` stands for that one.
     */
    awaitedBuyer: z.object({ profileId: z.string(), since: z.int(), customerId: z.string().optional() }).optional(),
  }),
]);
export type LookUpSubject = z.output<typeof LookUpSubject>;

/** What ids begin with that stand for customers of whom nobody told who they are. No profile's does, but for one in 2^48. */
export const behindProfiles = 'ffffffff-ffff-';

/** What a store is asked about for its own sake, beside its chain. */
export interface Unsettled {
  /** Within its chain. */
  readonly name: string;
  /** In milliseconds. */
  readonly since: number;
  /** How long until the next look, when it has not been settled for so long. */
  pauseAfterMs(unsettledMs: number): number;
}

/** The buyer who is yet to have a profile, for whose sake alone it is kept. */
export const awaitedBy = (subject: LookUpSubject) =>
  subject.store === 'stripe' ? (subject.awaitedBuyer ?? null) : null;

const hourMs = 60 * 60_000;
/** A store is asked less and less often, a dozen times in all. */
const pauseOfAsking = (unsettledMs: number): number => Math.max(hourMs, unsettledMs);
/** Once there is the profile, `AwaitedBuyers` has it asked for; otherwise it is looked at but to give it up. */
const pauseOfAwaiting = (unsettledMs: number): number => longestUnsettledMs - unsettledMs + 1;

/**
 * What of it is asked about for its own sake: an order that Google did not show, money on its way back, or a buyer who has no
 * profile yet. null: nothing.
 */
export function unsettledOf(subject: LookUpSubject): Unsettled | null {
  if (subject.store === 'stripe' && subject.givenBack)
    return { name: `given back ${subject.givenBack.id}`, since: subject.givenBack.at, pauseAfterMs: pauseOfAsking };
  const awaited = awaitedBy(subject);
  if (awaited) {
    const { profileId, since, customerId } = awaited;
    // Of a customer both purchases may be told of at once, and each too soon for the other. Our own table is asked alone.
    const pauseAfterMs = customerId === undefined ? pauseOfAwaiting : pauseOfAsking;
    return { name: `buyer ${profileId}`, since, pauseAfterMs };
  }
  if (subject.store !== 'play_store' || subject.orderId === null || subject.unreadSince === undefined) return null;
  return {
    name: `${reasonOf(subject)}order ${subject.orderId}`,
    since: subject.unreadSince,
    pauseAfterMs: pauseOfAsking,
  };
}

/**
 * Each has a place of its own: the order may be asked about for its price at the same time, which it shows sooner, or have
 * been given up before; and the word that all of it is void can come after one that a part is.
 */
function reasonOf({
  isVoided,
  isVoidedWhole,
  isOnItsWayBack,
}: Extract<LookUpSubject, { store: 'play_store' }>): string {
  if (isVoided) return isVoidedWhole ? 'wholly voided ' : 'voided ';
  return isOnItsWayBack ? 'returning ' : '';
}

/** What it is kept by, beside its chain: a chain can have several. */
export const placeOfUnsettled = (chainId: string, { name }: Unsettled): string => derivedId(`${chainId} ${name}`);
