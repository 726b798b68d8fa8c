import { describe, expect, it } from '@jest/globals';
import { findCatalogFaults, type SelectionContext } from '@paywright/contracts';
import { decide, isRefusal } from '@paywright/event-sourcing';
import { mostEventBytesOf } from '@paywright/messaging';
import { ManualClock } from '@paywright/platform';
import { toEngineCatalog, type LearnedChoice, type Policy } from '@paywright/selection-engine';
import { context, issuedAt } from '@paywright/selection-models/testing';
import { serve } from '../testing/selection-commands.ts';
import { selectionDecider } from './selection-decider.ts';
import { initialState } from './selection-state.ts';

const traffic = [{ target: 'ai_model', weight: 1 }];

function catalogWith(candidates: number, externalId: string) {
  const ids = Array.from({ length: candidates }, (_, index) => String(index).padStart(64, 'p'));
  return findCatalogFaults({
    paywalls: ids.map((id) => ({ id, name: id, externalId })),
    models: [{ id: 'main', name: 'Main', candidates: ids, traffic }],
    placements: [{ id: 'onboarding', name: 'Onboarding', baseline: ids[0], model: 'main' }],
  });
}

/** The most candidates of such names that a catalog is taken with: each takes as many bytes. */
function mostCandidates(externalId: string): number {
  const tooMany = 8_192;
  const [, bytes, mostBytes] = /take (\d+) bytes .* at most (\d+) /.exec(faultsOf(tooMany, externalId)) ?? [];
  const most = Math.floor((tooMany * Number(mostBytes)) / Number(bytes));
  expect([faultsOf(most, externalId), faultsOf(most + 1, externalId)]).toEqual(['', expect.stringMatching(/.+/)]);
  return most;
}
const faultsOf = (candidates: number, externalId: string) =>
  catalogWith(candidates, externalId)
    .faults.map(({ message }) => message)
    .join();

/** With figures that JSON has no longer ones of. */
const wordy: Policy = {
  version: 'v'.repeat(100),
  choose: (_context, { length }): LearnedChoice => {
    const figures = (figure: number) => new Float64Array(length).fill(figure);
    const [long, probabilities] = [figures(-1.2345678901234567e-6), figures(1.2345678901234567e-6)];
    const calibration = { alpha: -1.2345678901234567e-6, beta: 1.2345678901234567e-6 };
    return { scores: long, probabilities, variances: long, values: long, calibration, horizonDays: 180 };
  },
};

/** A control character is written as six. */
const long = (length: number) => '\u0001'.repeat(length);
const texts = Object.entries(context).map(([field, value]) =>
  typeof value === 'string' || value === null ? [field, long(255)] : [field, value],
);
const attributes = Array.from({ length: 100 }, (_, index) => [`${index}${long(98)}`, long(1000)]);
const longest: SelectionContext = {
  ...Object.fromEntries(texts),
  store: 'play_store',
  custom: Object.fromEntries(attributes),
};

describe.each([
  ['short names', 'p'],
  ['names in letters of four bytes', '😀'.repeat(255)],
  ['names that JSON has to escape', long(255)],
])('a decision between as many candidates as a catalog is taken with, of %s', (_names, externalId) => {
  it('fits its topic, with all that can be known of a user', () => {
    const { document } = catalogWith(mostCandidates(externalId), externalId);
    if (document === null) throw new Error('The catalog is refused.');
    const ids = Object.fromEntries(document.paywalls.map(({ id }, index) => [id, index + 1]));
    const catalog = toEngineCatalog(4, document, { paywalls: ids, models: { main: 11 } });
    const clock = new ManualClock(issuedAt);
    const decider = selectionDecider({ catalogOf: () => catalog, policyOf: () => wordy, clock });
    const command = serve();
    const decision = decide(decider, { ...command, body: { ...command.body, context: longest } }, initialState);
    if (isRefusal(decision)) throw new Error(decision.message);
    const bytes = Buffer.byteLength(JSON.stringify(decision.events[0]?.body));
    expect(bytes).toBeLessThan(mostEventBytesOf.selection);
    expect(bytes).toBeGreaterThan(mostEventBytesOf.selection * 0.7);
  });
});
