import { describe, expect, it } from '@jest/globals';
import { learningLog, logStart } from '../testing/learning-log.ts';
import type { CatalogueRecord, LearningRecord, MoneyRecord, ShownRecord, StartRecord } from './learning-record.ts';
import { judgeRebuild } from './promotion.ts';
import { carriedFrom } from './rebuild-facts.ts';
import { Trainer } from './trainer.ts';

const dayMs = 86_400_000;
const now = logStart + 15 * dayMs;
const log = learningLog({ exposures: 6_000 }).filter(({ at }) => at <= now);
const ofType = <Type extends LearningRecord['type']>(type: Type) =>
  log.filter((record): record is Extract<LearningRecord, { type: Type }> => record.type === type);
const facts = {
  catalogue: ofType('catalogue').at(-1) as CatalogueRecord,
  shown: ofType('shown') as readonly ShownRecord[],
  starts: ofType('start') as readonly StartRecord[],
  money: ofType('money') as readonly MoneyRecord[],
};
const learn = (records: readonly LearningRecord[]) => {
  const trainer = Trainer.fresh('main');
  for (const record of records) trainer.apply(record);
  return trainer;
};

describe('the promotion of a rebuilt model', () => {
  const live = learn(log); // which judging leaves as it is

  it('judges both by the exposures of the last day that are an hour old', () => {
    const { exposures, liveLoss, rebuiltLoss } = judgeRebuild(live, facts, now);
    const judged = facts.shown.filter(({ at }) => at >= now - dayMs && at <= now - dayMs / 24);
    // Ages count from the tick before arrival: up to an hour of them more.
    expect(exposures).toBeGreaterThanOrEqual(judged.length);
    expect(exposures).toBeLessThan(1.1 * judged.length);
    expect(Math.abs(rebuiltLoss / liveLoss - 1)).toBeLessThan(0.1);
  });

  it('takes the rebuilt one where the live one missed most of the starts', () => {
    const { promote, liveLoss, rebuiltLoss } = judgeRebuild(
      learn(log.filter(({ type, at }) => type !== 'start' || at > now - dayMs)),
      facts,
      now,
    );
    expect(promote).toBe(true);
    expect(rebuiltLoss).toBeLessThan(liveLoss);
  });

  it('keeps the live one where the rebuilt one knows less', () => {
    const few = {
      ...facts,
      shown: facts.shown.filter(({ at }, index) => at >= now - dayMs || index % 40 === 0),
      starts: [],
    };
    expect(judgeRebuild(live, few, now).promote).toBe(false);
  });

  it('judges by no paywall whose products changed in the last day', () => {
    const changedAt = now - dayMs / 2;
    const arms = facts.catalogue.arms.map((arm) => (arm.paywall === 'p0' ? { ...arm, design: ['plan:year'] } : arm));
    const catalogue: CatalogueRecord = { ...facts.catalogue, revision: 3, at: changedAt, arms };
    const change = log.findIndex(({ at }) => at >= changedAt);
    const changed = learn(log.toSpliced(change, 0, catalogue));
    const others = facts.shown.filter(({ paywall, at }) => paywall !== 'p0' && at >= now - dayMs);
    const { exposures } = judgeRebuild(changed, { ...facts, catalogue, ...carriedFrom(changed.state) }, now);
    expect(exposures).toBeGreaterThan(0);
    expect(exposures).toBeLessThanOrEqual(others.length);
  });

  it('keeps the live one where there is nothing to judge by', () => {
    expect(judgeRebuild(learn([]), { ...facts, shown: [], starts: [] }, now)).toEqual({
      promote: false,
      liveLoss: 0,
      rebuiltLoss: 0,
      exposures: 0,
    });
  });
});
