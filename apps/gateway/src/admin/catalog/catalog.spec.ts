import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { exampleCatalog, exampleCatalogJson } from '@paywright/contracts/testing';
import { checkCatalog } from './check-catalog.ts';
import { adminGateway, type AdminGateway } from '../testing/admin-gateway.ts';
import { startedAt } from '../testing/surroundings.ts';

let gateway: AdminGateway;
beforeAll(async () => (gateway = await adminGateway()));
beforeEach(async () => {
  gateway.reset();
  await gateway.createApp();
});
afterAll(() => gateway.close());

const path = '/apps/1/catalog';
const put = (body: unknown, query = '', headers: Record<string, string> = {}) =>
  gateway.call('PUT', `${path}${query}`, { body, headers });

const [main] = exampleCatalogJson.models;
const circular = {
  ...exampleCatalogJson,
  models: [{ ...main, traffic: [...main.traffic, { target: 'placement', placement: 'onboarding', weight: 1 }] }],
};
const circle = {
  path: '/models/main/traffic/3',
  message: 'Circular placement allocation detected: onboarding -> onboarding',
};

describe('GET catalog', () => {
  it('is empty, at revision 0, before the first PUT', async () => {
    const { status, headers, body } = await gateway.call('GET', path);
    expect([status, headers.etag]).toEqual([200, '"0"']);
    expect(body.data).toEqual({
      revision: 0,
      app: { bundleId: null, packageName: null, restorePolicy: 'transfer', acknowledgePlayPurchases: false },
      accessLevels: [],
      products: [],
      paywalls: [],
      models: [],
      placements: [],
    });
  });

  it('is what was put, with its revision, and can be put back', async () => {
    await put(exampleCatalogJson);
    const { headers, body } = await gateway.call('GET', path);
    expect(headers.etag).toBe('"1"');
    expect(body.data).toEqual({ ...exampleCatalog, revision: 1 });
    expect((await put(body.data)).status).toBe(200);
  });
});

describe('GET catalog of who has it', () => {
  const read = (tags: string) => gateway.call('GET', path, { headers: { 'if-none-match': tags } });

  it.each(['"1"', 'W/"1"', '1', '"0", "1"', '*'])('is 304 without a body where If-None-Match is %s', async (tags) => {
    await put(exampleCatalogJson);
    const { status, headers, body } = await read(tags);
    expect([status, headers.etag, body]).toEqual([304, '"1"', null]);
  });

  it.each(['"0"', '"11"', '', 'what'])('is the whole of it where If-None-Match is "%s"', async (tags) => {
    await put(exampleCatalogJson);
    expect(await read(tags)).toMatchObject({ status: 200, body: { data: { revision: 1 } } });
  });

  it('is refused as ever', async () =>
    expect(await gateway.call('GET', '/apps/9/catalog', { headers: { 'if-none-match': '*' } })).toMatchObject({ status: 404, body: { code: 'APP_NOT_FOUND' } })); // prettier-ignore
});

describe('PUT catalog', () => {
  it('sends the document with every default, and answers what the service says', async () => {
    const { status, body } = await put(exampleCatalogJson);
    expect([status, body]).toMatchObject([
      200,
      { ok: true, data: { revision: 1, changes: [], warnings: [], ids: {} } },
    ]);
    expect(gateway.catalogService.sent.at(-1)).toMatchObject({
      type: 'ReplaceCatalog',
      key: '1',
      body: { actor: 'ops', document: exampleCatalog, ifRevision: null, dryRun: false },
    });
  });

  it('is answered when this gateway has the revision', async () => {
    gateway.catalogService.publishes = false;
    const waiting = put(exampleCatalogJson);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { snapshot } = gateway.apps.find(1)!;
    expect(snapshot.revision).toBe(0);
    gateway.apps.apply({ ...snapshot, version: snapshot.version + 1, revision: 1 });
    expect((await waiting).status).toBe(200);
  });

  it('stores nothing on a dry run', async () => {
    expect((await put(exampleCatalogJson, '?dryRun=true')).body.data.revision).toBe(1);
    expect((await gateway.call('GET', path)).body.data.revision).toBe(0);
  });

  it('names every fault at once, circular allocations among them', async () => {
    const { status, body } = await put({ ...circular, note: 1, accessLevels: [] });
    expect([status, body]).toEqual([
      400,
      {
        code: 'VALIDATION_FAILED',
        error: 'The catalog has 3 faults: details names each.',
        details: [
          { path: '/note', message: 'is not a known field' },
          { path: '/products/premium-monthly/accessLevel', message: 'names no access level: "premium"' },
          circle,
        ],
      },
    ]);
    expect(gateway.catalogService.sent).toHaveLength(1);
  });

  it.each([undefined, null, 5, [], 'text'])('refuses %j for a document', async (body) => {
    expect(await put(body)).toMatchObject({
      status: 400,
      body: { error: 'The catalog must be an object.', details: [{ path: '', message: 'must be an object' }] },
    });
  });

  it('refuses a circular allocation, unless it is forced', async () => {
    expect(await put(circular)).toMatchObject({
      status: 422,
      body: { code: 'CIRCULAR_PLACEMENT_ALLOCATION', error: circle.message, details: [circle] },
    });
    expect((await put(circular, '?force=false')).status).toBe(422);
    expect((await put(circular, '?force=true')).status).toBe(200);
    expect((await put({ ...circular, note: 1 }, '?force=true')).body.details).toHaveLength(1);
  });

  it.each([
    ['"0"', 200, 0],
    ['0', 200, 0],
    ['*', 200, null],
    ['"3"', 412, 3],
    ['3', 412, 3],
  ])('goes by If-Match: %s', async (ifMatch, status, ifRevision) => {
    const answer = await put(exampleCatalogJson, '', { 'if-match': ifMatch });
    expect(answer.status).toBe(status);
    expect(gateway.catalogService.sent.at(-1)?.body).toMatchObject({ ifRevision });
    if (status === 412) expect(answer.body.code).toBe('REVISION_CONFLICT');
  });

  it.each(['', 'x', 'W/"3"', '"3', '"1", "2"', '-1'])('refuses If-Match: %s', async (ifMatch) => {
    expect(await put(exampleCatalogJson, '', { 'if-match': ifMatch })).toMatchObject({
      status: 400,
      body: { error: 'If-Match must be a revision such as "3", or *.' },
    });
  });

  it.each(['dryRun=yes', 'force=', 'dryRun=true&dryRun=true'])('refuses ?%s', async (query) => {
    expect((await put(exampleCatalogJson, `?${query}`)).status).toBe(400);
  });

  it.each(['dryrun=true', 'dry_run=true', 'dryRun=true&note=1'])(
    'stores nothing where a parameter is misspelt: ?%s',
    async (query) => {
      const { status, body } = await put(exampleCatalogJson, `?${query}`);
      expect([status, body]).toEqual([
        400,
        { code: 'VALIDATION_FAILED', error: 'The query of this route takes dryRun and force alone.' },
      ]);
      expect((await gateway.call('GET', path)).body.data.revision).toBe(0);
    },
  );

  it('takes 8 MiB, and no more', async () => {
    const padded = (bytes: number) => {
      const json = JSON.stringify(exampleCatalogJson);
      return json + ' '.repeat(bytes - json.length);
    };
    const limit = 8 * 1024 * 1024;
    expect((await gateway.call('PUT', path, { payload: padded(limit) })).status).toBe(200);
    expect(await gateway.call('PUT', path, { payload: padded(limit + 1) })).toMatchObject({
      status: 413,
      body: { code: 'PAYLOAD_TOO_LARGE' },
    });
  });

  it('refuses what its defaults make too long to be told', () => {
    const paywall = (id: string, bytes: number) => ({ id, name: id, remoteConfigs: 'x'.repeat(bytes) });
    const large = Array.from({ length: 319 }, (_, index) => paywall(`p${index}`, 64 * 1024));
    const document = (bytes: number) => ({ paywalls: [...large, paywall('last', bytes)] });
    const room = 20 * 2 ** 20 - JSON.stringify(document(0)).length;
    expect(() => checkCatalog(document(0), { force: false })).not.toThrow();
    expect(() => checkCatalog(document(room), { force: false })).toThrow(
      expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }),
    );
  });

  it('names a model with more candidates than a decision can tell of, and how much they may take', async () => {
    const ids = Array.from({ length: 3_000 }, (_, index) => `paywall-${index}`);
    const paywalls = ids.map((id) => ({ id, name: id }));
    const models = [{ ...main, candidates: ids, traffic: [{ target: 'ai_model', weight: 1 }] }];
    const { status, body } = await put({ paywalls, models });
    expect([status, body.details]).toEqual([
      400,
      [{ path: '/models/main/candidates', message: expect.stringContaining('at most 1048576') }],
    ]);
  });

  it('knows no other app', async () => {
    expect(await gateway.call('PUT', '/apps/2/catalog', { body: exampleCatalogJson })).toMatchObject({
      status: 404,
      body: { code: 'APP_NOT_FOUND' },
    });
  });
});

describe('catalog revisions', () => {
  beforeEach(() => {
    const ids = { paywalls: {}, models: {}, products: {}, paywallProducts: {} };
    const row = { time: startedAt, actor: 'ops', document: exampleCatalog, ids };
    gateway.readModel.revisions = [
      { ...row, revision: 2 },
      { ...row, revision: 1 },
    ];
  });

  it('are listed with time and actor', async () => {
    const { body } = await gateway.call('GET', `${path}/revisions?limit=1`);
    expect(body).toEqual({
      ok: true,
      data: [{ revision: 2, time: new Date(startedAt).toISOString(), actor: 'ops' }],
      nextCursor: '1',
    });
  });

  it('are read as documents', async () => {
    expect((await gateway.call('GET', `${path}/revisions/1`)).body.data).toEqual({ ...exampleCatalog, revision: 1 });
  });

  it.each(['3', '0', 'x'])('do not include %s', async (revision) => {
    expect(await gateway.call('GET', `${path}/revisions/${revision}`)).toMatchObject({
      status: 404,
      body: { code: 'REVISION_NOT_FOUND' },
    });
  });
});
