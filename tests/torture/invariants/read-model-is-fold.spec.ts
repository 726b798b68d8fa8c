import { expect, it } from '@jest/globals';
import type { ProfileHistory } from '../../faults/history.ts';
import { newHistory } from '../../faults/history.ts';
import { readModelIsFold } from './read-model-is-fold.ts';

const profileId = 'p';
const created = { id: '1', service: 'profile', stream: profileId, version: 1, type: 'ProfileCreated', body: {} };

function found(uniqueImpressions: readonly string[], shown: readonly number[], perhaps: readonly number[] = []) {
  const profile: ProfileHistory = {
    ...{ profileId, attributeWrites: [], eventBatches: [], decisionIds: [], unknownFetches: 0 },
    ...{ shownPaywallIds: new Set(shown), perhapsShownPaywallIds: new Set(perhaps) },
  };
  const profiles = new Map([[profileId, { version: 1, custom: [] }]]);
  return readModelIsFold({ ...newHistory(1), profiles: [profile] }, [created], { profiles, uniqueImpressions });
}

it('lets the paywalls be that were shown, and those that perhaps were', () => {
  expect(found(['p/7'], [7])).toEqual([]);
  expect(found(['p/7', 'p/8'], [7], [8])).toEqual([]);
  expect(found(['p/7'], [7], [8])).toEqual([]);
});

it('tells of a paywall that was shown and is not counted, or twice', () => {
  expect(found([], [7])).toMatchObject([{ invariant: 'I8', kind: 'lost' }]);
  expect(found(['p/7', 'p/7'], [7])).toMatchObject([{ invariant: 'I8', kind: 'doubled' }]);
});

it('tells of a paywall that is counted and was not shown, also where another one perhaps was', () => {
  expect(found(['p/9'], [], [8])).toMatchObject([{ invariant: 'I8', kind: 'doubled' }]);
  expect(found(['p/7', 'p/9'], [7], [8])).toMatchObject([{ invariant: 'I8', kind: 'doubled' }]);
});
