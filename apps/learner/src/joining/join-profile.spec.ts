import { describe, expect, it } from '@jest/globals';
import { emptyJourney, Journey, type Start, type View } from './journey.ts';
import type { Fact, Joined } from './fact.ts';
import { joinProfile } from './join-profile.ts';

const start = Date.UTC(2026, 0, 1);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Joins the facts one after the other, through JSON as the database has it.
 * @param joinedUntil until when everything is joined, behind the beginning; the time of each fact if absent
 * @returns all that followed
 */
function join(facts: readonly Fact[], joinedUntil?: number): Joined {
  let all: Joined = { journey: emptyJourney(1), records: [], credited: [], losses: [] };
  for (const fact of facts) {
    const until = joinedUntil === undefined ? timeOf(fact) : start + joinedUntil;
    const next = joinProfile(Journey.parse(JSON.parse(JSON.stringify(all.journey))), fact, until);
    all = {
      journey: next.journey,
      records: [...all.records, ...next.records],
      credited: [...all.credited, ...next.credited],
      losses: [...all.losses, ...next.losses],
    };
  }
  return all;
}

const timeOf = (fact: Fact): number => {
  if (fact.type === 'decided') return fact.decided.at;
  if (fact.type === 'viewed') return fact.view.at;
  return fact.type === 'started' ? fact.start.at : fact.at;
};
const paywallIds: Readonly<Record<string, number>> = { calm: 1, bold: 2 };
interface DecidedGiven {
  readonly paywall?: string;
  readonly model?: string;
  readonly stickyUntil?: number | null;
  /** When the profile was created, behind the beginning. */
  readonly createdAt?: number;
}
const decided = (id: string, at: number, given: DecidedGiven = {}): Fact => {
  const { paywall = 'calm', model = 'main', stickyUntil = null, createdAt = 0 } = given;
  const named = {
    id,
    at: start + at,
    model,
    modelId: 11,
    paywallId: paywallIds[paywall] ?? 9,
    placementId: 'onboarding',
    profileCreatedAt: start + createdAt,
  };
  const drawn = { values: { country: 'de' }, side: 'ai' as const, share: 0.9, logValue: -2 };
  return { type: 'decided', decided: { ...named, paywall, ...drawn }, stickyUntil, probabilities: [[paywall, 1]] };
};
const view = (decisionId: string | null, at: number, given: Partial<View> = {}): View => ({
  id: `view ${decisionId} ${at}`,
  at: start + at,
  decisionId,
  placementId: 'onboarding',
  paywallId: 1,
  modelId: 11,
  model: 'main',
  paywall: 'calm',
  ...given,
});
const viewed = (...given: Parameters<typeof view>): Fact => ({ type: 'viewed', view: view(...given) });
const bought = (chain: string, at: number, given: Partial<Start> = {}): Fact => {
  const plan = { product: 'monthly', plan: 'month', periodDays: 30, trialDays: 0 };
  return {
    type: 'started',
    start: { id: chain, chain, at: start + at, heardAt: start + at, paywallId: 1, ...plan, ...given },
  };
};
const passed = (at: number): Fact => ({ type: 'passed', at: start + at });

const kindsOf = ({ records }: Joined) => records.map(({ record }) => record.type);
const shownOf = ({ records }: Joined) =>
  records.flatMap(({ record }) => (record.type === 'shown' ? [[record.id, record.at - start]] : []));
const uncreditedOf = ({ credited }: Joined) => credited.filter(({ model }) => model === null).map(({ id }) => id);
const creditsOf = ({ records }: Joined) =>
  records.flatMap(({ record }) => (record.type === 'start' ? [[record.id, record.exposure.id]] : []));

describe('exposures', () => {
  it('are decisions that were seen, once each', () => {
    const joined = join([decided('d', 0), viewed('d', minute), viewed('d', hour)]);
    expect(kindsOf(joined)).toEqual(['decision', 'shown']);
    expect(joined.records[1]).toEqual({
      model: 'main',
      record: {
        type: 'shown',
        id: 'd',
        at: start + minute,
        paywall: 'calm',
        values: { country: 'de' },
        side: 'ai',
        share: 0.9,
        logValue: -2,
      },
    });
  });

  it('wait for their decision, if the view overtook it', () =>
    expect(shownOf(join([viewed('d', minute), decided('d', 0)]))).toEqual([['d', minute]]));

  it('are none where nothing was decided', () => {
    const joined = join([viewed('d', minute), passed(day), passed(26 * hour)]);
    expect([kindsOf(joined), joined.losses]).toEqual([[], ['view without decision']]);
    expect(joined.journey.views).toEqual([]);
  });

  it('are the first decision’s, whichever repeat was seen', () => {
    const repeated: Fact = { type: 'repeated', id: 'r', of: 'd', at: start + 5 * day };
    const sticky = decided('d', 0, { stickyUntil: start + 7 * day });
    expect(
      shownOf(join([sticky, passed(4 * day), repeated, viewed('r', 5 * day + minute), viewed('d', 6 * day)])),
    ).toEqual([['d', 5 * day + minute]]);
    expect(shownOf(join([sticky, viewed('r', 5 * day), repeated]))).toEqual([['d', 5 * day]]);
  });

  it('are the first decision’s without a token too, however long it has been kept', () => {
    const repeated: Fact = { type: 'repeated', id: 'r', of: 'd', at: start + 5 * day };
    const sticky = decided('d', 0, { stickyUntil: start + 7 * day });
    for (const facts of [
      [sticky, viewed('d', minute), repeated, viewed(null, 5 * day + minute)],
      [sticky, viewed('d', minute), viewed(null, 5 * day - 1_000), repeated],
    ]) {
      const joined = join([...facts, passed(5 * day + hour)]);
      expect([shownOf(joined), joined.losses]).toEqual([[['d', minute]], []]);
    }
    const unseen = join([sticky, repeated, viewed(null, 5 * day + minute)]);
    expect([shownOf(unseen), unseen.losses]).toEqual([[['d', 5 * day + minute]], []]);
    const newer = decided('e', 5 * day + hour);
    expect(shownOf(join([sticky, repeated, newer, viewed(null, 5 * day + 2 * hour)]))).toEqual([
      ['e', 5 * day + 2 * hour],
    ]);
  });

  it('are not of decisions that count for nothing, whichever came first', () => {
    const superseded: Fact = { type: 'superseded', id: 'd', at: start + 1_000 };
    for (const facts of [
      [decided('d', 0), superseded, viewed('d', minute)],
      [superseded, decided('d', 0), viewed('d', minute)],
      [viewed('d', minute), superseded, decided('d', 0), passed(26 * hour)],
    ])
      expect(shownOf(join(facts))).toEqual([]);
  });

  it('are the first decision’s, also where it counts for nothing and a repeat of it was given', () => {
    const superseded = (id: string, at: number): Fact => ({ type: 'superseded', id, at: start + at });
    const repeated = (id: string, at: number): Fact => ({ type: 'repeated', id, of: 'd', at: start + at });
    const both = [decided('d', 0, { stickyUntil: start + 7 * day }), repeated('r', 1_000), superseded('d', 2_000)];
    for (const facts of [
      [...both, viewed('r', minute)],
      [viewed('r', minute), ...both],
      [...both, viewed(null, minute)],
      [...both, repeated('s', 3_000), superseded('r', 4_000), viewed('s', minute)],
      [...both, superseded('s', 3_000), repeated('s', 4_000), viewed('r', minute)],
    ])
      expect([shownOf(join(facts)), join(facts).losses]).toEqual([[['d', minute]], []]);
    expect(
      shownOf(join([...both, passed(5 * day), repeated('s', 6 * day), viewed('s', 6 * day), viewed('r', 6 * day)])),
    ).toEqual([['d', 6 * day]]);
    for (const facts of [
      [...both, viewed('d', minute)],
      [...both, superseded('r', 3_000), viewed('r', minute), viewed(null, minute, { model: null })],
      [...both, superseded('s', 3_000), repeated('s', 4_000), superseded('r', 5_000), viewed('s', minute)],
    ])
      expect(shownOf(join([...facts, passed(26 * hour)]))).toEqual([]);
  });

  it('are found without a token, by the latest decision of the past 24 h', () => {
    const seen = viewed(null, 2 * hour);
    expect(shownOf(join([decided('a', 0), decided('b', hour), decided('c', hour, { paywall: 'bold' }), seen]))).toEqual(
      [['b', 2 * hour]],
    );
    expect(shownOf(join([viewed(null, minute), decided('a', minute - 1_000)]))).toEqual([['a', minute]]);
  });

  it('have no known chance without a decision, and then the context of the last one', () => {
    const joined = join([decided('old', 0), viewed(null, 25 * hour, { id: 'v' }), passed(26 * hour)]);
    const exposure = { id: 'v', side: null, share: 0, logValue: null, values: { country: 'de' } };
    expect(joined.records.at(-1)?.record).toMatchObject({ type: 'shown', at: start + 25 * hour, ...exposure });
    expect(joined.losses).toEqual(['unknown propensity']);
    expect(kindsOf(join([viewed(null, 0, { model: null }), passed(hour)]))).toEqual([]);
  });

  it('are not forgotten while their views may still come, however late they are read', () => {
    const facts = Array.from({ length: 10 }, (_, index) => decided(`${index}`, index * 30 * day));
    const views = Array.from({ length: 10 }, (_, index) => viewed(`${index}`, index * 30 * day + minute));
    expect(shownOf(join([...facts, ...views], 0))).toHaveLength(10);
    const tokenless = viewed(null, minute);
    expect(shownOf(join([...facts, tokenless], 0))).toEqual([['0', minute]]);
  });

  it('are forgotten with time', () => {
    const facts = [decided('d', 0), decided('unseen', 0), viewed('d', minute)];
    expect(join([...facts, passed(2 * day)]).journey.decisions.map(({ id }) => id)).toEqual(['d']);
    expect(join([...facts, passed(17 * day)]).journey.decisions).toEqual([]);
  });
});

describe('starts', () => {
  const shown = [decided('a', 0), viewed('a', 1), decided('b', hour, { paywall: 'bold' }), viewed('b', hour + 1)];

  it('go to the last exposure of the same paywall, else to the last one', () => {
    expect(creditsOf(join([...shown, bought('c', 2 * hour)]))).toEqual([['c', 'a']]);
    expect(creditsOf(join([...shown, bought('c', 2 * hour, { paywallId: 2 })]))).toEqual([['c', 'b']]);
    expect(creditsOf(join([...shown, bought('c', 2 * hour, { paywallId: 7 })]))).toEqual([['c', 'b']]);
    expect(creditsOf(join([...shown, bought('c', 2 * hour, { paywallId: null })]))).toEqual([['c', 'b']]);
    const again = [decided('a2', 90 * minute), viewed('a2', 91 * minute)];
    expect(creditsOf(join([...shown, ...again, bought('c', 2 * hour)]))).toEqual([['c', 'a2']]);
  });

  it('carry the exposure with them, and tell which model their money follows', () => {
    const joined = join([...shown, bought('c', 2 * hour)]);
    const record = joined.records.at(-1)?.record;
    expect(record).toMatchObject({ type: 'start', id: 'c', country: 'de', product: 'monthly', periodDays: 30 });
    expect(record).toMatchObject({ exposure: { id: 'a', at: start + 1, paywall: 'calm' } });
    expect(joined.credited).toEqual([{ chain: 'c', id: 'c', model: 'main' }]);
  });

  it('that waited before anything could be bought again have the id of their chain', () => {
    const { journey } = join([bought('c', minute)]);
    const kept = journey.starts.map((start) => ({ ...start, id: undefined }));
    expect(Journey.parse({ ...journey, starts: kept })).toEqual(journey);
  });

  it('wait 25 h for a late view', () => {
    const facts = [decided('a', 0), bought('c', minute)];
    expect(creditsOf(join(facts))).toEqual([]);
    expect(creditsOf(join([...facts, passed(20 * hour), viewed('a', 24 * hour)]))).toEqual([['c', 'a']]);
    const tooLate = join([...facts, passed(26 * hour), viewed('a', 27 * hour)]);
    expect([creditsOf(tooLate), uncreditedOf(tooLate), tooLate.losses]).toEqual([
      [],
      ['c'],
      ['start without exposure', 'view without decision'].slice(0, 1),
    ]);
  });

  it('wait for the view of their own paywall, before another’s is taken', () => {
    const facts = [decided('b', 0, { paywall: 'bold' }), viewed('b', 1), decided('a', hour), bought('c', 2 * hour)];
    expect(creditsOf(join([...facts, viewed('a', 3 * hour)]))).toEqual([['c', 'a']]);
    expect(creditsOf(join([...facts, passed(28 * hour)]))).toEqual([['c', 'b']]);
  });

  it('go to nothing that was decided after them, or seen more than 14 days before', () => {
    expect(uncreditedOf(join([bought('c', 0), decided('a', hour), viewed('a', 2 * hour), passed(26 * hour)]))).toEqual([
      'c',
    ]);
    const late = [decided('a', 0), viewed('a', 1), bought('c', 14 * day + hour)];
    expect(uncreditedOf(join([...late, passed(16 * day)]))).toEqual(['c']);
    expect(creditsOf(join([decided('a', 0), viewed('a', 1), bought('c', 13 * day)]))).toEqual([['c', 'a']]);
  });

  it('are heard of late, and credited by the time of the purchase', () => {
    const heardAt = start + 15 * day;
    expect(creditsOf(join([...shown, passed(14 * day), bought('c', 2 * hour, { heardAt })]))).toEqual([['c', 'a']]);
  });

  it('go to nothing that was decided for who was erased since, and came back', () => {
    const before = [decided('a', minute), viewed('a', 2 * minute)];
    const after = decided('b', 3 * day, { paywall: 'bold', createdAt: 2 * day });
    const late = passed(6 * day);
    expect(creditsOf(join([...before, after, bought('chain', 4 * day), late]))).toEqual([]);
    const seen = viewed('b', 3 * day + minute, { paywallId: 2 });
    expect(creditsOf(join([...before, after, seen, bought('chain', 4 * day)]))).toEqual([['chain', 'b']]);
    // What was bought before is the former's, however late it is told.
    expect(creditsOf(join([...before, after, seen, bought('chain', day)]))).toEqual([['chain', 'a']]);
  });

  it('may be several of one exposure', () =>
    expect(creditsOf(join([...shown, bought('c', 2 * hour), bought('e', 3 * hour)]))).toEqual([
      ['c', 'a'],
      ['e', 'a'],
    ]));
});

it('keeps no more of a profile than a person can do', () => {
  const seen = Array.from({ length: 300 }, (_, index) => [
    decided(`${index}`, index * 1_000),
    viewed(`${index}`, index * 1_000),
  ]);
  expect(join(seen.flat()).journey.decisions).toHaveLength(100);
});

describe('what waits of a profile', () => {
  const numbers = Array.from({ length: 300 }, (_, index) => index);

  it('is no more than a person can do, and what has no room is told of', () => {
    const views = join(numbers.map((index) => viewed(`${index}`, index * 1_000)));
    expect(views.journey.views).toHaveLength(100);
    expect(views.losses).toEqual(Array(200).fill('view without decision'));

    const starts = join(numbers.map((index) => bought(`${index}`, index * 1_000)));
    expect(starts.journey.starts).toHaveLength(100);
    expect(uncreditedOf(starts)).toEqual(numbers.slice(0, 200).map(String));
    expect(starts.losses).toEqual(Array(200).fill('start without exposure'));

    const repeats = numbers.map((index): Fact => ({ type: 'repeated', id: `${index}`, of: 'd', at: start + index }));
    expect(join(repeats).journey.aliases).toHaveLength(100);
  });

  it('is of a decision its first view alone', () => {
    const views = join(numbers.map((index) => viewed('d', index * 1_000)));
    expect([views.journey.views.length, views.losses]).toEqual([1, []]);
    expect(shownOf(join([viewed('d', 2_000), viewed('d', 1_000), decided('d', 0)]))).toEqual([['d', 2_000]]);
  });
});

it('keeps what was shown, and of what was only asked for the newest three of each placement', () => {
  const elsewhere = decided('elsewhere', 0);
  if (elsewhere.type !== 'decided') throw new Error('no decision');
  const other = { ...elsewhere, decided: { ...elsewhere.decided, placementId: 'settings' } };
  const many = Array.from({ length: 30 }, (_, index) => decided(`${index}`, index * 1_000));
  const { journey } = join([other, decided('seen', 0), viewed('seen', 1), ...many]);
  expect(journey.decisions.map(({ id }) => id)).toEqual(['elsewhere', 'seen', '27', '28', '29']);
});

describe('a journey that a newer version wrote', () => {
  /** With a property more in each of its objects. */
  const withMore = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withMore);
    if (typeof value !== 'object' || value === null) return value;
    const known = Object.entries(value).map(([name, one]) => [name, name === 'values' ? one : withMore(one)] as const);
    return { ...Object.fromEntries(known), laterAdded: 1 };
  };

  it('keeps what this one does not know, and is joined as ever', () => {
    const waits = [decided('a', 0, { stickyUntil: start + day }), bought('c', minute), viewed('z', 0)];
    const { journey } = join([...waits, { type: 'repeated', id: 'b', of: 'a', at: start + 1 }]);
    expect([journey.decisions, journey.aliases, journey.starts, journey.views].map(({ length }) => length)).toEqual([
      1, 1, 1, 1,
    ]);
    const newer = Journey.parse(withMore(journey));
    const step = (of: Journey) => joinProfile(of, passed(hour), start).journey;
    expect(step(newer)).toEqual(withMore(step(journey)));
    const [{ record } = {}] = joinProfile(newer, viewed('a', 2 * minute), start).records;
    expect(record).toEqual(joinProfile(journey, viewed('a', 2 * minute), start).records[0]?.record);
  });
});
