import { beforeAll, describe, expect, it } from '@jest/globals';
import { decodeSnapshot, snapshotId } from '@paywright/selection-engine';
import fc from 'fast-check';
import type { ControlEntry, LogEntry } from '@paywright/selection-models';
import { learnedFrom, learningLog } from '@paywright/selection-models/testing';
import { ModelLearner, type DueShare, type DueSnapshot } from './model-learner.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const log = learningLog({ exposures: 240 });

/** All that a learner gives out while it reads. @param handOver what becomes of it between two entries */
function read(
  entries: readonly LogEntry[],
  handOver: (learner: ModelLearner, at: number) => ModelLearner = (learner) => learner,
  learner = ModelLearner.fresh('1/main'),
) {
  const snapshots: DueSnapshot[] = [];
  const shares: DueShare[] = [];
  entries.forEach((entry, at) => {
    learner.apply(entry);
    snapshots.push(...[learner.takeSnapshot()].filter((one) => one !== null));
    shares.push(...[learner.takeShare()].filter((one) => one !== null));
    learner = handOver(learner, at);
  });
  return { learner, snapshots, shares };
}

const hashesOf = ({ snapshots }: ReturnType<typeof read>) => snapshots.map(({ sha256 }) => sha256);
const killed = (learner: ModelLearner) => ModelLearner.restore(learner.checkpoint());

describe('ModelLearner', () => {
  it('gives out what it learned, named by its bytes', () => {
    const last = read(log).snapshots.at(-1);
    const bytes = last?.bytes ?? new Uint8Array();
    expect(last?.sha256).toBe(snapshotId(bytes));
    expect(decodeSnapshot(bytes)).toMatchObject({ exposures: 240, learnedUntil: last?.learnedUntil });
  });

  it('gives out the same bytes however often it is killed and restored, and wherever', () => {
    const whole = hashesOf(read(log));
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(log.length - 1), { maxLength: 6 }), (crashes) => {
        expect(hashesOf(read(log, (learner, at) => (crashes.includes(at) ? killed(learner) : learner)))).toEqual(whole);
      }),
      { numRuns: 10 },
    );
  });

  it('learns nothing twice', () => {
    const doubled = log.flatMap((entry) => [entry, entry]);
    expect(read(doubled).snapshots.at(-1)?.sha256).toBe(read(log).snapshots.at(-1)?.sha256);
  });

  it('refuses a checkpoint that is not as it was written', () => {
    const bytes = read(log).learner.checkpoint();
    bytes[bytes.length - 100]! ^= 1;
    expect(() => ModelLearner.restore(bytes)).toThrow();
    expect(() => ModelLearner.restore(new Uint8Array())).toThrow();
  });

  it('publishes at the first tick, each minute while it is young, and seldom while nothing comes', () => {
    const minutes = (from: number, to: number): readonly LogEntry[] =>
      Array.from({ length: to - from }, (_, minute) => ({
        type: 'tick',
        at: learnedFrom + (from + minute) * minuteMs,
      }));
    const decision = (minute: number): LogEntry => {
      return {
        type: 'decision',
        id: `${minute}`,
        at: learnedFrom + minute * minuteMs,
        paywall: 'calm',
        probabilities: [],
      };
    };
    const busy = [1, 2, 3].flatMap((minute) => [decision(minute), ...minutes(minute, minute + 1)]);
    const { snapshots } = read([...busy, ...minutes(4, 60)]);
    expect(snapshots.map(({ learnedUntil }) => (learnedUntil - learnedFrom) / minuteMs)).toEqual([1, 2, 3, 28, 53]);
  });

  it('publishes a changed catalog at once, and nothing while it is frozen', () => {
    const control = (version: number, isFrozen: boolean): ControlEntry => {
      return { type: 'control', at: learnedFrom, version, aiShare: 1, isFrozen, isRestored: false };
    };
    const ticks = (minute: number): LogEntry => ({ type: 'tick', at: learnedFrom + minute * minuteMs });
    const catalogue = { ...log[0]!, revision: 5 } as LogEntry;
    const entries = [
      ticks(1),
      catalogue,
      ticks(2),
      control(1, true),
      catalogue,
      ticks(3),
      ticks(90),
      control(2, false),
    ];
    const { snapshots } = read([...entries, ticks(91)]);
    expect(snapshots.map(({ learnedUntil }) => (learnedUntil - learnedFrom) / minuteMs)).toEqual([1, 2, 91]);
  });
});

describe('the first hour, of many starts and of no exposure that counts', () => {
  /** Twenty exposures a minute, of which 3 % start. */
  function launch(): readonly LogEntry[] {
    const entries: LogEntry[] = Array.from({ length: 240 }, (_, minute) => {
      return { type: 'tick', at: learnedFrom + minute * minuteMs };
    });
    for (let index = 0; index < 2_000; index++) {
      const at = learnedFrom + 1_000 + index * 3_000;
      const values = { country: ['de', 'us', 'fr'][index % 3] ?? '' };
      const paywall = index % 2 === 0 ? 'calm' : 'bold';
      const exposure = { id: `d${index}`, at, paywall, values, side: 'ai', share: 1, logValue: null } as const;
      entries.push({ type: 'shown', ...exposure });
      if ((index * 7_919) % 100 >= 3) continue;
      const bought = { product: 'p', plan: 'month', country: '', periodDays: 30, trialDays: 0 };
      entries.push({ type: 'start', id: `s${index}`, at: at + 30_000, exposure, ...bought });
    }
    return entries.toSorted((one, other) => one.at - other.at);
  }

  it('does not make a model take everything to start', () => {
    const { snapshots, learner } = read(launch());
    const { base, shared } = decodeSnapshot(snapshots.at(-1)?.bytes ?? new Uint8Array()).starts;
    const logRate = base + (shared.mean[0] ?? 0);
    expect(logRate).toBeGreaterThan(-4.5);
    expect(logRate).toBeLessThan(-2.5);
    expect(learner.report()).toMatchObject({ starts: 60, driftAlarms: 0 });
  });
});

describe('the guard', () => {
  /** AI starts a tenth as often as Baseline, in so many exposures that nobody can doubt it. */
  function worseLog(exposures: number, share = 0.5): readonly LogEntry[] {
    const entries: LogEntry[] = [{ type: 'tick', at: learnedFrom }];
    for (let index = 0; index < exposures; index++) {
      const side = index % 2 === 0 ? 'ai' : 'baseline';
      const at = learnedFrom + minuteMs + index * 1_000;
      const exposure = { id: `g${index}`, at, paywall: side === 'ai' ? 'bold' : 'calm', values: {}, side, share, logValue: null } as const; // prettier-ignore
      entries.push({ type: 'shown', ...exposure });
      if (index % 100 !== 0 && (side === 'ai' || index % 10 !== 1)) continue;
      // Of what is renewed nobody could tell yet what it is worth.
      const bought = { product: 'p', plan: 'one-time', country: '', periodDays: 1, trialDays: 0 };
      entries.push({ type: 'start', id: `s${index}`, at: at + 1_000, exposure, ...bought });
    }
    for (let hour = 1; hour <= 60; hour++) entries.push({ type: 'tick', at: learnedFrom + hour * hourMs });
    return entries.toSorted((one, other) => one.at - other.at);
  }
  /** AI starts ten times as often. */
  const mirrored = (entries: readonly LogEntry[]): readonly LogEntry[] =>
    entries.map((entry) => {
      if (entry.type === 'shown') return { ...entry, side: mirror(entry.side) };
      if (entry.type === 'start')
        return { ...entry, exposure: { ...entry.exposure, side: mirror(entry.exposure.side) } };
      return entry;
    });
  const mirror = (side: 'ai' | 'baseline' | null) => (side === 'ai' ? 'baseline' : 'ai');
  const worse = worseLog(5_000);
  let undisturbed: ReturnType<typeof read>;
  let checkpoint: Uint8Array;
  beforeAll(() => {
    undisturbed = read(worse);
    checkpoint = undisturbed.learner.checkpoint();
  });
  /** What comes behind all that was worse. */
  const readOn = (entries: readonly LogEntry[]) => read(entries, undefined, ModelLearner.restore(checkpoint));
  const later = (minutes: number): LogEntry => ({ type: 'tick', at: learnedFrom + 60 * hourMs + minutes * minuteMs });
  const said = (version: number, aiShare: 1 | 0.5, isRestored: boolean): ControlEntry => {
    return { type: 'control', at: learnedFrom + 60 * hourMs, version, aiShare, isFrozen: false, isRestored };
  };

  it('finds AI worse than Baseline, with its evidence, and says so until it is heard', () => {
    const { shares } = undisturbed;
    expect(shares[0]).toMatchObject({ from: 1, aiShare: 0.5, version: 0 });
    const { evidence } = shares[0]!;
    expect(evidence.exposures).toBeGreaterThan(2_000);
    expect((evidence.starts?.difference ?? 0) + (evidence.starts?.halfWidth ?? 0)).toBeLessThan(0);
    expect(shares.length).toBeGreaterThan(1);
    expect(readOn([later(10)]).shares).toHaveLength(1);
    expect(readOn([said(1, 0.5, false), later(10)]).shares).toEqual([]);
  });

  it('says the same whether it was killed or not', () =>
    expect(read(worse, (learner, at) => (at % 2_500 === 0 ? killed(learner) : learner)).shares).toEqual(
      undisturbed.shares,
    ));

  it('says so at once of a newer version of the stream, where something else was done to the model meanwhile', () => {
    const frozen = { ...said(1, 1, false), isFrozen: true };
    const { shares } = readOn([frozen, later(1)]);
    expect(shares).toMatchObject([{ from: 1, aiShare: 0.5, version: 1 }]);
  });

  it('takes over what a guard before it found, and releases it once AI is better', () => {
    const [first, ...others] = mirrored(worse);
    const held = [first!, { ...said(1, 0.5, false), at: learnedFrom + 1 }, ...others];
    const { shares, learner } = read(held);
    expect(shares[0]).toMatchObject({ from: 0.5, aiShare: 1, version: 1 });
    expect(learner.report().guard).toMatchObject({ factor: 1 });
    expect(read([said(2, 1, false), later(10)], undefined, learner).shares).toEqual([]);
  });

  it('gives way to a person', () => {
    const { shares, learner } = readOn([said(1, 0.5, false), said(2, 1, true), later(10), later(20)]);
    expect(shares).toEqual([]);
    expect(learner.report().guard).toMatchObject({ factor: 1 });
  });

  it('goes on comparing where a person says what AI has and it had taken nothing', () => {
    const half = worse.length / 2;
    const { shares, learner } = read([...worse.slice(0, half), said(1, 1, true), ...worse.slice(half)]);
    expect(shares[0]).toMatchObject({ ...undisturbed.shares[0], version: 1 });
    expect(learner.report().guard).toEqual(undisturbed.learner.report().guard);
  });

  it.each([-60, 60])('gives way to a person whose word has a time that is %i hours off', (hours) => {
    const word = said(2, 1, true);
    const { learner } = readOn([said(1, 0.5, false), { ...word, at: word.at + hours * hourMs }]);
    expect(learner.report().guard).toMatchObject({ factor: 1, triedSince: word.at });
  });
});

describe('a rebuild in the log', () => {
  const [first = log[0]!] = log;
  const until = log.at(-1)!.at;
  const tick = (minute: number): LogEntry => ({ type: 'tick', at: until + minute * minuteMs });
  const begins = (night: number): LogEntry => ({ type: 'rebuild', at: night, night });
  const ends = (night: number, isPromoted: boolean): LogEntry => {
    const losses = { liveLoss: 0.2, rebuiltLoss: 0.1, judgedExposures: 100, exposures: 240 };
    return { type: 'rebuilt', at: night, night, isPromoted, ...losses, liveSha256: 'a', rebuiltSha256: 'b', from: '0' };
  };
  const night = first.at + 24 * hourMs;

  it('is open from its beginning to the first word of its end, which stays', () => {
    const { learner } = read([...log, begins(night)]);
    expect(learner.margin.rebuild).toEqual({ night, isOpen: true, last: null });
    for (const entry of [ends(night - 1, true), ends(night, false), ends(night, true), begins(night)])
      learner.apply(entry);
    expect(learner.margin.rebuild).toMatchObject({ night, isOpen: false, last: { isPromoted: false } });
    expect(killed(learner).report().rebuild).toEqual(ends(night, false));
  });

  it('makes room for the next one where nothing came of it', () => {
    const { learner } = read([...log, begins(night), begins(night + 1), ends(night, true)]);
    expect(learner.margin.rebuild).toEqual({ night: night + 1, isOpen: true, last: null });
  });

  it('is published at once where it is promoted', () => {
    const published = (isPromoted: boolean) => {
      const entries = [...log, tick(61), tick(62), begins(night), ends(night, isPromoted), tick(63)];
      return read(entries).snapshots.at(-1)?.learnedUntil;
    };
    expect(published(true)).toBe(until + 63 * minuteMs);
    expect(published(false)).toBeLessThan(until + 63 * minuteMs);
  });
});
