import { describe, expect, it } from '@jest/globals';
import { act, type ActionName, type ActionOptions } from './actions.ts';
import { buy } from './buy.ts';
import { fallDue, nextDue } from './life-cycle.ts';
import { paidFor } from './payments.ts';
import { lastPeriod, type Purchase } from './purchase.ts';
import { boughtAt, sale, trial } from './testing/sale.ts';

const day = 86_400_000;
const usual: ActionOptions = { terms: {}, now: false, percent: 100, period: null, duration: 'P1M', consented: true };
const bought = (fields: Parameters<typeof sale>[0] = {}) => buy(sale(fields), boughtAt).purchase;

function after(purchase: Purchase, name: ActionName, at = boughtAt + day, options: Partial<ActionOptions> = {}) {
  const happened = act(purchase, name, at, { ...usual, ...options });
  if ('refusal' in happened) return { refusal: happened.refusal };
  return { purchase: happened.at(-1)!.purchase, news: happened.flatMap(({ news }) => news?.type ?? []) };
}
const done = (...args: Parameters<typeof after>): Purchase => {
  const { purchase, refusal } = after(...args);
  if (!purchase) throw new Error(refusal);
  return purchase;
};
const dueOnce = (purchase: Purchase) => fallDue(purchase, nextDue(purchase)!).purchase;
/** In grace, and past it. */
const inGrace = dueOnce(done(bought(), 'fail-billing'));
const inRetry = dueOnce(inGrace);

describe('each action', () => {
  it('renew: early adds to what is left; later pays what is owed, or begins anew', () => {
    const early = done(bought(), 'renew');
    expect(lastPeriod(early)).toMatchObject({ startsAt: boughtAt + day, endsAt: Date.UTC(2026, 2, 31, 12) });
    expect(after(inGrace, 'renew', inGrace.until!).news).toEqual(['recovered']);
    const over = done(bought(), 'expire');
    expect(lastPeriod(done(over, 'renew', boughtAt + 50 * day))).toMatchObject({ startsAt: boughtAt + 50 * day });
  });

  it('cancel: at the end of the period, or at once', () => {
    const later = after(bought(), 'cancel');
    expect([later.news, later.purchase?.standing, later.purchase?.willRenew]).toEqual([
      ['cancelled'],
      'running',
      false,
    ]);
    const now = after(bought(), 'cancel', boughtAt + day, { now: true });
    expect([now.news, now.purchase?.standing, lastPeriod(now.purchase!).endsAt]).toEqual([
      ['ended'],
      'ended',
      boughtAt + day,
    ]);
    expect(after(later.purchase!, 'cancel').refusal).toContain('cancelled already');
  });

  it('uncancel: only what was cancelled', () => {
    expect(done(done(bought(), 'cancel'), 'uncancel')).toMatchObject({
      willRenew: true,
      cancelledAt: null,
      endReason: null,
    });
    expect(after(bought(), 'uncancel').refusal).toContain('renews already');
  });

  it('refund: of the last payment, whatever became of it; a second one finds nothing', () => {
    const refunded = done(bought(), 'refund');
    expect(refunded).toMatchObject({ standing: 'ended', endReason: 'refund', willRenew: false });
    expect(after(refunded, 'refund').refusal).toContain('no payment');
    expect(after(bought({ offer: trial }), 'refund').refusal).toContain('no payment');
    const late = done(done(bought(), 'expire'), 'refund', boughtAt + 9 * day);
    expect([late.endReason, late.periods[0].refunds[0]?.amount]).toEqual(['other', '9.99']);
    expect(done(bought({ store: 'stripe' }), 'refund').standing).toBe('running');
  });

  it('refund: of an earlier payment leaves the current period alone', () => {
    const second = dueOnce(bought());
    const refunded = done(second, 'refund', boughtAt + 40 * day, { period: 0 });
    expect([refunded.standing, refunded.periods[0].refunds.length]).toEqual(['running', 1]);
  });

  it('refund: a share is rounded to the currency’s own unit, and is all where too little is left', () => {
    const half = done(bought({ store: 'stripe' }), 'refund', boughtAt, { percent: 50 });
    const more = done(half, 'refund', boughtAt, { percent: 90 });
    expect(more.periods[0].refunds.map(({ amount }) => amount)).toEqual(['5', '4.99']);
    const yen = bought({ store: 'stripe', currency: 'JPY', terms: { ...sale().terms, price: '1505' } });
    expect(done(yen, 'refund', boughtAt, { percent: 50 }).periods[0].refunds[0]?.amount).toBe('753');
  });

  it('reverse-refund: gives access back while its period runs, and no longer', () => {
    const refunded = done(bought(), 'refund');
    expect(done(refunded, 'reverse-refund')).toMatchObject({ standing: 'running', willRenew: false });
    expect(done(refunded, 'reverse-refund', boughtAt + 40 * day).standing).toBe('ended');
    expect(after(bought(), 'reverse-refund').refusal).toContain('no refund');
  });

  it('dispute: holds a payment up at Stripe, until it is lost or won', () => {
    const paid = bought({ store: 'stripe' });
    const disputed = after(paid, 'dispute');
    expect(disputed.news).toEqual(['disputed']);
    expect(after(disputed.purchase!, 'dispute').refusal).toContain('no payment that could be disputed');
    expect(after(disputed.purchase!, 'refund').refusal).toContain('is disputed');
    const [lost, won] = [done(disputed.purchase!, 'lose-dispute'), done(disputed.purchase!, 'win-dispute')];
    expect([paidFor(lastPeriod(lost)), paidFor(lastPeriod(won))]).toEqual(['0', lastPeriod(paid).amount]);
    expect([lost.standing, won.standing]).toEqual(['running', 'running']);
    expect(after(lost, 'refund').refusal).toContain('no payment that could be given back');
    expect(after(won, 'lose-dispute').refusal).toContain('No payment is disputed');
  });

  it('fail-billing: from the next renewal on, or at once', () => {
    expect(after(bought(), 'fail-billing')).toMatchObject({
      news: [],
      purchase: { standing: 'running', chargesFail: true },
    });
    const now = done(bought(), 'fail-billing', boughtAt + day, { now: true });
    expect(now).toMatchObject({ standing: 'grace', until: boughtAt + 17 * day });
  });

  it('recover-billing: in grace the rhythm stays, in retry it begins anew', () => {
    const paid = done(inGrace, 'recover-billing', inGrace.until! - day);
    expect(lastPeriod(paid)).toMatchObject({ startsAt: lastPeriod(inGrace).endsAt, paidAt: inGrace.until! - day });
    const late = inRetry.until! - day;
    expect(lastPeriod(done(inRetry, 'recover-billing', late))).toMatchObject({ startsAt: late });
    expect(after(done(bought(), 'fail-billing'), 'recover-billing')).toMatchObject({
      news: [],
      purchase: { chargesFail: false },
    });
    expect(after(bought(), 'recover-billing').refusal).toContain('No payment has failed');
  });

  it('pay-part: of what is owed, never all of it; only what was charged can be given back', () => {
    const atStripe = dueOnce(done(bought({ store: 'stripe' }), 'fail-billing'));
    const part = after(atStripe, 'pay-part', boughtAt + 40 * day, { percent: 40 });
    expect([part.news, part.purchase?.partPayments]).toEqual([
      ['part-paid'],
      [{ at: boughtAt + 40 * day, amount: '4' }],
    ]);
    expect(after(part.purchase!, 'pay-part', boughtAt + 41 * day, { percent: 60 }).refusal).toContain(
      'recover-billing',
    );
    expect(paidFor(lastPeriod(done(part.purchase!, 'recover-billing', boughtAt + 41 * day)))).toBe('5.99');
    expect(after(bought({ store: 'stripe' }), 'pay-part').refusal).toContain('No payment has failed');
  });

  it('upgrade now, downgrade and price-increase at the renewal', () => {
    const terms = { productId: 'pro.yearly', price: '59.99', period: 'P1Y' };
    const up = done(bought(), 'upgrade', boughtAt + day, { terms });
    expect(up.periods[0].isUpgraded).toBe(true);
    expect(lastPeriod(up)).toMatchObject({ startsAt: boughtAt + day, amount: '59.99' });
    const down = done(bought(), 'downgrade', boughtAt + day, { terms: { productId: 'basic', price: '4.99' } });
    expect([down.terms.productId, lastPeriod(dueOnce(down)).terms.productId]).toEqual(['pro.monthly', 'basic']);
    const dear = done(bought(), 'price-increase', boughtAt, { terms: { price: '14.99' } });
    expect(lastPeriod(dueOnce(dear)).amount).toBe('14.99');
    const refused = done(bought(), 'price-increase', boughtAt, { terms: { price: '14.99' }, consented: false });
    expect(dueOnce(refused)).toMatchObject({ standing: 'ended', endReason: 'price-increase' });
  });

  it('pause at Play: from the end of the period, for its time, or until it is resumed', () => {
    const play = bought({ store: 'play-store' });
    const paused = dueOnce(done(play, 'pause', boughtAt, { duration: 'P2W' }));
    expect(paused).toMatchObject({ standing: 'paused', until: lastPeriod(play).endsAt! + 14 * day });
    expect(lastPeriod(dueOnce(paused)).startsAt).toBe(paused.until);
    expect(lastPeriod(done(paused, 'resume', paused.until! - day)).startsAt).toBe(paused.until! - day);
    expect(done(done(play, 'pause'), 'resume').pausesFor).toBeNull();
    expect(after(play, 'resume').refusal).toContain('not paused');
  });

  it('what a store has not, or what comes too late, is refused with its reason', () => {
    expect(after(bought(), 'pause').refusal).toBe('This store has no pause.');
    expect(after(bought({ store: 'stripe' }), 'revoke').refusal).toBe('This store has no revoke.');
    expect(after(bought({ kind: 'one-time' }), 'cancel').refusal).toContain('bought once');
    expect(after(done(bought(), 'revoke'), 'upgrade').refusal).toContain('over (revoked)');
  });
});
