import { FeatureEncoder } from '../features/feature-encoder.ts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sha256 } from '../numbers/sha256.ts';
import { ByteWriter } from '../snapshot/byte-writer.ts';
import { encodeSnapshot, snapshotId } from '../snapshot/snapshot-bytes.ts';
import { learningLog, logStart } from '../testing/learning-log.ts';
import { shown, started, tick } from '../testing/learning-records.ts';
import { calibrated } from '../value/calibrate.ts';
import { encodeCheckpoint, restoreTrainer } from './checkpoint.ts';
import type { LearningRecord, ShownRecord } from './learning-record.ts';
import { rebuild } from './rebuild-in-memory.ts';
import { plainState } from './trainer-state.ts';
import { Trainer } from './trainer.ts';
import { weightOf } from './waiting-exposure.ts';

const hourMs = 3_600_000;
const log = learningLog();
const learn = (records: readonly LearningRecord[], trainer = Trainer.fresh('main')) => {
  for (const record of records) trainer.apply(record);
  return trainer;
};
const idOf = (trainer: Trainer) => snapshotId(encodeSnapshot(trainer.snapshot()));
const whole = learn(log);

describe('the same log', () => {
  it('gives the same bytes on every machine', () => {
    expect(idOf(whole)).toBe('19eb12dd8a21a22628f35172a6eda7d7fe2f44c8a7a71c95adedcb6be7a9f1ee');
  });
});

describe('what is learned', () => {
  it('tells countries apart, and variants', () => {
    const { state } = whole;
    expect(whole.report()).toMatchObject({ starts: state.ledger.starts });
    expect(state.exposures).toBe(2_000);
    expect(state.dictionary.fields).toContain('custom.goal');
    const rate = (country: string, row: number) => {
      const field = state.dictionary.fields.indexOf('country');
      const active = new Int32Array(1 + state.dictionary.fields.length).fill(-1);
      active[0] = 0;
      active[field + 1] = state.dictionary.find(field, country);
      return state.starts.score(active, { row, design: state.arms.designAt(row) });
    };
    expect(rate('c0', 0)).toBeGreaterThan(rate('c0', 1));
    expect(rate('c1', 1)).toBeGreaterThan(rate('c1', 0));
  });

  it('learns from an exposure in three parts that add up to 1', () => {
    const trainer = learn([tick(logStart), shown('d', logStart)]);
    const given = () => trainer.state.waiting.get('d')?.given;
    expect(given()).toBe(0);
    trainer.apply(tick(logStart + hourMs));
    expect(given()).toBeCloseTo(0.7, 12);
    trainer.apply(tick(logStart + 24 * hourMs));
    expect(given()).toBeCloseTo(0.85, 12);
    expect(trainer.state.exposures).toBe(1);
    const exposure = trainer.state.waiting.get('d');
    trainer.apply(tick(logStart + 14 * 24 * hourMs));
    expect(exposure?.given).toBeCloseTo(1, 12);
    expect(given()).toBeUndefined();
  });

  it('learns as slowly from the first exposures after months without traffic, and without ticks', () => {
    const day = 24 * hourMs;
    const trainer = learn([tick(logStart), shown('d', logStart + 60 * day), tick(logStart + 60 * day + 60_000)]);
    expect(trainer.state.waiting.get('d')?.given).toBe(0);
    trainer.apply(tick(logStart + 60 * day + hourMs));
    expect(trainer.state.waiting.get('d')?.given).toBeCloseTo(0.7, 12);
    trainer.apply(tick(logStart + 61 * day));
    expect(trainer.state.waiting.get('d')?.given).toBeCloseTo(0.85, 12);
  });

  it('learns from the others as ever where one was seen by a clock that is 25 hours ahead', () => {
    const minuteMs = 60_000;
    const trainer = learn([tick(logStart)]);
    for (let minute = 1; minute <= 30 * 60; minute++) {
      const now = logStart + minute * minuteMs;
      if (minute === 10) trainer.apply(shown('ahead', now + 25 * hourMs));
      learn([shown(`d${minute}`, now - 1), tick(now)], trainer);
      // Those of the hour before are too young, less the one whose last tick was an hour ago; and the one that is ahead.
      if (minute === 5 * 60) expect(trainer.state.exposures).toBe(4 * 60 + 1 + 1);
    }
    expect(trainer.state.exposures).toBe(29 * 60 + 1 + 1);
    expect(trainer.report().strata).toMatchObject([{ ai: { exposures: 6 * 60 + 1 + 1 } }]);
  });

  it('counts as shown of what AI drew, and not where Baseline or another placement showed the same paywall', () => {
    const drawn = (id: string): LearningRecord => {
      return { type: 'decision', id, at: logStart, paywall: 'p0', probabilities: [['p0', 1]] };
    };
    const views = (['ai', 'baseline', null] as const).map((side, index) => shown(`d${index}`, logStart, { side }));
    const { draws } = learn([tick(logStart), drawn('d0'), drawn('unseen'), ...views]).report();
    expect(draws).toEqual([{ paywall: 'p0', drawn: 2, expected: 2, shown: 1 }]);
  });

  it('takes a start before its exposure, money before its start, and each once', () => {
    const exposure = shown('d', logStart);
    const start = started('chain', exposure, logStart + 2 * hourMs);
    const charge = {
      type: 'money' as const,
      id: 'm',
      chain: 'chain',
      at: start.at,
      kind: 'charge' as const,
      usd: 9,
      nextChargeUsd: null,
    };
    const refund = { ...charge, id: 'r', kind: 'refund' as const };
    const end = tick(logStart + 25 * hourMs);
    const ordered = learn([tick(logStart), exposure, start, charge, refund, end]);
    const turned = learn([tick(logStart), refund, charge, start, start, exposure, exposure, refund, end]);
    const rowsOf = ({ state }: Trainer) => state.ledger.rows(end.at, 180, new FeatureEncoder(state.dictionary));
    expect(rowsOf(turned)).toEqual(rowsOf(ordered));
    expect(rowsOf(turned)[0]?.row).toMatchObject({ payments: 1, refunds: 1, realisedUsd: 0 });
    for (const trainer of [ordered, turned]) {
      expect(trainer.report().strata).toMatchObject([
        { share: 0.5, ai: { exposures: 1, starts: 1 }, baseline: { exposures: 0, starts: 0, usd: 0 } },
      ]);
    }
    expect(turned.report().strata).toEqual(ordered.report().strata);
  });

  it('counts no USD of a start whose exposure comes so late that it counts nowhere', () => {
    const day = 24 * hourMs;
    const [early, late] = [shown('early', logStart + 15 * day), shown('late', logStart, { logValue: -1 })];
    const sold = (exposure: ShownRecord): readonly LearningRecord[] => {
      const [chain, at] = [`chain of ${exposure.id}`, exposure.at + hourMs];
      const charge = { type: 'money', id: chain, chain, at, kind: 'charge', usd: 9, nextChargeUsd: null } as const;
      return [{ ...started(chain, exposure, at), plan: 'one-time' }, charge];
    };
    const without = learn([tick(logStart + 15 * day), ...sold(early), early, tick(logStart + 17 * day)]);
    const trainer = learn([tick(logStart + 15 * day), ...sold(early), early, late, ...sold(late)]);
    const restored = restoreTrainer(encodeCheckpoint(trainer));
    for (const one of [trainer, restored]) {
      one.apply(tick(logStart + 17 * day));
      expect(one.report()).toMatchObject({ starts: 2, promises: [], strata: [{ ai: { exposures: 1, starts: 1 } }] });
      expect(one.report().strata[0]?.ai.usd).toBeGreaterThan(8);
      expect(one.report().strata[0]?.ai.usd).toBeLessThan(1.1 * without.report().strata[0]!.ai.usd);
    }
  });

  it('takes starts of products that a paywall sold before for those of the row that it had then, and not for drift', () => {
    const changedAt = logStart + 20 * hourMs;
    const catalogue = (at: number, revision: number, plan: string): LearningRecord => {
      return { type: 'catalogue', at, revision, horizonDays: 180, arms: [{ paywall: 'p0', design: [`plan:${plan}`] }] };
    };
    const trainer = learn([catalogue(logStart, 1, 'week'), tick(logStart), tick(changedAt)]);
    const exposures = Array.from({ length: 100 }, (_, index) => shown(`d${index}`, changedAt - 1_000));
    learn([...exposures, catalogue(changedAt, 2, 'year')], trainer);
    const late = shown('late', changedAt - 500);
    const all = [...exposures, late];
    learn([late, ...all.map((one) => started(`chain ${one.id}`, one, changedAt + 1_000))], trainer);
    const waits = [...trainer.state.waiting];
    expect(new Set(waits.map((one) => `${one.arm}: ${weightOf(one)}`))).toEqual(new Set(['1: 0.1']));
    expect(new Set(trainer.state.ledger.records().starts.map(({ arm }) => arm))).toEqual(new Set([0]));
    trainer.apply(tick(changedAt + 25 * hourMs));
    expect(trainer.report()).toMatchObject({ strata: [{ ai: { exposures: 101, starts: 101 } }] });
    expect(trainer.state.alarms.map((alarm) => alarm.state())).toEqual([0, 1].map(() => [0, 0, 0, 0]));
  });

  it('estimates delays of exposures of a day and more, for whoever is shown the same, whatever they buy', () => {
    const arms = [{ paywall: 'p0', design: ['plan:month', 'products:2'] }];
    const trainer = learn([{ type: 'catalogue', at: logStart, revision: 1, horizonDays: 180, arms }, tick(logStart)]);
    for (let index = 0; index < 300; index++) {
      const exposure = shown(`d${index}`, logStart);
      trainer.apply(exposure);
      trainer.apply(started(`c${index}`, exposure, logStart + 3 * hourMs));
    }
    trainer.apply(tick(logStart + 23 * hourMs));
    const upTo = (row: number, plan: string, bin = 0) => trainer.state.delays.upTo({ row, plan }, bin);
    expect(upTo(0, 'month')).toBeCloseTo(0.7, 12);
    // Of them some may come yet.
    trainer.apply(tick(logStart + 7 * 24 * hourMs));
    expect(upTo(0, 'month')).toBeLessThan(0.01);
    expect(upTo(0, 'month', 1)).toBeLessThan(1);
    trainer.apply(tick(logStart + 15 * 24 * hourMs));
    const ofModel = (0.7 * 100) / 400;
    const ofPlan = (ofModel * 20) / 320;
    expect(upTo(1, 'year')).toBeCloseTo(ofModel, 12);
    expect(upTo(1, 'month')).toBeCloseTo(ofPlan, 12);
    expect(upTo(0, 'month')).toBeCloseTo((ofPlan * 20) / 320, 12);
    expect(upTo(0, 'month', 2)).toBe(1);
  });

  it('judges what it promised within hours, as far as could have started by then', () => {
    const trainer = learn([tick(logStart)]);
    const charge = { type: 'money', kind: 'charge', usd: 1, nextChargeUsd: null } as const;
    for (let index = 0; index < 400; index++) {
      const exposure = shown(`d${index}`, logStart, { logValue: Math.log(0.2) });
      trainer.apply(exposure);
      if (index % 10 > 0) continue;
      // Three of ten are slow, as is thought of starts before any are seen.
      const at = logStart + (index % 100 < 70 ? 0.1 : 5) * hourMs;
      trainer.apply({ ...started(`c${index}`, exposure, at), plan: 'one-time', periodDays: 1 });
      trainer.apply({ ...charge, id: `m${index}`, chain: `c${index}`, at });
    }
    const shownOf = () => calibrated(trainer.snapshot().calibration, 0.2);
    trainer.apply(tick(logStart + 0.5 * hourMs));
    expect(shownOf()).toBeCloseTo(0.2, 12);
    trainer.apply(tick(logStart + 6.1 * hourMs));
    // One of ten started, a few of which will be refunded: of what was charged, fewer and fewer as it grows older.
    const isTrue = () => shownOf() > 0.089 && shownOf() < 0.1;
    expect(isTrue()).toBe(true);
    trainer.apply(tick(logStart + 15 * 24 * hourMs));
    expect(isTrue()).toBe(true);
    const [promise, ...others] = trainer.report().promises;
    expect(others).toEqual([]);
    expect((promise?.promisedUsd ?? NaN) / (promise?.broughtUsd ?? NaN)).toBeCloseTo(1, 2);

    // By a clock that is a year ahead, weeks that say much would be long past.
    const now = logStart + 16 * 24 * hourMs;
    const ahead = shown('ahead', now + 365 * 24 * hourMs, { logValue: Math.log(0.2) });
    learn([ahead, tick(now), tick(now + 7 * hourMs)], trainer);
    expect(isTrue()).toBe(true);
  });

  it('compares an exposure as the share of its starts that should have come by now, as a rebuilt model does', () => {
    const [day, exposure] = [24 * hourMs, shown('d', logStart)];
    const trainer = learn([tick(logStart), exposure]);
    const comeBy = (age: number) => {
      trainer.apply(tick(logStart + age));
      const [of] = trainer.report().strata;
      const catalogue = { type: 'catalogue', at: logStart, revision: 1, horizonDays: 180, arms: [] } as const;
      const made = rebuild('main', { catalogue, shown: [exposure], starts: [], money: [] }, logStart + age);
      expect(made.report().strata[0]?.ai.pending).toBeCloseTo(of?.ai.pending ?? NaN, 12);
      return 1 - (of?.ai.pending ?? NaN);
    };
    // .85 of what is thought of starts before any are seen, then evenly in the log of time.
    expect(comeBy(day)).toBeCloseTo(0.85, 12);
    expect(comeBy(Math.sqrt(14) * day)).toBeCloseTo(0.85 + 0.15 / 2, 9);
    expect(comeBy(14 * day)).toBe(1);
  });

  it('begins anew from .1 where the products of a paywall changed', () => {
    const catalogue = (revision: number, plan: string): LearningRecord => {
      return { type: 'catalogue', at: logStart, revision, horizonDays: 180, arms: [{ paywall: 'p0', design: [plan] }] };
    };
    const exposures = Array.from({ length: 250 }, (_, index) => shown(`d${index}`));
    const trainer = learn([catalogue(1, 'plan:week'), tick(logStart), ...exposures, tick(logStart + hourMs)]);
    const lam = () => trainer.state.starts.weights.arms.values('lam');
    const [before = NaN] = lam();
    expect(before).toBeGreaterThan(0);
    learn([catalogue(2, 'plan:year'), catalogue(2, 'plan:year'), catalogue(1, 'plan:week')], trainer);
    expect(trainer.snapshot().arms).toHaveLength(2);
    expect(lam()[lam().length / 2]).toBe(0.1 * before);
  });

  it('values starts about the same where one charge of thousands is absurd', () => {
    const chain = log.find((record) => record.type === 'start')!.id;
    const charge = { type: 'money', kind: 'charge', nextChargeUsd: null } as const;
    const at = log.at(-1)!.at + 6 * hourMs;
    const learned = encodeCheckpoint(whole);
    const valuesWith = (usd: number) => {
      const charged = { ...charge, id: 'absurd', chain, at: at - hourMs, usd };
      const { values } = learn([charged, tick(at)], restoreTrainer(learned)).snapshot();
      const row = values.arms.mean.length / 4;
      return [0, 1, 2, 3].map((arm) => Math.exp(values.base + values.arms.mean[arm * row]!));
    };
    const usual = valuesWith(5);
    for (const usd of [1e9, Number.MAX_VALUE]) {
      const ratios = valuesWith(usd).map((value, arm) => value / usual[arm]!);
      expect(Math.min(...ratios)).toBeGreaterThan(0.8);
      expect(Math.max(...ratios)).toBeLessThan(1.25);
    }
  });

  it('compares sides by all that Baseline sells dear, where that is less than one of 200 starts', () => {
    const sell = (side: 'ai' | 'baseline', id: string, usd: number): readonly LearningRecord[] => {
      const exposure = shown(id, logStart, { side, paywall: side });
      const start = { ...started(id, exposure, logStart), product: side, plan: 'one-time', periodDays: 1 };
      const charge = { type: 'money', kind: 'charge', chain: id, at: logStart, nextChargeUsd: null } as const;
      return [exposure, start, { ...charge, id: `charge of ${id}`, usd }];
    };
    const sold = Array.from({ length: 1_000 }, (_, index) =>
      index < 4 ? sell('baseline', `b${index}`, 100) : sell('ai', `a${index}`, 4),
    );
    // When no more of it is given back.
    const { strata } = learn([tick(logStart), ...sold.flat(), tick(logStart + 33 * 24 * hourMs)]).report();
    expect(strata).toMatchObject([{ ai: { usd: 996 * 4 }, baseline: { usd: 4 * 100 } }]);
  });

  it('refuses what is no number and stays as it was', () => {
    const trainer = learn(log.slice(0, 300));
    const before = idOf(trainer);
    const money = {
      type: 'money',
      id: 'x',
      chain: 'x',
      at: logStart,
      kind: 'charge',
      usd: 1,
      nextChargeUsd: 1,
    } as const;
    const broken: readonly LearningRecord[] = [
      tick(NaN),
      shown('x', logStart, { share: NaN }),
      shown('x', Infinity),
      { ...money, usd: Infinity },
      { ...money, nextChargeUsd: NaN },
    ];
    for (const record of broken) {
      expect(() => trainer.apply(record)).toThrow(RangeError);
    }
    expect(idOf(trainer)).toBe(before);
  });
});

describe('a checkpoint', () => {
  it('has no one text that grows with exposures, decisions, starts and their money', () => {
    const [few, many] = [250, 1_250].map((exposures) => {
      return JSON.stringify(plainState(learn(learningLog({ exposures, days: 3 })).state)).length;
    });
    expect(many! / few!).toBeLessThan(1.2);
  });

  it('keeps an exposure that waits in less than 200 bytes', () => {
    const lengthOf = (exposures: number) => {
      const id = (index: number) => `0190a1b2-${1_000 + index}-7abc-8def-0123456789ab`;
      const all = Array.from({ length: exposures }, (_, index) => shown(id(index), logStart, { logValue: -1.5 }));
      return encodeCheckpoint(learn([tick(logStart), ...all])).length;
    };
    expect((lengthOf(2_000) - lengthOf(1_000)) / 1_000).toBeLessThan(200);
  });

  it('keeps a start with three charges and 20 fields in less than 500 bytes', () => {
    const lengthOf = (count: number) => {
      const id = (index: number) => `0190a1b2-${1_000 + index}-7abc-8def-0123456789ab`;
      const sold = Array.from({ length: count }, (_, index): readonly LearningRecord[] => {
        const values = Object.fromEntries(
          Array.from({ length: 20 }, (_, field) => [`field${field}`, `value ${index % 7}`]),
        );
        const exposure = { ...shown(id(index), logStart), values };
        const charges = [0, 1, 2].map((month) => {
          const at = logStart + month * 30 * 24 * hourMs;
          return { type: 'money', id: `${id(index)}/200000812345678${month}/charge`, chain: id(index), at, kind: 'charge', usd: 9.99, nextChargeUsd: null } as const; // prettier-ignore
        });
        return [started(id(index), exposure, logStart), ...charges];
      });
      return encodeCheckpoint(learn([tick(logStart), ...sold.flat()])).length;
    };
    expect((lengthOf(2_000) - lengthOf(1_000)) / 1_000).toBeLessThan(500);
  });

  it('is not read if an engine wrote it that learned otherwise: its model is learned again from the log', () => {
    const bytes = encodeCheckpoint(learn(log.slice(0, 500)));
    const digestLength = 4 + 64;
    const former = bytes.slice(0, -digestLength);
    former.set(new TextEncoder().encode('paywright-checkpoint-7'), 4);
    const digest = new ByteWriter();
    digest.text(sha256(former));
    expect(() => restoreTrainer(Buffer.concat([former, digest.bytes()]))).toThrow('These bytes are no checkpoint.');
  });

  it('is refused if a bit of it changed, or it is cut off', () => {
    const bytes = encodeCheckpoint(learn(log.slice(0, 500)));
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 0, max: 7 }), (at, bit) => {
        const broken = bytes.slice();
        broken[at]! ^= 1 << bit;
        expect(() => restoreTrainer(broken)).toThrow();
        expect(() => restoreTrainer(bytes.slice(0, at))).toThrow();
      }),
      { numRuns: 30 },
    );
  });
});
