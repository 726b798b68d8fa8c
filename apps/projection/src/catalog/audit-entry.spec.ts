import { expect, it } from '@jest/globals';
import { StoreCredentialsRemoved, StoreCredentialsSet } from '@paywright/contracts';
import { auditedChange } from './audit-entry.ts';

const told = { appId: 7, actor: 'ops', store: 'app_store' } as const;
const recorded = {
  id: '0190a5b0-0000-7000-8000-000000000001',
  service: 'catalog',
  stream: '7',
  streamVersion: 2,
  time: 1_767_225_600_000,
  correlationId: '0190a5b0-0000-7000-8000-000000000002',
  causationId: '0190a5b0-0000-7000-8000-000000000002',
} as const;

it('shows for which store credentials came and went', () => {
  expect(auditedChange({ ...recorded, ...StoreCredentialsSet.of(told) })).toEqual({
    before: null,
    after: { store: 'app_store' },
  });
  expect(auditedChange({ ...recorded, ...StoreCredentialsRemoved.of(told) })).toEqual({
    before: { store: 'app_store' },
    after: null,
  });
});
