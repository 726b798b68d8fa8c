import { beforeEach, expect, it } from '@jest/globals';
import { createLogger } from './logger.ts';
import { Outage } from './outage.ts';

const lines: unknown[] = [];
const write = (line: string) => void lines.push(JSON.parse(line));
const logger = createLogger({ service: 'test', level: 'info' }, { write });
let now: number;
let outage: Outage;

beforeEach(() => {
  lines.length = 0;
  now = 1_000;
  outage = new Outage(logger, { lasts: 'It is away', isOver: 'It is back' }, () => now);
});

it('is told when it begins, each half minute, and when it is over', () => {
  for (let second = 0; second <= 70; second++, now += 1_000) outage.failed({ error: `number ${second}` });
  outage.passed();
  outage.passed();
  expect(lines).toMatchObject([
    { level: 'warn', message: 'It is away', error: 'number 0', seconds: 0 },
    { level: 'warn', message: 'It is away', error: 'number 30', seconds: 30 },
    { level: 'warn', message: 'It is away', error: 'number 60', seconds: 60 },
    { level: 'info', message: 'It is back', seconds: 71 },
  ]);
});

it('is told at once when it begins again', () => {
  outage.failed({});
  outage.passed();
  outage.failed({});
  expect(lines).toMatchObject([{ message: 'It is away' }, { message: 'It is back' }, { message: 'It is away' }]);
});

it('is nothing where nothing failed', () => {
  outage.passed();
  expect(lines).toEqual([]);
});
