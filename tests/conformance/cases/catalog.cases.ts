import assert from 'node:assert/strict';
import { fetchPaywall, newProfileId } from '../bodies.ts';
import { section } from '../case.ts';
import { soundCatalog, wholeCatalog } from '../catalog.ts';
import { accepted, refused, timestamp } from '../expectations.ts';
import { freshCatalog, renamed } from '../fresh-catalog.ts';
import type { Json } from '../http.ts';

const catalog = section('admin-api.md: catalog');
const mebibyte = 1024 * 1024;
const revisionOf = (answer: Json): number => accepted(answer, 200).revision;

export const catalogCases = [
  catalog.withAdmin('Before the first PUT: revision 0, all lists empty', async (own) => {
    const answer = await (await freshCatalog(own)).get();
    const document = accepted(answer, 200);
    assert.equal(document.revision, 0);
    assert.equal(answer.headers.etag, '"0"');
    for (const list of ['accessLevels', 'products', 'paywalls', 'models', 'placements'])
      assert.deepEqual(document[list], [], list);
  }),
  catalog.withAdmin(
    'PUT answers revision, changes, warnings and ids; GET the document with revision and ETag',
    async (own) => {
      const { get, put } = await freshCatalog(own);
      const { revision, changes, warnings, ids } = accepted(await put(soundCatalog), 200);
      assert.equal(revision, 1);
      assert.ok(Array.isArray(changes) && changes.length > 0 && Array.isArray(warnings));
      assert.deepEqual(Object.keys(ids).sort(), ['models', 'paywallProducts', 'paywalls', 'products']);
      const answer = await get();
      const document = accepted(answer, 200);
      assert.deepEqual([document.revision, answer.headers.etag], [1, '"1"']);
      const names = (list: readonly Json[]) => list.map(({ id }) => id);
      for (const list of ['accessLevels', 'products', 'paywalls', 'models', 'placements'] as const)
        assert.deepEqual(names(document[list]), names(soundCatalog[list]), list);
    },
  ),
  catalog.withAdmin(
    'A document equal to the stored one changes nothing and keeps its revision; GET’s own answer is one',
    async (own) => {
      const { get, put } = await freshCatalog(own);
      accepted(await put(soundCatalog), 200);
      for (const document of [soundCatalog, (await get()).body.data]) {
        const { revision, changes } = accepted(await put(document), 200);
        assert.deepEqual([revision, changes], [1, []]);
      }
    },
  ),
  catalog.withAdmin(
    'A change for each field of an object that stays, one for each whole object that comes or goes',
    async (own) => {
      const { put } = await freshCatalog(own);
      accepted(await put(soundCatalog), 200);
      const placements = [
        ...soundCatalog.placements.filter(({ id }) => id !== 'base'),
        { id: 'new', name: 'New', baseline: 'calm' },
      ];
      const { changes } = accepted(await put({ ...renamed('calm', 'Calmer'), placements }), 200);
      const found = changes.map(({ op, path }: Json) => `${op} ${path}`).sort();
      assert.deepEqual(found, ['add /placements/new', 'change /paywalls/calm/name', 'remove /placements/base']);
      const change = changes.find(({ op }: Json) => op === 'change');
      assert.deepEqual([change.before, change.after], ['Calm', 'Calmer']);
    },
  ),
  catalog.withAdmin('dryRun=true: the same answer, nothing stored', async (own) => {
    const { get, put } = await freshCatalog(own);
    const dry = accepted(await put(soundCatalog, '?dryRun=true'), 200);
    assert.equal(accepted(await get()).revision, 0);
    assert.deepEqual(accepted(await put(soundCatalog), 200), dry);
  }),
  catalog.withAdmin(
    'If-Match: 412 REVISION_CONFLICT when the stored revision is another; "3", 3 and * are taken',
    async (own) => {
      const { get, put } = await freshCatalog(own);
      refused(await put(soundCatalog, '', { 'if-match': '"1"' }), 412, 'REVISION_CONFLICT');
      assert.equal(accepted(await get()).revision, 0);
      assert.equal(revisionOf(await put(soundCatalog, '', { 'if-match': '"0"' })), 1);
      assert.equal(revisionOf(await put(renamed('calm', 'a'), '', { 'if-match': '1' })), 2);
      assert.equal(revisionOf(await put(renamed('calm', 'b'), '', { 'if-match': '*' })), 3);
      refused(await put(renamed('calm', 'c'), '', { 'if-match': '2' }), 412, 'REVISION_CONFLICT');
      refused(await put(renamed('calm', 'c'), '?dryRun=true', { 'if-match': '"2"' }), 412, 'REVISION_CONFLICT');
    },
  ),
  catalog.withAdmin('Of simultaneous PUTs with one If-Match one is taken', async (own) => {
    const { put } = await freshCatalog(own);
    accepted(await put(soundCatalog), 200);
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => put(renamed('calm', `name ${index}`), '', { 'if-match': '"1"' })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412, 412, 412]);
  }),
  catalog.withAdmin('revision in a body is ignored', async (own) => {
    const { put } = await freshCatalog(own);
    assert.equal(revisionOf(await put({ ...soundCatalog, revision: 77 })), 1);
  }),
  catalog.withAdmin('Lists and blocks may be left out: empty', async (own) => {
    const { get, put } = await freshCatalog(own);
    assert.equal(
      accepted(
        await put({ paywalls: [{ id: 'p', name: 'P' }], placements: [{ id: 'x', name: 'X', baseline: 'p' }] }),
        200,
      ).revision,
      1,
    );
    const { products, paywalls } = accepted(await get());
    assert.deepEqual([products, paywalls[0].externalId], [[], 'p']);
  }),
  catalog.withAdmin(
    'history: revisions with time and actor, and the document of each; PUT of an old document is the way back',
    async (own) => {
      const { path, put } = await freshCatalog(own);
      for (const name of ['one', 'two']) accepted(await put(renamed('calm', name)), 200);
      const revisions = accepted(await own.admin.get(`${path}/revisions`), 200);
      assert.deepEqual(revisions.map(({ revision }: Json) => revision).sort(), [1, 2]);
      for (const { time, actor } of revisions) {
        assert.match(time, timestamp);
        assert.ok(actor.length > 0);
      }
      const first = accepted(await own.admin.get(`${path}/revisions/1`), 200);
      assert.equal(first.paywalls.find(({ id }: Json) => id === 'calm').name, 'one');
      const back = accepted(await put(first), 200);
      assert.equal(back.revision, 3);
      assert.deepEqual(
        back.changes.map(({ path: changed }: Json) => changed),
        ['/paywalls/calm/name'],
      );
      refused(await own.admin.get(`${path}/revisions/9`), 404, 'REVISION_NOT_FOUND');
    },
  ),
  catalog.withAdmin('A client of the same gateway sees a revision at once', async (own) => {
    const { app, put } = await freshCatalog(own);
    const profileId = await newProfileId(app);
    refused(await app.v1('/paywalls', { profileId, placementId: 'plain' }), 404, 'PLACEMENT_NOT_FOUND');
    for (let round = 0; round < 5; round++) {
      accepted(await put(renamed('calm', `round ${round}`)), 200);
      assert.equal((await fetchPaywall(app, profileId, 'plain')).name, `round ${round}`);
    }
  }),
  catalog.withAdmin('An object removed is no longer served', async (own) => {
    const { app, put } = await freshCatalog(own);
    const profileId = await newProfileId(app);
    accepted(await put(soundCatalog), 200);
    await fetchPaywall(app, profileId, 'base');
    accepted(
      await put({ ...soundCatalog, placements: soundCatalog.placements.filter(({ id }) => id !== 'base') }),
      200,
    );
    refused(await app.v1('/paywalls', { profileId, placementId: 'base' }), 404, 'PLACEMENT_NOT_FOUND');
  }),
  catalog.withAdmin('The body may have 8 MiB', async (own) => {
    const { put } = await freshCatalog(own);
    const padded = (bytes: number) => JSON.stringify(soundCatalog).padEnd(bytes, ' ');
    accepted(await put(padded(8 * mebibyte)), 200);
    refused(await put(padded(8 * mebibyte + 1)), 413, 'PAYLOAD_TOO_LARGE');
  }),
  catalog.withAdmin('force=true stores also what carries a circular allocation', async (own) => {
    const { get, put } = await freshCatalog(own);
    refused(await put(wholeCatalog), 422, 'CIRCULAR_PLACEMENT_ALLOCATION');
    assert.equal(accepted(await get()).revision, 0);
    assert.equal(revisionOf(await put(wholeCatalog, '?force=true')), 1);
  }),
];
