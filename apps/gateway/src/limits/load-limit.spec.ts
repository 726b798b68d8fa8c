import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { leastLimit, nextLimit, priorities, refusalOf, type Answered, type Priority, type Seen } from './load-limit.ts';

const maxInFlight = 2_000;
const nothing: Record<Priority, Answered> = {
  paywall: { all: 0, slow: 0 },
  purchase: { all: 0, slow: 0 },
  write: { all: 0, slow: 0 },
  notification: { all: 0, slow: 0 },
  bulk: { all: 0, slow: 0 },
  report: { all: 0, slow: 0 },
};
const seen = (answered: Partial<Record<Priority, Answered>>, more: Partial<Seen> = {}): Seen => ({
  answered: { ...nothing, ...answered },
  peak: 1_000,
  leastLagMs: null,
  ...more,
});

const count = fc.nat({ max: 3_000 });
const loads = fc.record({
  inFlight: count,
  each: fc.array(fc.nat({ max: 600 }), { minLength: 5, maxLength: 5 }),
  limit: fc.integer({ min: leastLimit, max: maxInFlight }),
});

describe('refusalOf', () => {
  it('refuses nothing that it would refuse to whoever goes before: bulk before writes before paywalls', () =>
    fc.assert(
      fc.property(loads, ({ each, ...load }) => {
        let ahead = 0;
        const refused = priorities.map((priority, index) => {
          ahead += each[index] ?? 0;
          return refusalOf(priority, { ...load, ahead, maxInFlight }) !== null;
        });
        const others = refused.filter((_, index) => priorities[index] !== 'notification');
        expect(others).toEqual([...others].sort((a, b) => Number(a) - Number(b)));
      }),
    ));

  it('keeps six tenths of the places from the line of notifications', () => {
    const at = (inFlight: number) => refusalOf('notification', { inFlight, ahead: 0, limit: maxInFlight, maxInFlight });
    expect([at(799), at(800)]).toEqual([null, 'in-flight']);
  });

  it('keeps a quarter of the limit from events in bulk, and half from what only looks', () => {
    const at = (load: number) =>
      priorities.filter(
        (priority) => refusalOf(priority, { inFlight: load, ahead: load, limit: 200, maxInFlight }) === null,
      );
    expect(at(99)).toEqual(['paywall', 'purchase', 'write', 'notification', 'bulk', 'report']);
    expect(at(100)).toEqual(['paywall', 'purchase', 'write', 'notification', 'bulk']);
    expect(at(150)).toEqual(['paywall', 'purchase', 'write', 'notification']);
    expect(at(180)).toEqual(['paywall']);
    expect(at(200)).toEqual([]);
  });

  it('names the bound: all places taken, or more than is borne', () => {
    expect(refusalOf('paywall', { inFlight: 2_000, ahead: 10, limit: 200, maxInFlight })).toBe('in-flight');
    expect(refusalOf('paywall', { inFlight: 300, ahead: 200, limit: 200, maxInFlight })).toBe('load');
    expect(refusalOf('paywall', { inFlight: 1_999, ahead: 10, limit: 200, maxInFlight })).toBeNull();
  });
});

describe('nextLimit', () => {
  it.each<[string, Seen]>([
    ['half of the paywalls are slow', seen({ paywall: { all: 100, slow: 51 } })],
    [
      'half of one kind is slow among many that are not',
      seen({ paywall: { all: 10, slow: 6 }, bulk: { all: 900, slow: 0 } }),
    ],
    ['the event loop is always late', seen({}, { leastLagMs: 51 })],
  ])('falls to seven tenths of what was there when %s', (_, window) =>
    expect(nextLimit(maxInFlight, window, maxInFlight)).toBe(700),
  );

  it.each<[string, Seen]>([
    ['nothing is slow', seen({ paywall: { all: 100, slow: 0 } })],
    ['fewer than half are slow', seen({ paywall: { all: 100, slow: 50 } })],
    ['too few were answered to tell', seen({ paywall: { all: 9, slow: 9 } })],
    ['the event loop was in time once', seen({}, { leastLagMs: 50 })],
  ])('rises by a twentieth when %s', (_, window) => expect(nextLimit(1_000, window, maxInFlight)).toBe(1_050));

  it('stays within its bounds', () =>
    fc.assert(
      fc.property(fc.integer({ min: leastLimit, max: maxInFlight }), count, fc.boolean(), (limit, peak, late) => {
        const next = nextLimit(limit, seen({}, { peak, leastLagMs: late ? 100 : 0 }), maxInFlight);
        expect(next).toBeGreaterThanOrEqual(leastLimit);
        expect(next).toBeLessThanOrEqual(late ? limit : maxInFlight);
      }),
    ));
});
