import { describe, expect, it } from '@jest/globals';
import { LoadGate } from './load-gate.ts';
import { leastLimit, type Priority } from './load-limit.ts';

const options = { maxInFlight: 2_000, latencyMs: 200, paywallDeadlineMs: 1_000 };
const workMs = 10;

interface Offered {
  readonly priority: Priority;
  readonly perSecond: number;
}
interface Outcome {
  readonly accepted: number[];
  shed: number;
}
interface Finish {
  readonly at: number;
  readonly priority: Priority;
  readonly tookMs: number;
}

/** One server that bears `bears` requests a second, first come, first served, behind a gate, in a time of its own. */
function simulate(offered: readonly Offered[], { bears, seconds = 20 }: { bears: number; seconds?: number }) {
  const gate = new LoadGate(options);
  const outcomes = new Map<Priority, Outcome>(offered.map(({ priority }) => [priority, { accepted: [], shed: 0 }]));
  const finishes: Finish[] = [];
  const arrivals = offered
    .flatMap(({ priority, perSecond }) =>
      Array.from({ length: perSecond * seconds }, (_, index) => ({ priority, at: (index * 1_000) / perSecond })),
    )
    .sort((a, b) => a.at - b.at);
  let freeAt = 0;
  let done = 0;
  for (const { priority, at } of arrivals) {
    for (let next = finishes[done]; next !== undefined && next.at <= at; next = finishes[(done += 1)])
      gate.leave(next.priority, next.tookMs, next.at);
    const measured = at > 5_000 ? outcomes.get(priority) : undefined;
    if (gate.refusal(priority) !== null) {
      if (measured) measured.shed += 1;
      continue;
    }
    gate.enter(priority);
    freeAt = Math.max(freeAt, at) + 1_000 / bears;
    finishes.push({ at: freeAt + workMs, priority, tookMs: freeAt + workMs - at });
    measured?.accepted.push(freeAt + workMs - at);
  }
  return { gate, of: (priority: Priority) => outcomes.get(priority) ?? { accepted: [], shed: 0 } };
}

const shareShed = ({ accepted, shed }: Outcome) => shed / (accepted.length + shed);
const p99 = ({ accepted }: Outcome) => [...accepted].sort((a, b) => a - b)[Math.floor(accepted.length * 0.99)] ?? 0;

describe('LoadGate', () => {
  it('sheds nothing of what can be borne', () => {
    const { gate, of } = simulate([{ priority: 'paywall', perSecond: 1_400 }], { bears: 1_500 });
    expect(of('paywall').shed).toBe(0);
    expect(gate.limit).toBe(options.maxInFlight);
  });

  it.each([700, 1_500, 4_000])(
    'at twice the %i/s that are borne sheds half, and the rest is as fast as it should',
    (bears) => {
      const { of } = simulate([{ priority: 'paywall', perSecond: 2 * bears }], { bears });
      expect(shareShed(of('paywall'))).toBeCloseTo(0.5, 1);
      expect(of('paywall').accepted.length / 15).toBeGreaterThan(bears * 0.97);
      expect(p99(of('paywall'))).toBeLessThan(1.5 * options.latencyMs);
    },
  );

  it('sheds events in bulk, and what only looks, before any paywall', () => {
    const { of } = simulate(
      [
        { priority: 'paywall', perSecond: 700 },
        { priority: 'bulk', perSecond: 1_700 },
        { priority: 'report', perSecond: 300 },
      ],
      { bears: 1_500 },
    );
    expect(of('paywall').shed).toBe(0);
    expect(shareShed(of('bulk'))).toBeGreaterThan(0.4);
    expect(shareShed(of('report'))).toBeGreaterThan(shareShed(of('bulk')));
    expect(p99(of('paywall'))).toBeLessThan(1.5 * options.latencyMs);
  });

  it('takes on as much as before within seconds of an overload', () => {
    const gate = new LoadGate(options);
    let now = 0;
    const answers = (tookMs: number) => {
      for (let index = 0; index < 30; index += 1) gate.enter('paywall');
      now += 250;
      for (let index = 0; index < 30; index += 1) gate.leave('paywall', tookMs, now);
    };
    answers(900);
    expect(gate.limit).toBe(leastLimit);
    for (let window = 0; window < 80; window += 1) answers(10);
    expect(gate.limit).toBe(options.maxInFlight);
  });

  it('takes Baseline at the deadline for an outage, and goes on taking all on', () => {
    const gate = new LoadGate(options);
    for (let second = 1; second <= 20; second += 1) {
      for (let index = 0; index < 500; index += 1) gate.enter('paywall');
      for (let index = 0; index < 500; index += 1) gate.leave('paywall', 1_001, second * 1_000);
    }
    expect(gate.limit).toBe(options.maxInFlight);
  });

  it.each([
    ['purchase', 1_800],
    ['notification', 800],
  ] as const)('does not count a %s, which waits, as load, but as a place', (priority, places) => {
    const gate = new LoadGate(options);
    for (let index = 0; index < places; index += 1) gate.enter(priority);
    expect([gate.refusal(priority), gate.refusal('paywall')]).toEqual(['in-flight', null]);
    for (let index = 0; index < places; index += 1) gate.leave(priority, 8_000, 10_000);
    expect([gate.limit, gate.inFlight, gate.refusal(priority)]).toEqual([options.maxInFlight, 0, null]);
  });

  it('does not take the line of those who look for a sign of overload, but for load that leaves others their places', () => {
    const gate = new LoadGate(options);
    for (let window = 1; window <= 80; window += 1) {
      const work = Array.from({ length: 60 }, (_, index): Priority => (index < 30 ? 'paywall' : 'report'));
      for (const priority of work) gate.enter(priority);
      for (const priority of work) gate.leave(priority, priority === 'report' ? 1_500 : 100, window * 250);
    }
    expect(gate.limit).toBe(options.maxInFlight);
    for (let index = 0; index < 1_000; index += 1) gate.enter('report');
    expect([gate.refusal('report'), gate.refusal('bulk')]).toEqual(['in-flight', null]);
  });

  it('takes on less while the event loop is always late, also where all only look', () => {
    const gate = new LoadGate(options);
    gate.lag(80);
    for (let index = 0; index < 30; index += 1) gate.enter('report');
    for (let index = 0; index < 30; index += 1) gate.leave('report', 10, 250);
    expect(gate.limit).toBe(leastLimit);
  });

  it('takes on less while the event loop is always late', () => {
    const gate = new LoadGate(options);
    gate.lag(80);
    gate.lag(70);
    for (let index = 0; index < 30; index += 1) gate.enter('paywall');
    for (let index = 0; index < 30; index += 1) gate.leave('paywall', 10, 250);
    expect(gate.limit).toBe(leastLimit);
  });
});
