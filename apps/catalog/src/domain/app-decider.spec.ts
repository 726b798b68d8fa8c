import { describe, expect, it } from '@jest/globals';
import {
  AppCreated,
  CatalogDocument,
  CatalogReplaced,
  KeyRevoked,
  StoreCredentialsRemoved,
} from '@paywright/contracts';
import { exampleCatalog } from '@paywright/contracts/testing';
import { type Accepted, decide } from '@paywright/event-sourcing';
import { specification } from '@paywright/event-sourcing/testing';
import { appDecider } from './app-decider.ts';
import { appSnapshot, decodeAppState, encodeAppState } from './app-state-json.ts';
import type { AppEvent } from './app.ts';
import {
  actor,
  appCreated,
  appId,
  catalogReplaced,
  changed,
  createApp,
  credentialsChange,
  credentialsSet,
  exampleIds,
  issuedAt,
  issueKey,
  keyIssued,
  keyRecord,
  replaceCatalog,
  revokeKey,
} from './testing/app-messages.ts';

const { given } = specification(appDecider);
const [calm, bold] = exampleCatalog.paywalls;
const stateAfter = (events: readonly AppEvent[]) => events.reduce(appDecider.evolve, appDecider.initialState);

describe('an app', () => {
  it('claims its id with its keys', () => {
    given([]).when(createApp()).then([appCreated]).thenReply({ created: true });
  });
  it('is told that the id is taken', () => {
    given([appCreated]).when(createApp()).thenRefused('APP_NOT_FOUND', 'App id 7 is taken.');
  });

  it('gets a key with the next id', () => {
    given([appCreated]).when(issueKey()).then([keyIssued]).thenReply({ keyId: 3, createdAt: issuedAt });
  });
  it('gets no key for which its snapshot has no room, but may lose one there', () => {
    const named = (bytes: number) => AppCreated.of({ ...appCreated.body, name: 'n'.repeat(bytes) });
    given([named(20 * 2 ** 20)])
      .when(issueKey())
      .thenRefused('PAYLOAD_TOO_LARGE');
    given([named(20 * 2 ** 20 - 4_096)])
      .when(issueKey())
      .then([keyIssued]);
    given([named(20 * 2 ** 20)])
      .when(revokeKey(2))
      .thenReply({ revokedAt: issuedAt });
  });
  it('loses a key', () => {
    given([appCreated])
      .when(revokeKey(2))
      .then([KeyRevoked.of({ appId, actor, keyId: 2, revokedAt: issuedAt })])
      .thenReply({ revokedAt: issuedAt });
  });
  it('keeps the time of a key revoked before', () => {
    given([appCreated, KeyRevoked.of({ appId, actor, keyId: 2, revokedAt: issuedAt })])
      .when(revokeKey(2, issuedAt + 1))
      .thenNothing()
      .thenReply({ revokedAt: issuedAt });
  });
  it('does not know a key that it never gave out', () => {
    given([appCreated]).when(revokeKey(9)).thenRefused('KEY_NOT_FOUND');
  });

  it.each([issueKey(), revokeKey(1), replaceCatalog(exampleCatalog), credentialsChange('set')])(
    'must exist: $type',
    (command) => {
      given([]).when(command).thenRefused('APP_NOT_FOUND', 'appId names no app: 7.');
    },
  );
});

describe('the catalog of an app', () => {
  it('is stored whole, with an integer for each object', () => {
    given([appCreated]).when(replaceCatalog(exampleCatalog)).then([catalogReplaced]);
  });

  it('answers revision, changes, warnings and integers', () => {
    given([appCreated, catalogReplaced])
      .when(replaceCatalog(changed({ paywalls: [{ ...calm!, name: 'Calmer' }, bold!] })))
      .thenReply({
        revision: 2,
        changes: [{ op: 'change', path: '/paywalls/calm/name', before: 'Calm', after: 'Calmer' }],
        warnings: [],
        ids: exampleIds,
      });
  });

  it('warns of what it takes away: an empty one passes every other check', () => {
    const empty = replaceCatalog(CatalogDocument.parse({}), { dryRun: true });
    const removed = exampleCatalog.placements.map(({ id }) => expect.stringContaining(`Placement "${id}" is removed`));
    expect(decide(appDecider, empty, stateAfter([appCreated, catalogReplaced]))).toMatchObject({
      reply: { warnings: expect.arrayContaining(removed) },
    });
  });

  it('stays at its revision when nothing changes, also when lists are in another order', () => {
    const reordered = changed({ paywalls: [bold!, calm!], placements: exampleCatalog.placements.toReversed() });
    for (const document of [exampleCatalog, reordered])
      given([appCreated, catalogReplaced])
        .when(replaceCatalog(document))
        .thenNothing()
        .thenReply({ revision: 1, changes: [], warnings: [], ids: exampleIds });
    given([appCreated])
      .when(replaceCatalog(CatalogDocument.parse({})))
      .thenNothing();
  });

  it('answers a dry run alike, and stores nothing', () => {
    const document = changed({ placements: exampleCatalog.placements.slice(1) });
    const history = [appCreated, catalogReplaced];
    const { reply } = decide(appDecider, replaceCatalog(document), stateAfter(history)) as {
      reply: unknown;
    };
    given(history)
      .when(replaceCatalog(document, { dryRun: true }))
      .thenNothing()
      .thenReply(reply);
  });

  it('is replaced only where the revision is the expected one', () => {
    const rule = given([appCreated, catalogReplaced]);
    rule
      .when(replaceCatalog(exampleCatalog, { ifRevision: 2 }))
      .thenRefused('REVISION_CONFLICT', 'If-Match names revision 2, but revision 1 is stored.');
    rule.when(replaceCatalog(exampleCatalog, { ifRevision: 0, dryRun: true })).thenRefused('REVISION_CONFLICT');
    rule.when(replaceCatalog(exampleCatalog, { ifRevision: 1 })).thenNothing();
  });

  it('is refused when no topic could carry it', () => {
    const remoteConfigs = 'x'.repeat(64 * 1024);
    const filled = (count: number) =>
      changed({
        paywalls: Array.from({ length: count }, (_, index) => ({ ...calm!, id: `p${index}`, remoteConfigs })),
      });
    const rule = given([appCreated]);
    rule.when(replaceCatalog(filled(100))).thenReply(expect.objectContaining({ revision: 1 }));
    rule.when(replaceCatalog(filled(330))).thenRefused('PAYLOAD_TOO_LARGE');
  });

  it('is refused when what it sold before leaves no room for it in the snapshot', () => {
    const [product] = exampleCatalog.products;
    // One long name in place of the thousands of products that it takes.
    const selling = (name: string) => ({
      ...exampleCatalog,
      products: [...exampleCatalog.products, { ...product!, id: 'long', name }],
    });
    const without = changed({ paywalls: [{ ...calm!, name: 'Calmer' }], models: [], placements: [] });
    const replacing = (name: string) => {
      const documents = [exampleCatalog, selling(name), exampleCatalog];
      const sold = documents.map((document, index) =>
        CatalogReplaced.of({ ...catalogReplaced.body, document, revision: index + 1 }),
      );
      return given([appCreated, ...sold]).when(replaceCatalog(without));
    };
    replacing('n'.repeat(10 * 2 ** 20)).thenReply(expect.objectContaining({ revision: 4 }));
    replacing('n'.repeat(21 * 2 ** 20)).thenRefused('PAYLOAD_TOO_LARGE');
  });

  it('raises the revision of the paywalls that changed, and of one that comes back', () => {
    const without = changed({ paywalls: [{ ...calm!, name: 'Calmer' }], models: [], placements: [] });
    const history = [appCreated, catalogReplaced];
    const { events } = decide(appDecider, replaceCatalog(without), stateAfter(history)) as Accepted<CatalogReplaced>;
    expect(events[0]?.body.paywallRevisions).toEqual({ calm: 2 });
    given([...history, ...events])
      .when(replaceCatalog(exampleCatalog))
      .then([
        CatalogReplaced.of({
          ...catalogReplaced.body,
          revision: 3,
          paywallRevisions: { calm: 3, bold: 2 },
        }),
      ]);
  });
});

describe('store credentials', () => {
  const removed = StoreCredentialsRemoved.of({ appId, actor, store: 'stripe' });

  it('are told of each time that they are set, for what was set may be another', () => {
    for (const history of [[appCreated], [appCreated, credentialsSet]])
      given(history).when(credentialsChange('set')).then([credentialsSet]).thenReply({});
  });
  it('are told of when they are removed', () => {
    given([appCreated, credentialsSet]).when(credentialsChange('removed')).then([removed]).thenReply({});
  });
  it('are not removed where there are none, or none of that store', () => {
    given([appCreated]).when(credentialsChange('removed')).thenNothing().thenReply({});
    given([appCreated, credentialsSet]).when(credentialsChange('removed', 'app_store')).thenNothing();
    given([appCreated, credentialsSet, removed]).when(credentialsChange('removed')).thenNothing();
  });
});

describe('the state of an app', () => {
  const history = [
    appCreated,
    keyIssued,
    catalogReplaced,
    KeyRevoked.of({ appId, actor, keyId: 2, revokedAt: 5 }),
    credentialsSet,
  ];

  it('is the same after a snapshot', () => {
    for (const events of [[], [appCreated], history]) {
      const state = stateAfter(events);
      expect(decodeAppState(JSON.parse(JSON.stringify(encodeAppState(state))))).toEqual(state);
    }
    expect(() => decodeAppState({ status: 'present' })).toThrow();
  });

  it('has no credentials after a snapshot of before there were any', () => {
    const before = encodeAppState(stateAfter([appCreated])) as Record<string, unknown>;
    delete before['credentials'];
    expect(decodeAppState(before)).toEqual(stateAfter([appCreated]));
  });

  it('keeps products that left the catalog, as they were last, until they are back', () => {
    const replaced = (document: CatalogDocument, revision: number) =>
      CatalogReplaced.of({ appId, actor: 'ann', revision, document, ids: exampleIds, paywallRevisions: {} });
    const archivedAfter = (...documents: readonly CatalogDocument[]) => {
      const state = stateAfter([appCreated, ...documents.map((document, index) => replaced(document, index + 1))]);
      return state.status === 'absent' ? null : appSnapshot(state).archivedProducts;
    };
    const [first] = exampleCatalog.products;
    const renamed = { ...first!, name: 'Renamed' };
    const without = { ...exampleCatalog, products: exampleCatalog.products.slice(1) };
    const last = { ...exampleCatalog, products: [renamed, ...without.products] };
    expect(archivedAfter(exampleCatalog, last)).toEqual([]);
    expect(archivedAfter(exampleCatalog, last, without, without)).toEqual([renamed]);
    expect(archivedAfter(exampleCatalog, without, exampleCatalog)).toEqual([]);
  });

  it('keeps what a product was sold as in the stores when it is sold as something else', () => {
    const replaced = (document: CatalogDocument, revision: number) =>
      CatalogReplaced.of({ appId, actor: 'ann', revision, document, ids: exampleIds, paywallRevisions: {} });
    const [first, ...others] = exampleCatalog.products;
    const sold = { ...first!, stripe: { productId: 'prod_1', priceId: 'price_1', trialPeriodDays: null } };
    const dearer = { ...sold, stripe: { ...sold.stripe, priceId: 'price_2' } };
    const dearest = { ...sold, stripe: { ...sold.stripe, priceId: 'price_3' } };
    const archivedAfter = (...products: readonly (typeof sold | null)[]) => {
      const documents = products.map((one) => ({ ...exampleCatalog, products: one ? [one, ...others] : others }));
      const state = stateAfter([appCreated, ...documents.map((document, index) => replaced(document, index + 1))]);
      return state.status === 'absent' ? null : appSnapshot(state).archivedProducts;
    };
    expect(archivedAfter(sold, dearer)).toEqual([sold]);
    expect(archivedAfter(sold, dearer, dearest)).toEqual([dearer, sold]);
    expect(archivedAfter(sold, dearer, null)).toEqual([dearer, sold]);
    expect(archivedAfter(sold, dearer, sold)).toEqual([dearer]);
    expect(archivedAfter(sold, { ...sold, name: 'Renamed' }, dearer)).toEqual([{ ...sold, name: 'Renamed' }]);
  });

  it('is told to gateway and selection', () => {
    const state = stateAfter(history);
    if (state.status === 'absent') throw new Error('the app is absent');
    expect(appSnapshot(state)).toEqual({
      appId,
      version: 5,
      edition: 1,
      name: 'Demo',
      createdAt: issuedAt,
      keys: [
        { ...keyRecord('secret'), keyId: 1, createdAt: issuedAt, revokedAt: null },
        { ...keyRecord('public'), keyId: 2, createdAt: issuedAt, revokedAt: 5 },
        { ...keyRecord('secret', '1'), keyId: 3, createdAt: issuedAt, revokedAt: null },
      ],
      revision: 1,
      document: exampleCatalog,
      archivedProducts: [],
      ids: exampleIds,
      paywallRevisions: { calm: 1, bold: 1 },
    });
  });
});
