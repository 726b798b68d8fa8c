import { expect, it } from '@jest/globals';
import { renewalPayload, transactionPayload, type Fields } from '../testing/app-store-payloads.ts';
import { observe } from './observation.ts';
import { SignedRenewal, SignedTransaction } from './signed-payloads.ts';
import { noon } from './testing/app-store-world.ts';

const signed = (fields: Fields = {}) => SignedTransaction.parse(transactionPayload(noon, fields));

/** What is seen of a transaction, with its subscription where there is renewal info. */
function observed(transaction: Fields, renewal: Fields | null = null) {
  const [sold, said] = [signed(transaction), { status: 1, expirySubtype: null, unsubscribedAt: null }];
  const parts = renewal && { ...said, transaction: sold, renewal: SignedRenewal.parse(renewalPayload(noon, renewal)) };
  return observe({ transactions: [sold], subscription: parts, isRefundReversed: false }, 0);
}

it('is as old as the oldest part that the state is made of', () => {
  expect(observed({}, { signedDate: noon - 1 })?.observedAt).toBe(noon - 1);
  expect(observed({ signedDate: noon - 2 }, { signedDate: noon - 1 })?.observedAt).toBe(noon - 2);
  const transactions = [signed(), signed({ signedDate: noon - 3 })] as const;
  expect(observe({ transactions, subscription: null, isRefundReversed: false }, 0)?.observedAt).toBe(noon - 3);
});

const account = '7E3FB20B-4CDB-47CC-936D-99D65F608138';
it.each([
  [{ appAccountToken: account }, {}, account.toLowerCase()],
  [{}, { appAccountToken: account }, account.toLowerCase()],
  [{ appAccountToken: 'ANN' }, { appAccountToken: account }, 'ANN'],
  [{ appAccountToken: `${account}0` }, {}, `${account}0`],
  [{}, {}, null],
  [{}, null, null],
])('of %j with the renewal info %j is the account’s %s', (transaction, renewal, whose) =>
  expect(observed(transaction, renewal)?.account).toBe(whose),
);
