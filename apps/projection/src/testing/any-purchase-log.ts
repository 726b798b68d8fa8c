import type { OutgoingMessage } from '@paywright/messaging';
import { derivedId } from '@paywright/platform';
import type { PurchaseEvent } from '@paywright/purchases';
import fc from 'fast-check';
import { eventRecord, profileA, profileB, profileC } from './event-log.ts';
import { boughtAt, day, purchaseChain } from './purchase-log.ts';

/** What was published: the event with its place, and its record. */
export interface Published {
  readonly chainId: string;
  readonly version: number;
  readonly event: PurchaseEvent;
  readonly record: OutgoingMessage;
}

type PurchaseChain = ReturnType<typeof purchaseChain>;

/** A chain that goes on; what it becomes hangs on what it is. */
interface Life {
  readonly chain: PurchaseChain;
  version: number;
  owner: string | null;
  payer: string | null;
  attributed: number;
  movements: number;
}

/** One store's id in two apps, another in one of them, and one in the sandbox. */
const chains = [
  purchaseChain('1000'),
  purchaseChain('1000', { appId: 8 }),
  purchaseChain('2000'),
  purchaseChain('3000', { environment: 'sandbox' }),
];
const profiles = [profileA, profileB, profileC] as const;

/** What happens next in a life; `pick` chooses among profiles, transactions and movements. */
const happenings: readonly ((life: Life, pick: number) => PurchaseEvent | null)[] = [
  ({ chain }, pick) => chain.bought(pick),
  ({ chain }, pick) => chain.subscribed(pick),
  ({ chain }, pick) => chain.confirmed(boughtAt + pick),
  ({ chain }, pick) => chain.switchedOff(boughtAt + pick),
  ({ chain }, pick) => chain.refunded(`t${pick}`, boughtAt + pick),
  ({ chain }, pick) => chain.reversed(`t${pick}`, boughtAt + pick),
  ({ chain }, pick) => chain.failed(`t${pick}:${boughtAt + pick}`, boughtAt + pick + 1),
  ({ chain }, pick) => chain.revoked(`t${pick}`, boughtAt + pick),
  ({ chain }, pick) => chain.replaced(boughtAt + pick),
  ({ chain }, pick) => chain.notified(`n${pick}`),
  ({ chain }, pick) => chain.validated(profiles[pick]!),
  claim,
  claim,
  claim,
  release,
  release,
  attribute,
  move,
  move,
  ({ chain, movements }, pick) => (pick < movements ? chain.valued(`m${pick}`, `${pick}.5`, '1.25') : null),
  ({ chain, movements }, pick) => (pick < movements ? chain.shared(`m${pick}`, `0.${pick}5`) : null),
];

function claim(life: Life, pick: number): PurchaseEvent | null {
  const profileId = profiles[pick]!;
  if (profileId === life.owner) return null;
  const former = life.owner;
  life.owner = profileId;
  life.payer ??= profileId;
  return life.chain.claimed(profileId, former, life.payer);
}

function release(life: Life): PurchaseEvent | null {
  const former = life.owner;
  life.owner = null;
  return former === null ? null : life.chain.released(former);
}

function attribute(life: Life, pick: number): PurchaseEvent | null {
  if (life.payer === null || life.attributed > 1) return null;
  const decisionId = derivedId(`decision ${life.attributed++}`);
  return life.chain.attributed(life.payer, `t${pick}`, { decisionId });
}

function move(life: Life, pick: number): PurchaseEvent {
  const storeShare = pick === 1 ? { amount: '1.4985', currency: 'EUR' } : null;
  const more = { transactionId: `t${pick}`, time: boughtAt + pick * day, storeShare };
  const refund = {
    ...more,
    type: 'refund',
    amount: '-9.99',
    refundOf: more.transactionId,
    usd: null,
    rate: null,
  } as const;
  return life.chain.moved(`m${life.movements++}`, pick === 2 ? refund : more);
}

/** Chains whose events are mixed into one log, each record of which may be published again later. */
export const anyPurchaseLog: fc.Arbitrary<readonly Published[]> = fc
  .array(
    fc.record({
      chain: fc.nat(chains.length - 1),
      happening: fc.nat(happenings.length - 1),
      pick: fc.nat(2),
      again: fc.nat(9),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((steps) => {
    const lives = chains.map((chain): Life => ({
      chain,
      version: 0,
      owner: null,
      payer: null,
      attributed: 0,
      movements: 0,
    }));
    const log: Published[] = [];
    for (const { chain, happening, pick, again } of steps) {
      const life = lives[chain]!;
      const { chainId, notified } = life.chain;
      const event = happenings[happening]!(life, pick) ?? notified(`n${pick}`);
      const version = ++life.version;
      log.push({ chainId, version, event, record: eventRecord('purchase', chainId, version, event) });
      const repeated = again < 3 ? log.at(-1 - again) : undefined;
      if (repeated) log.push(repeated);
    }
    return log;
  });
