import { describe, expect, it } from '@jest/globals';
import { promqlNames } from './promql-names.ts';

describe('promqlNames', () => {
  it.each([
    ['up', [{ name: 'up', labels: [] }], []],
    [
      'sum by (service, le) (rate(request_seconds_bucket{route=~"a|b", status!~"5.."}[$__rate_interval]))',
      [{ name: 'request_seconds_bucket', labels: ['route', 'status'] }],
      ['service', 'le'],
    ],
    [
      '(a{x="{by(y)}"} offset 15m unless b) > 1e3 or vector(0)',
      [
        { name: 'a', labels: ['x'] },
        { name: 'b', labels: [] },
      ],
      [],
    ],
    [
      'a / on (topic) group_left max by (topic) (b:ratio_rate5m) and time() - c > 2h',
      [
        { name: 'a', labels: [] },
        { name: 'b:ratio_rate5m', labels: [] },
        { name: 'c', labels: [] },
      ],
      ['topic', 'topic'],
    ],
    ['sum(a) by (topic)', [{ name: 'a', labels: [] }], ['topic']],
  ])('finds the names of %s', (expression, metrics, groupings) => {
    expect(promqlNames(expression)).toEqual({ metrics, groupings });
  });

  it.each([
    ['sum(rate(a[5m])'],
    ['a{b="c")}'],
    ['rates(a[5m])'],
    ['a{b}'],
    ['a & b'],
    ['a{b="c" d="e"}'],
    ['rate(a[5 m])'],
  ])('refuses %s', (expression) => {
    expect(() => promqlNames(expression)).toThrow(SyntaxError);
  });
});
