import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  FreezeModel,
  LimitModelShare,
  ModelFrozen,
  ModelGuardReleased,
  ModelGuardTripped,
  ModelShareLimited,
  ModelUnfrozen,
  SetAiShare,
  topics,
  type AiShare,
  type ShareLimit,
} from '@paywright/contracts';
import { decide, StreamStates } from '@paywright/event-sourcing';
import { commandFor, InMemoryEventStore, specification } from '@paywright/event-sourcing/testing';
import { ManualClock } from '@paywright/platform';
import { modelStreamOf } from '@paywright/purchases';
import { uniformPolicy } from '@paywright/selection-engine';
import { issuedAt } from '@paywright/selection-models/testing';
import { controlledStream, controlRecords } from '../control-records.ts';
import { shareOf } from './control-model.ts';
import { selectionDecider } from './selection-decider.ts';
import { initialState, selectionSnapshot, type SelectionEvent } from './selection-state.ts';

const decider = selectionDecider({
  catalogOf: () => undefined,
  policyOf: () => uniformPolicy,
  clock: new ManualClock(0),
});
const { given } = specification(decider);
const key = modelStreamOf({ appId: 1, model: 'main' });
const envelope = () => ({ id: randomUUID(), key, issuedAt });
const evidence = { starts: { difference: -0.1, halfWidth: 0.05 }, usd: null, exposures: 1_000 };

const share = (from: AiShare | null, aiShare: AiShare, found: typeof evidence | null = evidence) =>
  commandFor(SetAiShare, { ...envelope(), body: { model: 'main', from, aiShare, evidence: found } });
const limit = (aiShare: ShareLimit) =>
  commandFor(LimitModelShare, { ...envelope(), body: { model: 'main', aiShare, actor: 'ops' } });
const limited = (formerAiShare: number, aiShare: number) =>
  ModelShareLimited.of({ appId: 1, model: 'main', aiShare, formerAiShare, actor: 'ops' });
const freeze = (isFrozen: boolean) => commandFor(FreezeModel, { ...envelope(), body: { model: 'main', isFrozen } });
const change = (formerAiShare: AiShare, aiShare: AiShare) => {
  return { appId: 1, model: 'main', formerAiShare, aiShare, evidence };
};
const halved = ModelGuardTripped.of(change(1, 0.5));
/** As its stream holds it. */
const recorded = <E extends SelectionEvent>(event: E, index: number) => ({
  ...{ id: randomUUID(), stream: key, streamVersion: index + 1, time: issuedAt, correlationId: '', causationId: '' },
  ...event,
});

describe('SetAiShare', () => {
  it('holds AI back, twice at the most', () => {
    given([]).when(share(1, 0.5)).then([halved]).thenReply({ aiShare: 0.5 });
    given([halved])
      .when(share(0.5, 0))
      .then([ModelGuardTripped.of(change(0.5, 0))]);
  });

  it('lets AI go, by the guard or by a person', () => {
    given([halved])
      .when(share(0.5, 1))
      .then([ModelGuardReleased.of(change(0.5, 1))]);
    given([halved])
      .when(share(null, 1, null))
      .then([ModelGuardReleased.of({ ...change(0.5, 1), evidence: null })]);
    const byOps = { model: 'main', from: null, aiShare: 1, evidence: null, actor: 'ops' } as const;
    given([halved])
      .when(commandFor(SetAiShare, { ...envelope(), body: byOps }))
      .then([ModelGuardReleased.of({ ...change(0.5, 1), evidence: null, actor: 'ops' })]);
  });

  it('leaves it to the catalog to hold AI back without evidence', () => {
    given([])
      .when(share(null, 0, null))
      .thenRefused('VALIDATION_FAILED');
  });

  it('changes nothing where another share holds than the one that was found wanting', () => {
    given([halved]).when(share(1, 0)).thenNothing().thenReply({ aiShare: 0.5 });
    given([halved]).when(share(1, 0.5)).thenNothing();
    given([])
      .when(share(null, 1, null))
      .thenNothing();
  });
});

describe('SetAiShare of a guard that learns its log again', () => {
  const found = (version: number) =>
    commandFor(SetAiShare, { ...envelope(), body: { model: 'main', from: 1, version, aiShare: 0.5, evidence } });
  const released = ModelGuardReleased.of({ ...change(0.5, 1), evidence: null });

  it('changes nothing where more was done to the model since', () => {
    given([halved, released]).when(found(0)).thenNothing().thenReply({ aiShare: 1 });
    given([halved, released]).when(found(1)).thenNothing();
    given([halved, released]).when(found(2)).then([halved]);
    given([ModelFrozen.of({ appId: 1, model: 'main' })])
      .when(found(0))
      .thenNothing();
  });

  it('changes nothing of what is long past either where an older snapshot knew no version', async () => {
    const store = new InMemoryEventStore();
    const control = { aiShare: 1, limit: 1, isFrozen: false };
    const former = { stream: key, version: 2, code: 'selection-1', state: { sticky: [], superseded: [], control } };
    await store.append({ inbox: [], events: [halved, released].map(recorded), personal: [], snapshots: [former] });
    const { state } = (await new StreamStates(decider, store, (event) => event, 1).load([key])).get(key)!;
    expect(state.control).toEqual({ ...control, version: 2 });
    expect(decide(decider, found(1), state)).toMatchObject({ events: [] });
    expect(decide(decider, found(2), state)).toMatchObject({ events: [halved] });
  });
});

describe('LimitModelShare', () => {
  it('leaves AI what a person says, to nothing and back', () => {
    given([])
      .when(limit(0.25))
      .then([limited(1, 0.25)])
      .thenReply({ aiShare: 0.25 });
    given([limited(1, 0.25)])
      .when(limit(0))
      .then([limited(0.25, 0)]);
    given([limited(1, 0)])
      .when(limit(1))
      .then([limited(0, 1)]);
    given([limited(1, 0.25)])
      .when(limit(0.25))
      .thenNothing()
      .thenReply({ aiShare: 0.25 });
  });

  it('is of what the guard takes its part', () => {
    const quarter = limited(1, 0.25);
    given([quarter])
      .when(share(1, 0.5))
      .then([ModelGuardTripped.of(change(1, 0.5))]);
    given([quarter, halved])
      .when(limit(0.25))
      .then([limited(0.125, 0.25)]);
    given([quarter, halved])
      .when(share(0.5, 1))
      .then([ModelGuardReleased.of(change(0.5, 1))]);
  });

  it('holds whatever the guard had taken, and says that this is released where it alone had taken', () => {
    given([halved])
      .when(limit(0.5))
      .then([limited(0.5, 0.5)]);
    given([halved])
      .when(limit(1))
      .then([ModelGuardReleased.of({ ...change(0.5, 1), evidence: null, actor: 'ops' })]);
    given([limited(1, 0.5), halved])
      .when(share(null, 1, null))
      .then([ModelShareLimited.of({ appId: 1, model: 'main', aiShare: 1, formerAiShare: 0.25 })]);
  });

  it('leaves AI no more than a person said, whatever guard and people do', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...['0', '0.25', '0.5', '1', 'worse', 'better'])), (words) => {
        let state = initialState;
        let said = 1;
        for (const word of words) {
          const { aiShare } = state.control;
          const down = aiShare === 1 ? 0.5 : 0;
          const command = word === 'worse' ? share(aiShare, down) : word === 'better' ? share(aiShare, 1) : limit(Number(word) as ShareLimit); // prettier-ignore
          const decision = decide(decider, command, state);
          if (!('events' in decision)) throw new Error('It was refused.');
          state = decision.events.reduce<typeof state>((before, event) => decider.evolve(before, event), state);
          if (command.type === 'LimitModelShare') {
            said = command.body.aiShare;
            expect(shareOf(state.control)).toBe(said);
          }
          expect(shareOf(state.control)).toBe(said * state.control.aiShare);
        }
      }),
    ));
});

describe('FreezeModel', () => {
  const frozen = ModelFrozen.of({ appId: 1, model: 'main' });

  it('freezes and unfreezes, once each', () => {
    given([]).when(freeze(true)).then([frozen]);
    given([frozen]).when(freeze(true)).thenNothing().thenReply({ isFrozen: true });
    given([frozen])
      .when(freeze(false))
      .then([ModelUnfrozen.of({ appId: 1, model: 'main' })]);
  });

  it('names the person who asked', () => {
    const body = { model: 'main', isFrozen: true, actor: 'ops' };
    given([])
      .when(commandFor(FreezeModel, { ...envelope(), body }))
      .then([ModelFrozen.of({ appId: 1, model: 'main', actor: 'ops' })]);
  });
});

describe('a model’s state', () => {
  it('outlives a snapshot', () => {
    const state = [limited(1, 0.25), halved, ModelFrozen.of({ appId: 1, model: 'main' })].reduce<typeof initialState>(
      (before, event: SelectionEvent) => decider.evolve(before, event),
      initialState,
    );
    expect(state.control).toEqual({ aiShare: 0.5, limit: 0.25, isFrozen: true, version: 3 });
    expect(selectionSnapshot.decode(JSON.parse(JSON.stringify(selectionSnapshot.encode(state))))).toEqual(state);
  });
});

describe('controlRecords', () => {
  type Changed = typeof halved | ReturnType<typeof limited> | ReturnType<typeof ModelGuardReleased.of>;
  const accepted = (versions: readonly number[], event: Changed = halved) =>
    controlRecords({
      events: versions.map((version) => recorded(event, version - 1)),
      state: { ...initialState, control: { aiShare: 0.5, limit: 0.5, isFrozen: true, version: 3 } },
    });

  it('tells those who serve the model, and its log', () => {
    const records = accepted([3]);
    expect(records.map(({ topic, key: recordKey }) => [topic, recordKey])).toEqual([
      [topics.selectionModels, '1/main/control'],
      [topics.selectionLearning, '1/main'],
    ]);
    expect(records.map(({ value }): unknown => JSON.parse(String(value)))).toEqual([
      { kind: 'control', appId: 1, model: 'main', aiShare: 0.25, version: 3 },
      { type: 'control', at: issuedAt, version: 3, aiShare: 0.5, isFrozen: true, isRestored: false },
    ]);
  });

  it('tells the log of a person who gives AI its share back, and of no other return', () => {
    const restoredBy = (found: typeof evidence | null): unknown => {
      const [, entry] = accepted([2], ModelGuardReleased.of({ ...change(0.5, 1), evidence: found }));
      return JSON.parse(String(entry?.value));
    };
    expect(restoredBy(null)).toMatchObject({ isRestored: true });
    expect(restoredBy(evidence)).toMatchObject({ isRestored: false });
    const [, entry] = accepted([3], limited(1, 0.5));
    expect(JSON.parse(String(entry?.value))).toMatchObject({ isRestored: true });
  });

  it('are known by their key to tell the model’s stream', () => {
    expect(accepted([3]).map((record) => controlledStream(record.key ?? ''))).toEqual([key, null]);
    expect(['1/main', '1/main/0', '/control', 'main/control'].map(controlledStream)).toEqual([null, null, null, null]);
  });

  it('tells nobody of what changed nothing', () => expect(accepted([])).toEqual([]));
});
