import { tmpdir } from 'node:os';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { judgeRebuild, rebuild, type ShownRecord } from '@paywright/selection-engine';
import { sha256Of, type LogEntry } from '@paywright/selection-models';
import { learningLog } from '@paywright/selection-models/testing';
import { encodeSnapshot } from '@paywright/selection-engine';
import { ModelLearner } from '../training/model-learner.ts';
import { factsOfLearner } from './facts-of-learner.ts';
import { rebuildModel, type RebuiltModel } from './rebuild-model.ts';
import { ShuffledExposures } from './shuffled-exposures.ts';

const log = learningLog({ exposures: 1_200 });
const hourMs = 3_600_000;

function learn(entries: readonly LogEntry[], learner = ModelLearner.fresh('1/main')): ModelLearner {
  for (const entry of entries) learner.apply(entry);
  return learner;
}
let checkpoint: Uint8Array;
beforeAll(() => {
  checkpoint = learn(log).checkpoint();
});
/** What has learned the log, and what comes behind it. */
const live = (later: readonly LogEntry[] = []) => learn(later, ModelLearner.restore(checkpoint));

async function rebuilt(learner: ModelLearner, entries: readonly LogEntry[]): Promise<RebuiltModel> {
  await using shown = await ShuffledExposures.open(tmpdir(), '1/main');
  for (const entry of entries) if (entry.type === 'shown') await shown.add(entry);
  return rebuildModel(learner, factsOfLearner(learner), shown, () => Promise.resolve());
}

describe('rebuildModel', () => {
  let result: RebuiltModel;
  beforeAll(async () => {
    result = await rebuilt(live(), log);
  });

  it('is the rebuild and the examination of the same facts in memory', () => {
    const { trainer } = live();
    const { facts } = factsOfLearner(live());
    const shown = log.filter((entry): entry is ShownRecord => entry.type === 'shown');
    const { now, seed } = trainer.state;
    const inMemory = rebuild(seed, { ...facts, shown }, now);
    expect(result.rebuiltSha256).toBe(sha256Of(encodeSnapshot(inMemory.snapshot())));
    expect(result.promotion).toEqual(judgeRebuild(trainer, { ...facts, shown }, now));
    expect(result).toMatchObject({ exposures: 1_200, liveSha256: sha256Of(encodeSnapshot(trainer.snapshot())) });
  });

  it('is the same whatever the order in which its facts came', async () => {
    // Of every hour the last comes first: more would ring drift alarms, which are facts.
    const hours = log.reduce<LogEntry[][]>(
      (all, entry) => {
        if (entry.type === 'tick') all.push([entry], []);
        else all.at(-1)?.unshift(entry);
        return all;
      },
      [[]],
    );
    const again = await rebuilt(learn(hours.flat()), log);
    expect(again.rebuiltSha256).toBe(result.rebuiltSha256);
    expect(again.liveSha256).not.toBe(result.liveSha256);
  });

  it('learns on where its facts end, and is restored like any other', () => {
    const last = log.at(-1)!.at;
    const later: readonly LogEntry[] = [1, 2, 3].map((hours) => ({ type: 'tick', at: last + hours * hourMs }));
    const learner = result.learner;
    const restored = ModelLearner.restore(learner.checkpoint());
    for (const one of [learner, restored]) for (const entry of later) one.apply(entry);
    expect(restored.takeSnapshot()?.sha256).toBe(learner.takeSnapshot()?.sha256);
    expect(learner.report().starts).toBe(live().report().starts);
  });
});

describe('factsOfLearner', () => {
  it('leaves out what is older than 180 days, with its money, and starts whose exposures do not count yet', () => {
    const last = log.at(-1)!.at;
    const half = log[Math.floor(log.length / 2)]!.at;
    const later = live([{ type: 'tick', at: half + 180 * 24 * hourMs }]);
    const { facts, since, early } = factsOfLearner(later);
    const starts = log.filter((entry) => entry.type === 'start');
    const young = starts.filter(({ exposure }) => exposure.at >= since);
    expect(young.length).toBeGreaterThan(0);
    expect(young.length).toBeLessThan(starts.length);
    expect(facts.starts.map(({ id }) => id).toSorted()).toEqual(young.map(({ id }) => id).toSorted());
    expect(new Set([...facts.money].map(({ chain }) => chain))).toEqual(new Set(young.map(({ id }) => id)));
    expect(early).toEqual([]);
    expect(last).toBeGreaterThan(since);
  });

  it('has no starts of before what the rebuild before it had read, though the horizon is longer now', () => {
    const half = log[Math.floor(log.length / 2)]!.at;
    const night = half + 180 * 24 * hourMs;
    const losses = { liveLoss: 0.1, rebuiltLoss: 0.2, judgedExposures: 600, exposures: 600 };
    const refused = { isPromoted: false, ...losses, liveSha256: 'a', rebuiltSha256: 'b', from: '600', since: half };
    const longer = { ...log.find((entry) => entry.type === 'catalogue')!, at: night, revision: 9, horizonDays: 365 };
    const later = live([
      { type: 'tick', at: night },
      { type: 'rebuild', at: night, night },
      { type: 'rebuilt', at: night, night, ...refused },
      longer,
      { type: 'tick', at: night + hourMs },
    ]);
    const { facts, since } = factsOfLearner(later);
    expect(since).toBe(half);
    expect(facts.starts.length).toBeGreaterThan(0);
    expect(facts.starts.every(({ exposure }) => exposure.at >= half)).toBe(true);
  });
});
