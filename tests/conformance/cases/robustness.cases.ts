import { anyCharacter } from '@paywright/platform/testing';
import fc from 'fast-check';
import { newProfileId } from '../bodies.ts';
import { section } from '../case.ts';
import type { App } from '../clients.ts';
import { refused, withstood } from '../expectations.ts';
import { routes } from '../routes.ts';

const robustness = section('Any body on any route: never a 5xx, never a stack trace');
const runs = 25;

const anyText = fc.string({ unit: anyCharacter, maxLength: 40 });
const oddNumber = fc.constantFrom(0, -1, 1e308, -0, 2 ** 53, 4294967296, 0.1, 1e-320);
const oddText = fc.constantFrom(
  '',
  '\u0000',
  '\ud800',
  '__proto__',
  'constructor',
  '%00',
  '../..',
  "'; --",
  '\u202e',
  'x'.repeat(5000),
);
const anyJson = fc.oneof(fc.jsonValue({ maxDepth: 4 }), oddNumber, oddText, anyText);

/** The body with the value at one place, at any depth, replaced. */
function withReplaced(body: unknown, position: number, replacement: unknown): unknown {
  let place = 0;
  const visit = (value: unknown): unknown => {
    if (place++ === position) return replacement;
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, visit(inner)]));
  };
  return visit(body);
}

type Route = (typeof routes)[number];

/** Tries random bodies on a route; a failure names the seed and the smallest body found. */
const onEveryRoute = async <T>(
  app: App,
  values: fc.Arbitrary<T>,
  bodyOf: (route: Route, value: T, profileId: string) => unknown,
) => {
  const profileId = await newProfileId(app);
  for (const route of routes)
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        withstood(await app.call(route.method, route.path, bodyOf(route, value, profileId)));
      }),
      { numRuns: runs },
    );
};

export const robustnessCases = [
  robustness.withKey('Random bytes', async (app) => {
    await onEveryRoute(app, fc.uint8Array({ minLength: 1, maxLength: 300 }), (_, bytes) => Buffer.from(bytes));
  }),
  robustness.withKey('Random JSON', async (app) => {
    await onEveryRoute(app, anyJson, (_, value) => JSON.stringify(value));
  }),
  robustness.withKey('Bodies that are right but for one random value', async (app) => {
    const change = fc.record({ position: fc.nat(8), value: anyJson });
    await onEveryRoute(
      app,
      change,
      ({ body }, { position, value }, profileId) =>
        JSON.stringify(withReplaced(body(profileId), position, value)) ?? 'null',
    );
  }),
  robustness.withKey('Deeply nested JSON', async (app) => {
    for (const { method, path } of routes)
      for (const depth of [1_000, 100_000])
        withstood(await app.call(method, path, '['.repeat(depth) + ']'.repeat(depth)));
  }),
  robustness.withKey('Names that mean something to JavaScript', async (app) => {
    const profileId = await newProfileId(app);
    for (const { method, path, body } of routes)
      for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
        const inner = JSON.stringify(body(profileId));
        withstood(await app.call(method, path, inner.replace(/^(\[?)\{/, `$1{"${name}":{"prototype":{"x":1}},`)));
      }
  }),
  robustness.withKey('Odd paths', async (app) => {
    for (const path of [
      '//',
      '/%',
      '/%zz',
      '/api/v1/web-api/%2e%2e/x',
      '/v2/profiles/../../etc',
      `/${'x'.repeat(5000)}`,
      '/v2/profiles?a=%00',
    ])
      withstood(await app.call('POST', path, {}));
  }),
  robustness.withAdmin('Names that no database can hold, in paths of the admin API', async ({ admin, appId }) => {
    for (const [path, code] of [
      [`/apps/${appId}/reports/placements/a%00b`, 'PLACEMENT_NOT_FOUND'],
      [`/apps/${appId}/models/a%00b`, 'MODEL_NOT_FOUND'],
      [`/apps/${appId}/models/a%00b/evaluation?policy=uniform`, 'MODEL_NOT_FOUND'],
      [`/apps/${appId}/models/a%00b/exploration`, 'MODEL_NOT_FOUND'],
    ] as const)
      refused(await admin.get(path), 404, code);
  }),
  robustness.withAdmin('Random JSON on the admin API’s writes', async ({ admin, appId }) => {
    const writes = [
      ['PUT', `/apps/${appId}/catalog?dryRun=true`],
      ['POST', `/apps/${appId}/keys`],
    ] as const;
    for (const [method, path] of writes)
      await fc.assert(
        fc.asyncProperty(anyJson, async (value) => withstood(await admin.call(method, path, JSON.stringify(value)))),
        { numRuns: runs },
      );
  }),
  robustness.withAdmin('Random texts in the admin API’s paths and queries', async ({ admin, appId }) => {
    const paths = (text: string) => [
      `/apps/${text}`,
      `/apps/${appId}/profiles/${text}`,
      `/apps/${appId}/decisions/${text}`,
      `/apps/${appId}/catalog/revisions/${text}`,
      `/apps/${appId}/profiles?query=${text}`,
      `/apps/${appId}/profiles?customerUserId=${text}`,
      `/apps?cursor=${text}`,
      `/apps?limit=${text}`,
    ];
    const texts = fc.oneof(
      oddText,
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('9'.repeat(30), '-1', '0x1', '1e3'),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        for (const path of paths(encodeURIComponent(text.toWellFormed()).slice(0, 2_000)))
          withstood(await admin.get(path));
      }),
      { numRuns: runs },
    );
  }),
];
