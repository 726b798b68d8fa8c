import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { brokenBuilds, notSeenFromOutside } from './broken-builds.ts';
import { knownDefects } from './defects.ts';

const told = readFileSync(new URL('../../docs/faults.md', import.meta.url), 'utf8').split('\n');

it('has every way to break a build: it is caught, or said why that cannot be seen from outside', () => {
  const named = [...brokenBuilds, ...notSeenFromOutside].map(({ defect }) => defect);
  expect(named.sort()).toEqual([...knownDefects].sort());
});

it.each(brokenBuilds)('$defect is in the table with its fault and what it is caught by', (build) => {
  const { defect, strikes, invariants } = build;
  const cells = told.find((line) => line.startsWith(`| \`${defect}\``))?.split('|') ?? [];
  const [, , , fault, caughtBy] = cells.map((cell) => cell.trim());
  expect([fault, caughtBy]).toEqual([[`\`${strikes.name}\``, ...strikes.targets].join(' '), invariants.join(' or ')]);
});

it.each(notSeenFromOutside)('$defect is told of as not seen', ({ defect }) => {
  expect(told.filter((line) => line.startsWith(`- \`${defect}\``))).toHaveLength(1);
});
