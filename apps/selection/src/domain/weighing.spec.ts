import { describe, expect, it } from '@jest/globals';
import { PaywallServed } from '@paywright/contracts';
import { decide, isRefusal } from '@paywright/event-sourcing';
import { ManualClock } from '@paywright/platform';
import {
  decodeSnapshot,
  learnedPolicy,
  replayDecision,
  uniformPolicy,
  type EngineCatalog,
  type Policy,
} from '@paywright/selection-engine';
import { context, issuedAt, learned } from '@paywright/selection-models/testing';
import { catalogOf, model, placement, serve } from '../testing/selection-commands.ts';
import { selectionDecider } from './selection-decider.ts';
import { initialState } from './selection-state.ts';

const snapshot = learned();
const policy = learnedPolicy(snapshot.sha256, decodeSnapshot(snapshot.bytes));
const ai = { target: 'ai_model', weight: 90 };
const baseline = { target: 'baseline', weight: 10 };
const led = { target: 'placement', placement: 'settings', weight: 100 };
const catalog = (traffic: readonly object[] = [ai, baseline], shown = 'calm') =>
  catalogOf({
    models: [model('main', traffic), model('other', [ai, baseline])],
    placements: [
      placement('onboarding', 'main', { baseline: shown }),
      placement('settings', 'other'),
      placement('plain', null),
    ],
  });

interface Given {
  readonly over?: EngineCatalog;
  readonly by?: (appId: number, name: string) => Policy;
  readonly command?: ReturnType<typeof serve>;
  readonly aiShares?: Readonly<Record<string, number>> | null;
}

function served({ over = catalog(), by = () => policy, command = serve(), aiShares = null }: Given = {}) {
  const clock = new ManualClock(issuedAt);
  const decider = selectionDecider({
    catalogOf: () => over,
    policyOf: by,
    aiSharesOf: () => aiShares,
    utcOffsetOf: () => 60,
    clock,
  });
  const decision = decide(decider, command, initialState);
  if (isRefusal(decision)) throw new Error(decision.message);
  const [event] = decision.events;
  if (event?.type !== 'PaywallServed') throw new Error('nothing was served');
  expect(PaywallServed.body.parse(JSON.parse(JSON.stringify(event.body)))).toEqual(event.body);
  return event.body;
}

/** The first of many that went this way. */
function servedBy(target: 'ai_model' | 'baseline', given: Given = {}) {
  for (;;) {
    const one = served({ ...given, command: serve() });
    if (one.path.at(-1)?.target === target) return one;
  }
}

describe('the weighing of a decision', () => {
  it('says how AI and Baseline would have shown each candidate', () => {
    const { weighing, candidates, modelVersion } = servedBy('ai_model');
    const [calm, bold] = weighing?.candidates ?? [];
    const chosen = policy.choose({ facts: context, at: issuedAt, placementId: 'onboarding' }, [
      { paywall: 'calm', paywallId: 1, externalId: '' },
      { paywall: 'bold', paywallId: 2, externalId: '' },
    ]);
    expect(weighing).toMatchObject({ model: 'main', policy: modelVersion, aiWeight: 90, baselineWeight: 10 });
    expect(weighing?.candidates.map(({ score, probability }) => [score, probability])).toEqual(
      candidates.map(({ score, probability }) => [score, probability]),
    );
    expect([calm?.variance, bold?.variance]).toEqual([...chosen.variances]);
    expect([calm?.value, bold?.value]).toEqual([...chosen.values]);
    const { calibration, horizonDays } = decodeSnapshot(snapshot.bytes);
    expect(weighing?.calibration).toEqual({ ...calibration, horizonDays });
    expect(calm?.propensity).toBeCloseTo(0.9 * (calm?.probability ?? 0) + 0.1, 12);
    expect(bold?.propensity).toBeCloseTo(0.9 * (bold?.probability ?? 0), 12);
    expect(weighing).toMatchObject({ baselinePaywall: 'calm', baselinePropensity: calm?.propensity });
  });

  it('is the same for what Baseline was drawn for, where nothing else of the policy is recorded', () => {
    const drawn = servedBy('baseline');
    expect(drawn.weighing).toEqual(servedBy('ai_model').weighing);
    expect(drawn).toMatchObject({ candidates: [], probability: null, modelVersion: null });
  });

  it('knows a Baseline that is no candidate', () => {
    const { weighing } = served({ over: catalog([ai, baseline], 'plain') });
    expect(weighing).toMatchObject({ baselinePaywall: 'plain', baselinePropensity: 0.1 });
    const sum = weighing?.candidates.reduce((total, { propensity }) => total + propensity, 0);
    expect(sum).toBeCloseTo(0.9, 12);
  });

  it('has neither variances nor values while nothing was learned', () => {
    const { weighing } = served({ by: () => uniformPolicy });
    expect(weighing?.policy).toBe('uniform-1');
    expect(weighing?.candidates.map(({ variance, value }) => [variance, value])).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  it('is the serving placement’s, wherever the request came from', () => {
    const { weighing } = served({ over: catalog([led]) });
    expect(weighing).toMatchObject({ model: 'other', aiWeight: 90, baselineWeight: 10, baselinePaywall: 'plain' });
  });

  it('is absent where AI could not have been drawn', () => {
    expect(served({ over: catalog([baseline]) }).weighing).toBeUndefined();
    expect(served({ command: serve({ placementId: 'plain' }) }).weighing).toBeUndefined();
    expect(served({ command: serve({ baselineOnly: true }) }).weighing).toBeUndefined();
  });

  it('asks the policy once', () => {
    let times = 0;
    const counted: Policy = {
      version: policy.version,
      choose: (...given) => {
        times++;
        return policy.choose(...given);
      },
    };
    servedBy('ai_model', { over: catalog([ai]), by: () => counted });
    expect(times).toBe(1);
  });

  it('names the models whose guard holds AI back', () => {
    expect(served({ aiShares: { main: 0.5 } }).aiShares).toEqual({ main: 0.5 });
    expect(served()).not.toHaveProperty('aiShares');
  });

  it('keeps the user’s clock, where a time zone is known', () => {
    const command = serve();
    const zoned = { ...command, body: { ...command.body, context: { ...context, timezone: 'Europe/Berlin' } } };
    expect(served({ command: zoned }).weighing?.utcOffsetMinutes).toBe(60);
    expect(served().weighing?.utcOffsetMinutes).toBeNull();
  });

  it('replays to the same bits, whatever was learned since', () => {
    for (let times = 0; times < 20; times++) {
      const body = served();
      const again = learnedPolicy(snapshot.sha256, decodeSnapshot(snapshot.bytes));
      expect(replayDecision(JSON.parse(JSON.stringify(body)), issuedAt, catalog(), () => again).same).toBe(true);
    }
    const newer = learned({ calm: 0.3, bold: 0.02 });
    const other = learnedPolicy(newer.sha256, decodeSnapshot(newer.bytes));
    expect(replayDecision(servedBy('ai_model'), issuedAt, catalog(), () => other).same).toBe(false);
  });
});
