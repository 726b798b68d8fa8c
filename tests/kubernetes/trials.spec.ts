import { expect, it } from '@jest/globals';
import { reportOf, Trials } from './trials.ts';

it('says each trial as it ends, and counts in the end what holds', () => {
  const said: string[] = [];
  const trials = new Trials((line) => said.push(line));
  trials.note('helm install', 'done after 4 s', true);
  trials.note('helm uninstall', 'refused', false);
  expect(said).toEqual(['  holds  helm install: done after 4 s', '  FAILS  helm uninstall: refused']);
  expect(trials.failed.map(({ tried }) => tried)).toEqual(['helm uninstall']);
  expect(reportOf(trials.all).split('\n').slice(1)).toEqual([
    '  helm install    holds  done after 4 s',
    '  helm uninstall  FAILS  refused',
    '',
    '1 hold, 1 fail',
  ]);
});
