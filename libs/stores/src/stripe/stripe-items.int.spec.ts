import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Observation } from '@paywright/contracts';
import {
  stripeInvoice,
  stripePayment,
  type StripePeriod,
  stripeRefund,
  stripeSubscription,
} from '../testing/stripe-purchases.ts';
import { day, now, period, StripeScene, usd } from '../testing/stripe-scene.ts';

const coach = { ...period, productId: 'prod_coach', priceId: 'price_coach', amount: 300 };
const pro = { ...period, amount: 999 };
type Sold = typeof coach;

let scene: StripeScene;
beforeEach(async () => {
  scene = await StripeScene.start();
});
afterEach(() => scene.stop());

const itemOf = (sold: Sold, change: object = {}) => ({
  ...stripeSubscription('sub_1', 'cus_1', sold).items.data[0]!,
  id: `si_${sold.priceId}`,
  ...change,
});
const linesOf = (sold: Sold, amount = sold.amount, isProration = false) =>
  stripeInvoice('in', 'sub_1', sold, { amount, currency: 'usd', isProration }).lines.data;
const holding = (items: ReturnType<typeof itemOf>[], changes: object = {}) =>
  scene.subscribed({ items: { data: items }, ...changes });
const billed = (id: string, lines: ReturnType<typeof linesOf>, at = period.startsAt) => {
  const amount = lines.reduce((sum, line) => sum + line.amount, 0);
  scene.invoiced(id, { lines: { data: lines } }, { startsAt: at }, { amount, currency: 'usd' });
};
const observe = async () => {
  const seen = (await scene.observe())!;
  expect(Observation.parse(seen)).toEqual(seen);
  return seen;
};
const from = (sold: Sold, { startsAt, endsAt }: StripePeriod): Sold => ({ ...sold, startsAt, endsAt });

it('stands by what paid for its period, and not by what was paid for more of it in its middle', async () => {
  const rest = from(pro, { startsAt: now, endsAt: period.endsAt });
  holding([itemOf(pro, { quantity: 2 })]);
  billed('in_1', linesOf(pro));
  billed('in_2', [...linesOf(rest, -950, true), ...linesOf(rest, 1900, true)], now);
  expect(await observe()).toMatchObject({
    subscription: { transactionId: 'in_1' },
    transactions: [{ transactionId: 'in_2', phase: 'prorated', price: { amount: '9.5' } }, { transactionId: 'in_1' }],
  });
  const changed = { ...rest, productId: 'prod_2', priceId: 'price_2' };
  holding([itemOf({ ...changed, startsAt: period.startsAt })]);
  billed('in_2', [...linesOf(rest, -950, true), ...linesOf(changed, 1900, true)], now);
  expect(await observe()).toMatchObject({ subscription: { productId: 'prod_2', transactionId: 'in_1' } });
});

describe('a trial offer, which Stripe tells of an item', () => {
  const until = (endsAt: number | null, startsAt = period.startsAt) => ({
    current_trial: { start_date: startsAt / 1000, end_date: endsAt && endsAt / 1000, trial_offer: 'to_1' },
  });
  const told = async (items: ReturnType<typeof itemOf>[], lines: ReturnType<typeof linesOf>, status = 'active') => {
    holding(items, { status });
    billed('in_1', lines);
    const { subscription, addOns, transactions } = await observe();
    const [paid] = transactions;
    return [subscription, ...(addOns ?? [])].map((one) => {
      const part = [paid, ...(paid?.addOns ?? [])].find((each) => each?.productId === one?.productId);
      return [one?.status, part?.phase, part?.isFree];
    });
  };
  const free = { ...pro, amount: 0 };

  it.each(['active', 'trialing'])('is a trial where it is free, and else an introduction (%s)', async (status) => {
    expect(await told([itemOf(free, until(period.endsAt))], linesOf(free), status)).toEqual([
      ['trial', 'trial', undefined],
    ]);
    expect(await told([itemOf(pro, until(period.endsAt))], linesOf(pro), status)).toEqual([
      ['intro', 'intro', undefined],
    ]);
  });

  it('is of its item alone', async () => {
    const items = [itemOf(free, until(period.endsAt)), itemOf(coach)];
    expect(await told(items, [...linesOf(free), ...linesOf(coach)])).toEqual([
      ['trial', 'trial', undefined],
      ['active', 'regular', undefined],
    ]);
  });

  it('is none of what was paid before it, or once it is over', async () => {
    const before = until(period.endsAt + 30 * day, period.endsAt);
    expect(await told([itemOf(pro, before)], linesOf(pro))).toEqual([['active', 'regular', undefined]]);
    expect(await told([itemOf(pro, until(period.startsAt, period.startsAt - day))], linesOf(pro))).toEqual([
      ['active', 'regular', undefined],
    ]);
    expect(await told([itemOf(free)], linesOf(free))).toEqual([['active', 'regular', true]]);
  });

  it('runs as long as nobody says when it ends', async () => {
    expect(await told([itemOf(free, until(null))], linesOf(free))).toEqual([['trial', 'trial', undefined]]);
  });
});

describe('what cost nothing', () => {
  const [ofPro, ofCoach] = [linesOf(pro), linesOf(coach)];
  const less = (lines: typeof ofPro, ...amounts: number[]) =>
    lines.map((line) => ({ ...line, discount_amounts: amounts.map((amount) => ({ amount, discount: 'di_1' })) }));
  const paid = async (lines: typeof ofPro, amount: number) => {
    scene.invoiced('in_1', { lines: { data: lines } }, {}, { ...usd, amount });
    return (await observe()).transactions[0];
  };

  it('is told as free, of each item: by its price, or by discounts', async () => {
    holding([itemOf(pro), itemOf(coach)]);
    expect(await paid(less(ofPro, 900, 99), 0)).toMatchObject({ phase: 'regular', isFree: true });
    expect(await paid(linesOf({ ...pro, amount: 0 }), 0)).toMatchObject({ phase: 'regular', isFree: true });
    const [first] = [await paid([...less(ofPro, 999), ...ofCoach], 300)];
    expect(first).toMatchObject({ productId: 'prod_1', isFree: true, addOns: [{ productId: 'prod_coach' }] });
    expect(first?.addOns?.[0]).not.toHaveProperty('isFree');
    const second = await paid([...less(ofPro, 500), ...less(ofCoach, 300)], 499);
    expect(second).toMatchObject({ productId: 'prod_1', addOns: [{ productId: 'prod_coach', isFree: true }] });
    expect(second).not.toHaveProperty('isFree');
  });

  it.each([
    ['all of it', { total: 999, pre_payment_credit_notes_amount: 999 }, 0, true],
    ['what the customer’s balance had left of it', { total: 999, pre_payment_credit_notes_amount: 499 }, 0, undefined],
    ['what was not paid of it', { total: 999, pre_payment_credit_notes_amount: 499 }, 500, undefined],
    ['none of it', { total: 999, pre_payment_credit_notes_amount: 0 }, 0, undefined],
    ['all of it, as far as is told', { pre_payment_credit_notes_amount: 999 }, 0, undefined],
  ])('is told as free where credit notes took %s off before it was paid', async (_, credited, amount, isFree) => {
    holding([itemOf(pro)]);
    scene.invoiced('in_1', { lines: { data: ofPro }, ...credited }, {}, { ...usd, amount });
    expect((await observe()).transactions[0]?.isFree).toBe(isFree);
  });

  it('is neither what the customer’s balance paid, nor a trial', async () => {
    holding([itemOf(pro)]);
    expect(await paid(ofPro, 0)).not.toHaveProperty('isFree');
    holding([itemOf(pro)], { status: 'trialing', trial_start: pro.startsAt / 1000, trial_end: pro.endsAt / 1000 });
    const trial = await paid(linesOf({ ...pro, amount: 0 }), 0);
    expect(trial).toMatchObject({ phase: 'trial' });
    expect(trial).not.toHaveProperty('isFree');
  });
});

describe('what is invoiced beside the items of a subscription', () => {
  const extra = { ...coach, startsAt: now, endsAt: now };
  const invoiceItem = (proration: boolean) => ({
    ...linesOf(extra)[0]!,
    parent: { type: 'invoice_item_details', invoice_item_details: { proration, subscription: 'sub_1' } } as const,
  });
  beforeEach(() => {
    holding([itemOf(pro)]);
    billed('in_1', linesOf(pro));
  });

  it('is money and no period, by an invoice of its own', async () => {
    billed('in_2', [invoiceItem(false)], now);
    const { subscription, transactions } = await observe();
    expect(subscription).toMatchObject({ transactionId: 'in_1' });
    expect(transactions).toMatchObject([
      { transactionId: 'in_2', productId: 'prod_coach', price: { amount: '3' }, buysPeriod: false },
      { transactionId: 'in_1' },
    ]);
  });

  it('belongs to the period where it is invoiced with it, or prorates it', async () => {
    billed('in_2', [invoiceItem(true)], now);
    billed('in_1', [...linesOf(pro), invoiceItem(false)]);
    for (const paid of (await observe()).transactions) expect(paid).not.toHaveProperty('buysPeriod');
  });
});

describe('what a checkout sells once beside a subscription', () => {
  const lifetime = {
    ...period,
    productId: 'prod_life',
    priceId: 'price_life',
    amount: 4900,
    startsAt: now,
    endsAt: now,
  };
  const soldOnce = (sold: Sold, proration = false) => ({
    ...linesOf(sold)[0]!,
    parent: { type: 'invoice_item_details', invoice_item_details: { proration, subscription: 'sub_1' } } as const,
  });
  const told = async () => (await observe()).transactions[0];

  it('is told as bought once, also with a trial', async () => {
    const trial = { trial_start: period.startsAt / 1000, trial_end: period.endsAt / 1000 };
    for (const [changes, amount] of [[{}, 999] as const, [{ status: 'trialing', ...trial }, 0] as const]) {
      holding([itemOf(pro)], changes);
      billed('in_1', [soldOnce(lifetime), ...linesOf(pro, amount)]);
      expect(await told()).toMatchObject({
        ...{ productId: 'prod_1', kind: 'subscription' },
        addOns: [
          { productId: 'prod_life', basePlanId: 'price_life', expiresAt: null, phase: 'regular', isOneTime: true },
        ],
      });
    }
  });

  describe('and credit notes give back', () => {
    const setup = { ...lifetime, productId: 'prod_setup', priceId: 'price_setup', amount: 500 };
    const note = (id: string, at: number, credited: Readonly<Record<string, number>>, refund?: string) =>
      scene.stripe.creditNotes.set(id, {
        ...{ id, object: 'credit_note', invoice: 'in_1', status: 'issued', reason: null, currency: 'usd' },
        ...{ out_of_band_amount: refund === undefined ? 4900 : null, post_payment_amount: 4900, created: at / 1000 },
        refunds: refund === undefined ? [] : [{ refund, amount_refunded: 4900, type: 'refund' }],
        lines: {
          data: Object.entries(credited).map(([line, amount]) => {
            return { id: `cnli_${line}`, type: 'invoice_line_item', invoice_line_item: line, amount };
          }),
        },
      });
    const productsOf = async () =>
      Object.fromEntries((await observe()).refunds.map(({ refundId, products }) => [refundId, products]));

    beforeEach(() => {
      holding([itemOf(pro)]);
      const lines = [soldOnce(lifetime), soldOnce(setup), ...linesOf(pro)].map((line, index) => {
        return { ...line, id: `il_${index}` };
      });
      const paid = { amount: 4900 + 500 + 999, currency: 'usd' };
      scene.invoiced('in_1', { lines: { data: lines }, post_payment_credit_notes_amount: 4900 }, {}, paid);
      scene.charged('ch_1', 'in_1', 4900, { amount: paid.amount, amount_captured: paid.amount });
      scene.stripe.refunds.set('re_1', stripeRefund('re_1', 'ch_1', { amount: 4900, currency: 'usd', at: now }));
    });

    it('is given back with the refund of a note that credits all of it', async () => {
      note('cn_1', now, { il_0: 4900 }, 're_1');
      expect(await productsOf()).toEqual({ re_1: ['prod_life'] });
      note('cn_1', now, { il_0: 4900 });
      expect(await productsOf()).toEqual({ re_1: undefined, cn_1: ['prod_life'] });
    });

    it('is given back with the note that credits the last of it', async () => {
      note('cn_1', now, { il_0: 4000 }, 're_1');
      expect(await productsOf()).toEqual({ re_1: undefined });
      note('cn_2', now + 1000, { il_0: 900, il_1: 499 });
      expect(await productsOf()).toEqual({ re_1: undefined, cn_2: ['prod_life'] });
    });

    it('is not given back by as much money for something else, or for what nobody names', async () => {
      expect(await productsOf()).toEqual({ re_1: undefined });
      note('cn_1', now, { il_2: 999, il_1: 499 }, 're_1');
      expect(await productsOf()).toEqual({ re_1: undefined });
    });
  });

  it('is none that is an item, of the product of one, or a proration', async () => {
    holding([itemOf(pro), itemOf(coach)]);
    billed('in_1', [...linesOf(pro), ...linesOf(coach), soldOnce({ ...coach, startsAt: now, endsAt: now })]);
    expect((await told())?.addOns?.map((addOn) => addOn.isOneTime)).toEqual([undefined]);
    holding([itemOf(pro)]);
    billed('in_1', [...linesOf(pro), soldOnce(coach, true), soldOnce({ ...lifetime, productId: 'prod_1' })]);
    expect((await told())?.addOns?.map((addOn) => addOn.isOneTime)).toEqual([undefined]);
  });
});

describe('a subscription of several items', () => {
  it('tells each for itself, and of one invoice all that it paid for', async () => {
    holding([itemOf(pro), itemOf(coach, { quantity: 3 })]);
    billed('in_1', [...linesOf(coach, 900), ...linesOf(pro)]);
    const seen = await observe();
    expect(seen).toMatchObject({
      subscription: { productId: 'prod_1', basePlanId: 'price_1', renewalPrice: { amount: '9.99', currency: 'USD' } },
      addOns: [
        {
          ...{ productId: 'prod_coach', basePlanId: 'price_coach', status: 'active', willRenew: true },
          ...{ transactionId: 'in_1', expiresAt: period.endsAt, renewalPrice: { amount: '9', currency: 'USD' } },
        },
      ],
    });
    expect(seen.transactions).toMatchObject([
      {
        ...{ transactionId: 'in_1', productId: 'prod_1', basePlanId: 'price_1', price: { amount: '18.99' } },
        addOns: [
          {
            ...{ productId: 'prod_coach', basePlanId: 'price_coach', offerId: null, phase: 'regular' },
            ...{ startsAt: period.startsAt, expiresAt: period.endsAt },
          },
        ],
      },
    ]);
  });

  it('begins with the one that runs longest, and each ends with its own period', async () => {
    const yearly = from(pro, { startsAt: now - day, endsAt: now + 364 * day });
    holding([itemOf(coach), itemOf(yearly)]);
    billed('in_1', [...linesOf(coach), ...linesOf(yearly)]);
    const next = from(coach, { startsAt: coach.endsAt, endsAt: coach.endsAt + 30 * day });
    billed('in_2', linesOf(next), next.startsAt);
    holding([itemOf(next), itemOf(yearly)]);
    const seen = await observe();
    expect(seen).toMatchObject({
      subscription: { productId: 'prod_1', transactionId: 'in_1', expiresAt: yearly.endsAt },
      addOns: [{ productId: 'prod_coach', transactionId: 'in_2', expiresAt: next.endsAt }],
    });
    expect(seen.transactions).toMatchObject([{ productId: 'prod_coach' }, { productId: 'prod_1' }]);
  });

  it('ends with all of them when it is cancelled with the first of their periods', async () => {
    const yearly = from(pro, { startsAt: now - day, endsAt: now + 364 * day });
    holding([itemOf(coach), itemOf(yearly)], { cancel_at_period_end: true, cancel_at: coach.endsAt / 1000 });
    expect(await observe()).toMatchObject({
      subscription: { productId: 'prod_1', expiresAt: coach.endsAt, willRenew: false },
      addOns: [{ productId: 'prod_coach', expiresAt: coach.endsAt, willRenew: false }],
    });
  });

  it('lists the others by product and price, however Stripe does', async () => {
    const video = { ...coach, productId: 'prod_video', priceId: 'price_video' };
    const seats = { ...coach, priceId: 'price_seats' };
    const expected = ['price_1', 'price_coach', 'price_seats', 'price_video'];
    for (const others of [
      [coach, seats, video],
      [video, seats, coach],
    ]) {
      holding([pro, ...others].map((sold) => itemOf(sold)));
      const { subscription, addOns = [] } = await observe();
      expect([subscription, ...addOns].map((one) => one?.basePlanId)).toEqual(expected);
    }
  });

  it('is paid for part by part: what was added, not what was taken off, and nothing as long as nobody paid', async () => {
    holding([itemOf(pro), itemOf(coach)]);
    billed('in_1', linesOf(pro));
    expect(await observe()).toMatchObject({
      subscription: { transactionId: 'in_1' },
      addOns: [{ productId: 'prod_coach', status: 'active', transactionId: null }],
    });
    const video = { ...coach, productId: 'prod_video' };
    const next = from(pro, { startsAt: period.endsAt, endsAt: period.endsAt + 30 * day });
    billed('in_2', [...linesOf(video, -200, true), ...linesOf(coach, 100, true), ...linesOf(next)], next.startsAt);
    const { addOns, transactions } = await observe();
    expect(addOns).toMatchObject([{ transactionId: 'in_2' }]);
    expect(transactions[0]).toMatchObject({
      ...{ productId: 'prod_1', phase: 'regular', price: { amount: '8.99' } },
      addOns: [{ productId: 'prod_coach', phase: 'prorated', startsAt: coach.startsAt }],
    });
    expect(transactions[0]?.addOns).toHaveLength(1);
  });

  it('is tried as a whole', async () => {
    const trial = { trial_start: period.startsAt / 1000, trial_end: period.endsAt / 1000 };
    holding([itemOf(pro), itemOf(coach)], { status: 'trialing', ...trial });
    billed('in_1', [...linesOf(coach, 0), ...linesOf(pro, 0)]);
    expect(await observe()).toMatchObject({
      subscription: { status: 'trial' },
      addOns: [{ status: 'trial' }],
      transactions: [{ productId: 'prod_1', phase: 'trial', addOns: [{ productId: 'prod_coach', phase: 'trial' }] }],
    });
  });

  it('says nothing of the next charge where it cannot say it of every item', async () => {
    for (const unsaid of [{ quantity: null }, { discounts: ['di_1'] }]) {
      holding([itemOf(pro), itemOf(coach, unsaid)]);
      const { subscription, addOns = [] } = await observe();
      for (const one of [subscription, ...addOns]) expect(one?.renewalPrice).toBeUndefined();
    }
  });

  it('says nothing of the next charge where an item’s trial offer ends before: another price takes its place', async () => {
    const triedUntil = (end: number) => ({
      current_trial: { start_date: period.startsAt / 1000, end_date: end / 1000, trial_offer: 'to_1' },
    });
    const renewalPriceOf = async (...items: ReturnType<typeof itemOf>[]) => {
      holding(items);
      return (await observe()).subscription?.renewalPrice?.amount;
    };
    expect(await renewalPriceOf(itemOf(pro, triedUntil(period.endsAt)))).toBeUndefined();
    expect(await renewalPriceOf(itemOf(pro, triedUntil(period.endsAt - day)))).toBeUndefined();
    expect(await renewalPriceOf(itemOf(pro), itemOf(coach, triedUntil(period.endsAt)))).toBeUndefined();
    // It goes on for another period, at the same price.
    expect(await renewalPriceOf(itemOf(pro, triedUntil(period.endsAt + 30 * day)))).toBe('9.99');
    expect(await renewalPriceOf(itemOf(pro, { current_trial: null }))).toBe('9.99');
    // Something is said of a trial, and cannot be read.
    for (const unread of [{ start_date: 1 }, 'to_1'])
      expect(await renewalPriceOf(itemOf(pro, { current_trial: unread }))).toBeUndefined();
  });

  it('leaves out an item of which nobody has a piece, unless there is no other', async () => {
    const none = { quantity: 0 };
    holding([itemOf(pro), itemOf(coach, none)]);
    const held = await observe();
    expect(held.addOns).toBeUndefined();
    expect(held.subscription?.renewalPrice?.amount).toBe('9.99');
    holding([itemOf(pro, none)]);
    expect((await observe()).subscription?.productId).toBe('prod_1');
  });

  it('is known whole where Stripe shows no more than ten of its items, of its lines and of its payments', async () => {
    const many = Array.from({ length: 21 }, (_, index) => ({ ...coach, productId: `prod_${100 + index}` }));
    const names = many.map(({ productId }) => productId);
    holding([itemOf(pro), ...many.map((sold) => itemOf(sold, { id: `si_${sold.productId}` }))]);
    const lines = [...linesOf(pro), ...many.flatMap((sold) => linesOf(sold))];
    const payments = many.map((_, index) => stripePayment('in_1', { id: `${index}`, amount: 100, at: now }));
    scene.invoiced('in_1', { lines: { data: lines }, payments: { data: payments } });
    for (const index of many.keys()) scene.charged(`ch_${index}`, `${index}`, index === 0 ? 999 : 0);
    scene.stripe.refunds.set('re_1', stripeRefund('re_1', 'ch_0', { ...usd, at: now }));
    const { addOns = [], transactions, refunds } = await observe();
    expect(addOns.map(({ productId }) => productId)).toEqual(names);
    expect(transactions[0]?.addOns?.map(({ productId }) => productId).sort()).toEqual(names);
    expect(refunds).toMatchObject([{ refundId: 're_1', transactionId: 'in_1' }]);
  });
});
