import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { adminGateway, viewerToken, type AdminGateway } from './testing/admin-gateway.ts';

let gateway: AdminGateway;
beforeAll(async () => {
  gateway = await adminGateway();
  await gateway.createApp();
});
afterAll(() => gateway.close());

it.each([
  ['/apps?page=2', 'The query of this route takes limit and cursor alone.'],
  ['/audit?appId=1', 'The query of this route takes limit and cursor alone.'],
  ['/apps/1/reports/placements/start?From=2026-01-01', 'The query of this route takes model, from and to alone.'],
  ['/apps/1/models/main/evaluation?policy=ai&day=3', 'The query of this route takes policy, days, from and to alone.'],
  ['/apps/1?limit=5', 'This route takes no query.'],
])('names what a route takes where it is asked for something else: %s', async (path, error) => {
  const { status, body } = await gateway.call('GET', path);
  expect([status, body]).toEqual([400, { code: 'VALIDATION_FAILED', error }]);
});

it('says so to those alone who may take the route', async () => {
  expect(await gateway.call('GET', '/apps?page=2', { token: null })).toMatchObject({ status: 401 });
  expect(await gateway.call('POST', '/apps?page=2', { token: viewerToken })).toMatchObject({ status: 403 });
});

it('takes a query that is empty', async () =>
  expect(await gateway.call('GET', '/apps/1?')).toMatchObject({ status: 200 }));
