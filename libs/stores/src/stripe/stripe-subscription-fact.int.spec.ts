import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Observation } from '@paywright/contracts';
import type { StripeSubscriptionObject } from '../testing/stripe-objects.ts';
import { stripeCheckout, stripeInvoice, stripeSubscription } from '../testing/stripe-purchases.ts';
import { day, now, period, subject, StripeScene } from '../testing/stripe-scene.ts';

let scene: StripeScene;
beforeEach(async () => {
  scene = await StripeScene.start();
});
afterEach(() => scene.stop());

describe('stripeStore.observe, what it reads of where', () => {
  it('reads the period of an item first, and where older versions had it', async () => {
    const { items, ...old } = stripeSubscription('sub_1', 'cus_1', period);
    const bare = items.data.map(({ id, price: of }) => ({ id, price: of }));
    const legacy = { ...old, items: { data: bare }, current_period_start: 1000, current_period_end: 2000 };
    scene.stripe.subscriptions.set('sub_1', legacy as unknown as StripeSubscriptionObject);
    expect((await scene.observe())?.subscription).toMatchObject({ startsAt: 1_000_000, expiresAt: 2_000_000 });
    scene.stripe.subscriptions.set('sub_1', { ...legacy, items });
    expect((await scene.observe())?.subscription).toMatchObject({
      startsAt: period.startsAt,
      expiresAt: period.endsAt,
    });
  });

  const item = (change: object = {}, price: object = {}) => {
    const [usual] = stripeSubscription('sub_1', 'cus_1', period).items.data;
    return { ...usual, ...change, price: { ...usual?.price, ...price } };
  };
  const usual = { amount: '9.99', currency: 'USD' };
  it.each<[string, object, object | undefined]>([
    ['one piece', {}, usual],
    ['a trial', { status: 'trialing', trial_end: period.endsAt / 1000 }, usual],
    ['three pieces', { items: { data: [item({ quantity: 3 })] } }, { amount: '29.97', currency: 'USD' }],
    ['yen', { currency: 'jpy', items: { data: [item({}, { currency: 'jpy' })] } }, { amount: '999', currency: 'JPY' }],
    [
      'a price that has another amount in the currency of the subscription',
      { currency: 'eur', items: { data: [item({}, { currency_options: { eur: { unit_amount: 899 } } })] } },
      { amount: '8.99', currency: 'EUR' },
    ],
    ['a price that is not known in the currency of the subscription', { currency: 'eur' }, undefined],
    ['no discounts, said of none', { discounts: undefined, items: { data: [item({ discounts: undefined })] } }, usual],
    ['two items', { items: { data: [item(), item({ id: 'si_2' }, { unit_amount: 5 })] } }, usual],
    ['a discount', { discounts: ['di_1'] }, undefined],
    ['a discount of the item', { items: { data: [item({ discounts: [{ id: 'di_1' }] })] } }, undefined],
    ['discounts that cannot be read', { discounts: 'di_1' }, undefined],
    ['tiers', { items: { data: [item({}, { unit_amount: null })] } }, undefined],
    ['parts of a cent', { items: { data: [item({}, { unit_amount: 0.5 })] } }, undefined],
    [
      'packages, which are fewer than the pieces',
      { items: { data: [item({ quantity: 25 }, { transform_quantity: { divide_by: 10, round: 'up' } })] } },
      undefined,
    ],
    ['pieces, said to be no packages', { items: { data: [item({}, { transform_quantity: null })] } }, usual],
    ['what is metered', { items: { data: [item({ quantity: undefined })] } }, undefined],
    ['more than can be counted', { items: { data: [item({ quantity: 2 ** 52 })] } }, undefined],
    ['a currency that is none', { items: { data: [item({}, { currency: 7 })] } }, undefined],
    ['payments that are not collected', { pause_collection: { behavior: 'void', resumes_at: null } }, undefined],
    ['payments that are collected by then', { pause_collection: { resumes_at: period.endsAt / 1000 } }, usual],
    ['an end to come', { cancel_at_period_end: true }, undefined],
    ['a pause', { status: 'paused' }, undefined],
  ])('tells what the next period costs, of %s', async (_, changes, renewalPrice) => {
    scene.subscribed(changes);
    const seen = await scene.observe();
    expect(seen?.subscription?.renewalPrice).toEqual(renewalPrice);
    expect(Observation.parse(seen)).toEqual(seen);
  });

  it('tells no next price where a discount of the customer may change it, or nobody knows whether there is one', async () => {
    const told = async () => (await scene.observe())?.subscription?.renewalPrice;
    scene.subscribed();
    scene.stripe.customerDiscounts.set('cus_2', { id: 'di_1' });
    expect(await told()).toEqual(usual);
    scene.stripe.customerDiscounts.set('cus_1', { id: 'di_2' });
    expect(await told()).toBeUndefined();
    scene.stripe.customerDiscounts.clear();
    scene.stripe.faults.push({ kind: 'forbidden', on: /subscriptions/ }); // a key that may not read customers
    expect(await told()).toBeUndefined();
    expect(await told()).toEqual(usual);
  });

  it('takes a change of plan as prorated, of the plan that costs', async () => {
    scene.subscribed();
    const credit = stripeInvoice('in_1', 'sub_1', period, { amount: -500, currency: 'usd', isProration: true }).lines
      .data;
    const yearly = { ...period, productId: 'prod_2', priceId: 'price_2' };
    const debit = stripeInvoice('in_1', 'sub_1', yearly, { amount: 5000, currency: 'usd', isProration: true }).lines
      .data;
    scene.invoiced('in_1', { amount_paid: 4500, lines: { data: [...credit, ...debit] } });
    expect((await scene.observe())?.transactions).toMatchObject([
      { productId: 'prod_2', basePlanId: 'price_2', phase: 'prorated', price: { amount: '45' } },
    ]);
  });

  it.each([
    ['keep_as_draft', { status: 'draft', auto_advance: false }],
    ['mark_uncollectible', { status: 'uncollectible', auto_advance: false }],
    ['void', { status: 'void', auto_advance: false }],
  ] as const)('goes on, and nothing pays for it, while the app collects no payments (%s)', async (behavior, kept) => {
    const month = { startsAt: period.startsAt - 30 * day, endsAt: period.startsAt };
    const told = async () => (await scene.observe())?.subscription;
    scene.subscribed({ pause_collection: { behavior, resumes_at: null } });
    scene.invoiced('in_1', {}, month);
    expect(await told()).toMatchObject({ status: 'active', transactionId: 'in_1' });
    const unpaid = {
      amount_paid: 0,
      status_transitions: { paid_at: null, finalized_at: null },
      payments: { data: [] },
    };
    scene.invoiced('in_2', { ...unpaid, status: 'draft', auto_advance: true });
    expect(await told()).toMatchObject({ transactionId: 'in_1' });
    scene.invoiced('in_2', { ...unpaid, ...kept });
    expect(await told()).toMatchObject({ status: 'active', transactionId: null, willRenew: true });
    scene.subscribed();
    expect(await told()).toMatchObject({ transactionId: null });
    scene.invoiced('in_2');
    expect(await told()).toMatchObject({ transactionId: 'in_2' });
  });

  it('tells that what is metered is charged behind its period', async () => {
    scene.subscribed();
    const month = { startsAt: period.startsAt - 30 * day, endsAt: period.startsAt };
    const atItsEnd = { created: month.endsAt / 1000 };
    const told = async () =>
      (await scene.observe())?.transactions.map(({ startsAt, expiresAt, isInArrears }) => [
        ...[startsAt, expiresAt],
        isInArrears,
      ]);
    scene.invoiced('in_1', atItsEnd, month);
    expect(await told()).toEqual([[month.startsAt, month.endsAt, true]]);
    // What is left to charge when it ends, or costs more than a bound, begins no other period.
    scene.subscribed({ status: 'canceled', ended_at: month.endsAt / 1000 });
    expect(await told()).toEqual([[month.startsAt, month.endsAt, undefined]]);
    scene.subscribed();
    scene.invoiced('in_1', { ...atItsEnd, billing_reason: 'subscription_threshold' }, month);
    expect(await told()).toEqual([[month.startsAt, month.endsAt, undefined]]);
  });

  it('tells of each item whether it is charged behind its period', async () => {
    const metered = { ...period, productId: 'prod_2', priceId: 'price_2' };
    const items = [...stripeSubscription('sub_1', 'cus_1', period).items.data];
    items.push(...stripeSubscription('sub_2', 'cus_1', metered).items.data);
    scene.subscribed({ items: { data: items } });
    const month = { ...metered, startsAt: period.startsAt - 30 * day, endsAt: period.startsAt };
    const usage = stripeInvoice('in_1', 'sub_1', month, { amount: 500, currency: 'usd' }).lines.data;
    const ahead = stripeInvoice('in_1', 'sub_1', period, { amount: 999, currency: 'usd' }).lines.data;
    scene.invoiced('in_1', { amount_paid: 1499, lines: { data: [...usage, ...ahead] } });
    const [paid] = (await scene.observe())?.transactions ?? [];
    expect(paid).toMatchObject({ productId: 'prod_1', addOns: [{ productId: 'prod_2', isInArrears: true }] });
    expect(paid?.isInArrears).toBeUndefined();
  });

  it('takes what only credits something, as for a plan that is cancelled at once, for no purchase', async () => {
    scene.subscribed();
    scene.invoiced('in_1');
    const { data } = stripeInvoice('in_2', 'sub_1', period, { amount: -500, currency: 'usd', isProration: true }).lines;
    scene.invoiced('in_2', { amount_paid: 0, lines: { data } });
    expect((await scene.observe())?.transactions).toMatchObject([{ transactionId: 'in_1' }]);
  });

  it('marks what is not live as sandbox', async () => {
    scene.subscribed({ livemode: false });
    expect((await scene.observe())?.environment).toBe('sandbox');
  });

  it('finds the profile at the checkout where the subscription names none, and asks only then', async () => {
    scene.subscribed();
    const sold = { ...period, customer: 'cus_1', paymentIntent: null };
    const metadata = { profileId: 'P2', customerUserId: 'u2', paywallId: '12' };
    const ofSubscription = { mode: 'subscription', subscription: 'sub_1', metadata } as const;
    scene.stripe.checkouts.set('cs_1', stripeCheckout('cs_1', sold, ofSubscription));
    const seen = await scene.store().observe(subject);
    expect(seen?.observation.account).toBe('P2');
    expect(seen?.buyer).toEqual({ customerId: 'cus_1', customerUserId: 'u2', paywallId: 12 });
    scene.stripe.calls.length = 0;
    scene.subscribed({ metadata: { profileId: 'P1' } });
    expect((await scene.observe())?.account).toBe('P1');
    expect(scene.stripe.calls.map(({ path }) => path)).not.toContain('/v1/checkout/sessions');
  });

  it.each([...['calm', '12.5', '-1', '99999999999'].map((text) => [text, 'unread'] as const), ['', null]] as const)(
    'takes no paywall from %p in the metadata, and says so',
    async (paywallId, told) => {
      scene.subscribed({ metadata: { profileId: 'P1', paywallId } });
      expect((await scene.store().observe(subject))?.buyer.paywallId).toBe(told);
    },
  );

  it('does without checkouts where the key may not see them', async () => {
    scene.subscribed();
    scene.stripe.faults.push({ kind: 'forbidden', on: /checkout/ });
    expect((await scene.observe())?.account).toBeNull();
  });

  it('reads the invoices of every page', async () => {
    scene.subscribed();
    for (let index = 0; index < 120; index++) scene.invoiced(`in_${index}`, {}, { startsAt: now - index * day });
    expect((await scene.observe())?.transactions).toHaveLength(120);
  });
});
