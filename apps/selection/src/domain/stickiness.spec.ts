import { describe, expect, it } from '@jest/globals';
import type { PaywallServed } from '@paywright/contracts';
import { decide, isRefusal } from '@paywright/event-sourcing';
import { ManualClock } from '@paywright/platform';
import { uniformPolicy, type EngineCatalog } from '@paywright/selection-engine';
import { hourMs, issuedAt } from '@paywright/selection-models/testing';
import { catalogOf, fallBack, model, placement, serve, type ServeGiven } from '../testing/selection-commands.ts';
import { selectionDecider, type SelectionCommand } from './selection-decider.ts';
import { initialState, selectionSnapshot, type SelectionState } from './selection-state.ts';

const dayMs = 24 * hourMs;
const ai = { target: 'ai_model', weight: 1 };
const baseline = { target: 'baseline', weight: 1 };
const stickyCatalog = (traffic: readonly object[], more: { model?: object; placement?: object } = {}) =>
  catalogOf({
    models: [model('main', traffic, more.model), model('other', [ai], { candidates: ['bold'] })],
    placements: [
      placement('onboarding', 'main', { stickyFor: 'P1D', ...more.placement }),
      placement('settings', 'other', { stickyFor: 'P7D' }),
    ],
  });
const mixed = stickyCatalog([ai, baseline]);

/** A profile that fetches again and again, by whatever catalog is valid then. */
class Profile {
  state: SelectionState = initialState;

  handle(command: SelectionCommand, catalog: EngineCatalog): PaywallServed['body'] {
    const inputs = { catalogOf: () => catalog, policyOf: () => uniformPolicy, clock: new ManualClock(issuedAt) };
    const decider = selectionDecider(inputs);
    const decision = decide(decider, command, this.state);
    if (isRefusal(decision)) throw new Error(decision.message);
    this.state = decision.events.reduce(decider.evolve, this.state);
    const [served] = decision.events;
    if (served?.type !== 'PaywallServed') throw new Error('nothing was served');
    return served.body;
  }

  fetch(given: ServeGiven = {}, catalog = mixed) {
    return this.handle(serve(given), catalog);
  }

  fetchTimes(times: number, given: ServeGiven = {}, catalog = mixed) {
    return Array.from({ length: times }, () => this.fetch(given, catalog));
  }
}

const kindOf = ({ paywall, target, isExperiment }: PaywallServed['body']) => ({ paywall, target, isExperiment });

describe('stickiness', () => {
  it('is off unless a placement asks for it', () => {
    const catalog = stickyCatalog([ai, baseline], { placement: { stickyFor: null } });
    const fetched = new Profile().fetchTimes(100, {}, catalog);
    expect(new Set(fetched.map(({ paywall }) => paywall)).size).toBe(3);
    expect(fetched.every(({ stickyTo, stickyUntil }) => stickyTo === null && stickyUntil === null)).toBe(true);
  });

  it('keeps target, paywall, experiment and probability of the first decision', () => {
    for (let times = 0; times < 30; times++) {
      const profile = new Profile();
      const first = profile.fetch();
      expect(first).toMatchObject({ stickyTo: null, stickyUntil: issuedAt + dayMs });
      for (const again of profile.fetchTimes(5, { at: issuedAt + dayMs - 1 })) {
        expect(kindOf(again)).toEqual(kindOf(first));
        expect(again).toMatchObject({
          stickyTo: first.decisionId,
          stickyUntil: first.stickyUntil,
          probability: first.probability,
          modelVersion: first.modelVersion,
          path: first.path,
          candidates: [],
        });
      }
    }
  });

  it('ends with its time, counted from the first decision; the next one is a first again', () => {
    const profile = new Profile();
    profile.fetch();
    profile.fetch({ at: issuedAt + hourMs });
    const next = profile.fetch({ at: issuedAt + dayMs });
    expect(next).toMatchObject({ stickyTo: null, stickyUntil: issuedAt + 2 * dayMs });
    expect(profile.fetch({ at: issuedAt + dayMs }).stickyTo).toBe(next.decisionId);
  });

  it('ends with the person: who was erased and came back begins anew', () => {
    const profile = new Profile();
    const before = profile.fetch();
    const back = { profileCreatedAt: issuedAt + 1 };
    const first = profile.fetch(back);
    expect(first).toMatchObject({ stickyTo: null, stickyUntil: issuedAt + dayMs });
    expect(first.decisionId).not.toBe(before.decisionId);
    expect(profile.fetch(back).stickyTo).toBe(first.decisionId);
  });

  it('ends when the placement asks for it no more', () => {
    const profile = new Profile();
    profile.fetch();
    const off = stickyCatalog([ai, baseline], { placement: { stickyFor: null } });
    expect(profile.fetch({}, off)).toMatchObject({ stickyTo: null, stickyUntil: null });
  });

  it('is each placement’s own', () => {
    const profile = new Profile();
    const first = profile.fetch();
    expect(profile.fetch({ placementId: 'settings' })).toMatchObject({ paywall: 'bold', stickyTo: null });
    expect(profile.fetch({ placementId: 'settings' }).stickyTo).not.toBe(first.decisionId);
    expect(profile.fetch().stickyTo).toBe(first.decisionId);
  });

  it('ends when the paywall can no longer be served there', () => {
    const profile = new Profile();
    const first = profile.fetch({}, stickyCatalog([ai], { model: { candidates: ['calm'] } }));
    const without = stickyCatalog([ai], { model: { candidates: ['bold'] } });
    const next = profile.fetch({}, without);
    expect(next).toMatchObject({ paywall: 'bold', stickyTo: null });
    expect(next.decisionId).not.toBe(first.decisionId);
    expect(profile.fetch({}, without).stickyTo).toBe(next.decisionId);
  });

  it('ends when its target gets no traffic there any more', () => {
    const profile = new Profile();
    profile.fetch({}, stickyCatalog([ai]));
    expect(profile.fetch({}, stickyCatalog([baseline]))).toMatchObject({ target: 'baseline', stickyTo: null });
  });

  it('lasts through other weights, and through another placement', () => {
    const profile = new Profile();
    const led = [{ target: 'placement', placement: 'settings', weight: 1 }];
    const first = profile.fetch({}, stickyCatalog(led));
    const rarely = stickyCatalog([{ ...led[0], weight: 1e-9 }, baseline]);
    for (const again of profile.fetchTimes(10, {}, rarely)) {
      expect(again).toMatchObject({
        target: 'placement',
        paywall: 'bold',
        isExperiment: false,
        stickyTo: first.decisionId,
      });
    }
  });

  it('is for a known profile: Baseline alone neither begins it nor is held by it', () => {
    const profile = new Profile();
    const only = { baselineOnly: true };
    expect(profile.fetch(only)).toMatchObject({ target: 'baseline', stickyUntil: null });
    const first = profile.fetch({}, stickyCatalog([ai]));
    expect(first.stickyTo).toBeNull();
    expect(profile.fetch(only)).toMatchObject({ target: 'baseline', paywall: 'plain', stickyTo: null });
    expect(profile.fetch().stickyTo).toBe(first.decisionId);
  });

  it('is not begun by a fallback', () => {
    const profile = new Profile();
    const late = serve();
    expect(profile.handle(fallBack(late.id), mixed)).toMatchObject({ stickyUntil: null });
    expect(profile.handle(late, mixed)).toMatchObject({ stickyTo: null, stickyUntil: null });
    expect(profile.fetch()).toMatchObject({ stickyTo: null, stickyUntil: issuedAt + dayMs });
  });

  it('is undone for a decision that a fallback supersedes', () => {
    const profile = new Profile();
    const slow = serve();
    profile.handle(slow, mixed);
    profile.handle(fallBack(slow.id), mixed);
    const next = profile.fetch();
    expect(next.stickyTo).toBeNull();
    expect(profile.fetch().stickyTo).toBe(next.decisionId);
  });

  it('stays for a decision that a fallback supersedes, where another request repeated it and was answered', () => {
    for (let times = 0; times < 30; times++) {
      const profile = new Profile();
      const slow = serve();
      profile.handle(slow, mixed);
      const given = profile.fetch();
      profile.handle(fallBack(slow.id), mixed);
      for (const again of profile.fetchTimes(20)) {
        expect(kindOf(again)).toEqual(kindOf(given));
        expect(again).toMatchObject({ stickyTo: slow.id, stickyUntil: given.stickyUntil });
      }
    }
  });

  it('is undone once every decision that gave it is superseded', () => {
    const profile = new Profile();
    const slow = Array.from({ length: 4 }, () => serve());
    const late = serve();
    for (const one of slow) profile.handle(one, mixed);
    profile.handle(fallBack(late.id), mixed);
    profile.handle(late, mixed);
    for (const { id } of slow) {
      expect(profile.state.sticky.size).toBe(1);
      profile.handle(fallBack(id), mixed);
    }
    expect(profile.fetch().stickyTo).toBeNull();
  });

  it('is not undone by a hundred fallbacks of one who has it for long', () => {
    const profile = new Profile();
    const first = profile.fetch();
    const slow = Array.from({ length: 100 }, () => serve());
    for (const one of slow) profile.handle(one, mixed);
    for (const { id } of slow) profile.handle(fallBack(id), mixed);
    expect(profile.fetch().stickyTo).toBe(first.decisionId);
  });

  it('outlives a snapshot', () => {
    const profile = new Profile();
    profile.handle(fallBack(serve().id), mixed);
    profile.fetch();
    profile.fetch({ placementId: 'settings' });
    const restored = selectionSnapshot.decode(JSON.parse(JSON.stringify(selectionSnapshot.encode(profile.state))));
    expect(restored).toEqual(profile.state);
    expect(profile.state.sticky.size).toBe(2);
  });

  it('remembers few superseded decisions', () => {
    const profile = new Profile();
    const last = serve();
    for (let times = 0; times < 50; times++) profile.handle(fallBack(serve().id), mixed);
    profile.handle(fallBack(last.id), mixed);
    expect(profile.state.superseded).toHaveLength(32);
    expect(profile.handle(last, mixed).stickyUntil).toBeNull();
  });
});
