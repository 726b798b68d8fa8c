import { describe, expect, it } from '@jest/globals';
import { uniform } from '@paywright/selection-engine';
import fc from 'fast-check';
import { YieldingPace } from './yielding-pace.ts';

const windowMs = 250;

interface Given {
  /** How long each paywall takes, in milliseconds; null: there are none. */
  readonly paywalls: number | null;
  readonly from: number;
  readonly windows: number;
  /** Notifications that come in each window. */
  readonly notifications?: number;
}

function answered(pace: YieldingPace, tookMs: number | null, now: number): void {
  pace.enter('paywall');
  pace.leave('paywall', tookMs, now);
}

/** @returns the time behind it */
function pass(pace: YieldingPace, { paywalls, from, windows, notifications = 250 }: Given): number {
  for (let window = 0; window < windows; window++) {
    const at = from + window * windowMs;
    for (let index = 0; index < notifications; index++) pace.waitMs(at);
    if (paywalls !== null) for (let index = 0; index < 10; index++) answered(pace, paywalls, at + index * 20);
  }
  return from + windows * windowMs;
}

const calm = { paywalls: 6, from: 0, windows: 4 };

describe('the pace of notifications', () => {
  it('is moderate when a burst begins, and the fastest soon where nobody waits for a paywall', () => {
    const pace = new YieldingPace();
    pass(pace, { ...calm, paywalls: null, windows: 2, notifications: 0 });
    expect(pace.rate).toBe(400);
    pass(pace, { paywalls: null, from: 500, windows: 10 });
    expect(pace.rate).toBe(1_000);
  });

  it('rises beside paywalls that take as long as in calm', () => {
    const pace = new YieldingPace();
    pass(pace, { ...calm, windows: 20 });
    expect(pace.rate).toBe(1_000);
  });

  it('falls while paywalls suffer, feels its way about the slowest, and rises again behind that', () => {
    const pace = new YieldingPace();
    const suffered = pass(pace, { paywalls: 60, from: pass(pace, calm), windows: 10 });
    expect(pace.rate).toBeLessThanOrEqual(130);
    const stillSuffered = pass(pace, { paywalls: 60, from: suffered, windows: 40 });
    expect(pace.rate).toBeLessThanOrEqual(130);
    pass(pace, { paywalls: 6, from: stillSuffered, windows: 50 });
    expect(pace.rate).toBe(1_000);
  });

  it('does not fall for what paywalls take while nothing comes: making way would mend nothing', () => {
    const pace = new YieldingPace();
    const slow = pass(pace, { paywalls: 60, from: pass(pace, calm), windows: 400, notifications: 0 });
    expect(pace.rate).toBe(400);
    pass(pace, { paywalls: 60, from: slow, windows: 20 });
    expect(pace.rate).toBe(1_000);
  });

  it('is not held down by paywalls that take unevenly long in calm, too', () => {
    const pace = new YieldingPace();
    let at = 0;
    const uneven = (windows: number, notifications: number) => {
      for (let window = 0; window < windows; window++)
        at = pass(pace, { paywalls: 10 + 20 * uniform(`${at}`, 'uneven') ** 2, from: at, windows: 1, notifications });
    };
    uneven(400, 0);
    let sum = 0;
    for (let window = 0; window < 400; window++) {
      uneven(1, 250);
      sum += pace.rate;
    }
    expect(sum / 400).toBeGreaterThan(150);
  });

  it('goes back to the usual when little comes', () => {
    const pace = new YieldingPace();
    const fast = pass(pace, { ...calm, windows: 40 });
    pass(pace, { ...calm, from: fast, windows: 10, notifications: 1 });
    expect(pace.rate).toBe(400);
  });

  it('takes what lasts for calm in the end: a slow machine is not held up for ever', () => {
    const pace = new YieldingPace();
    pass(pace, { paywalls: 12, from: pass(pace, calm), windows: 400 });
    expect(pace.rate).toBe(1_000);
  });

  it('falls while paywalls end at their deadline, and does not wait for the end of an outage that lasts', () => {
    const pace = new YieldingPace();
    const outage = pass(pace, { paywalls: 1_001, from: pass(pace, calm), windows: 10 });
    expect(pace.rate).toBeLessThanOrEqual(130);
    pass(pace, { paywalls: 1_001, from: outage, windows: 1_000 });
    expect(pace.rate).toBe(1_000);
  });

  it('hardly rises while a paywall is waited for and none is answered: that is not to be alone', () => {
    const pace = new YieldingPace();
    pace.enter('paywall');
    pass(pace, { paywalls: null, from: 0, windows: 5 });
    expect(pace.rate).toBeCloseTo(400 * 1.1 ** 4);
  });

  it('learns nothing from what was refused or failed, nor from what is no paywall', () => {
    const pace = new YieldingPace();
    let at = pass(pace, calm);
    for (let index = 0; index < 10; index++) {
      answered(pace, null, (at += 25));
      pace.enter('write');
      pace.leave('write', 5_000, at);
    }
    pass(pace, { ...calm, from: at });
    expect(pace.rate).toBeGreaterThan(400);
  });

  it('spreads what comes at once, and lets nobody stand in line longer than five seconds', () => {
    const pace = new YieldingPace();
    const waits = Array.from({ length: 2_500 }, () => pace.waitMs(0));
    expect(waits.filter((wait) => wait !== null && wait < 1_000)).toHaveLength(400);
    expect(waits.filter((wait) => wait === null)).toHaveLength(499);
    expect(Math.max(...waits.map((wait) => wait ?? 0))).toBe(5_000);
  });

  it('lets them begin together while it is slow: one by one they would cost more', () => {
    const pace = new YieldingPace();
    const now = pass(pace, { paywalls: 60, from: pass(pace, calm), windows: 10 }) + 8_000;
    const { rate } = pace;
    expect(rate).toBeLessThan(150);
    const begins = Array.from({ length: 100 }, () => now + pace.waitMs(now)!);
    expect(begins.filter((at) => at % windowMs !== 0)).toEqual([]);
    expect(new Set(begins).size).toBeLessThanOrEqual(2 + 100 / (rate / 4));
  });

  it('never goes beyond its bounds', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(10_000), fc.nat(400), fc.boolean())), (steps) => {
        const pace = new YieldingPace();
        let now = 0;
        for (const [tookMs, later, isPaywall] of steps) {
          now += later;
          if (isPaywall) answered(pace, tookMs, now);
          else pace.waitMs(now);
        }
        expect(pace.rate).toBeGreaterThanOrEqual(50);
        expect(pace.rate).toBeLessThanOrEqual(1_000);
      }),
    );
  });
});
