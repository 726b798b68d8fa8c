import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { derivedId } from '@paywright/platform';
import { findProjectRoot } from '../migrate/database-schemas.ts';
import { erasureLine, howMany, type Erasure } from './lost-erasures.ts';

const page = readFileSync(join(findProjectRoot(), 'docs', 'kubernetes.md'), 'utf8');
const [, picked = ''] = /kubectl logs job\/paywright-erasures .* grep --extended-regexp '([^']+)'/.exec(page) ?? [];

const erasure: Erasure = {
  ...{
    eventId: derivedId('event'),
    appId: 12,
    profileId: derivedId('anna'),
    erasedAt: Date.UTC(2026, 0, 1),
    actor: 'ops',
  },
};

it('has lines of erasures, which the command for Kubernetes picks out of all that the job says', () => {
  expect(picked).not.toBe('');
  const told = [erasureLine(erasure), ...[0, 1, 2].map((count) => howMany(Array(count).fill(erasure)))];
  expect(told.filter((line) => new RegExp(picked).test(line))).toEqual([erasureLine(erasure)]);
});
