import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  FreezeModel,
  ModelFrozen,
  ModelGuardReleased,
  ModelGuardTripped,
  ModelUnfrozen,
  SetAiShare,
  topics,
  type AiShare,
} from '@paywright/contracts';
import { commandFor, specification } from '@paywright/event-sourcing/testing';
import { ManualClock } from '@paywright/platform';
import { modelStreamOf } from '@paywright/purchases';
import { uniformPolicy } from '@paywright/selection-engine';
import { issuedAt } from '@paywright/selection-models/testing';
import { controlRecords } from '../control-records.ts';
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
const freeze = (isFrozen: boolean) => commandFor(FreezeModel, { ...envelope(), body: { model: 'main', isFrozen } });
const change = (formerAiShare: AiShare, aiShare: AiShare) => {
  return { appId: 1, model: 'main', formerAiShare, aiShare, evidence };
};
const halved = ModelGuardTripped.of(change(1, 0.5));

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
  it('outlives a snapshot, and is absent in older ones', () => {
    const state = [halved, ModelFrozen.of({ appId: 1, model: 'main' })].reduce<typeof initialState>(
      (before, event: SelectionEvent) => decider.evolve(before, event),
      initialState,
    );
    expect(state.control).toEqual({ aiShare: 0.5, isFrozen: true });
    expect(selectionSnapshot.decode(JSON.parse(JSON.stringify(selectionSnapshot.encode(state))))).toEqual(state);
    expect(selectionSnapshot.decode({ sticky: [], superseded: [] })).toEqual(initialState);
  });
});

describe('controlRecords', () => {
  type Changed = typeof halved | ReturnType<typeof ModelGuardReleased.of>;
  const accepted = (versions: readonly number[], event: Changed = halved) =>
    controlRecords({
      events: versions.map((streamVersion) => ({
        ...{ id: randomUUID(), stream: key, streamVersion, time: issuedAt, correlationId: '', causationId: '' },
        ...event,
      })),
      state: { ...initialState, control: { aiShare: 0.5, isFrozen: true } },
    });

  it('tells those who serve the model, and its log', () => {
    const records = accepted([3]);
    expect(records.map(({ topic, key: recordKey }) => [topic, recordKey])).toEqual([
      [topics.selectionModels, '1/main/control'],
      [topics.selectionLearning, '1/main'],
    ]);
    expect(records.map(({ value }): unknown => JSON.parse(String(value)))).toEqual([
      { kind: 'control', appId: 1, model: 'main', aiShare: 0.5 },
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
  });

  it('tells nobody of what changed nothing', () => expect(accepted([])).toEqual([]));
});
