import { expect, it } from '@jest/globals';
import { SubscriptionChanged } from '@paywright/contracts';
import { type Chain, emptyChain, evolveChain, type PurchaseEvent } from '@paywright/purchases';
import { purchaseChain } from '../testing/purchase-log.ts';

const { bought, subscribed } = purchaseChain('1000');
const priced = (index: number, renewalUsd: string) =>
  SubscriptionChanged.of({ ...subscribed(index).body, addOns: [subscribed(index).body.subscription], renewalUsd });

const textAfter = (events: readonly PurchaseEvent[], before: (chain: Chain) => Chain) =>
  JSON.stringify(events.reduce((chain, event) => evolveChain(before(chain), event), emptyChain));

it('keeps a chain as the same text wherever a batch ends, as those of a rebuild end elsewhere', () => {
  const events = [bought(0), subscribed(0), priced(1, '9.99'), subscribed(2), priced(3, '10.99')];
  const keptAfterEach = textAfter(events, (chain) => JSON.parse(JSON.stringify(chain)) as Chain);
  expect(keptAfterEach).toBe(textAfter(events, (chain) => chain));
});
