import { describe, expect, it } from '@jest/globals';
import { ReplaceCatalog, type CatalogDocument, type CatalogChange, type CatalogIds } from '@paywright/contracts';
import { catalogDocuments } from '@paywright/contracts/testing';
import { decide, isRefusal } from '@paywright/event-sourcing';
import fc from 'fast-check';
import { appDecider } from './app-decider.ts';
import { decodeAppState, encodeAppState } from './app-state-json.ts';
import type { App, AppState } from './app.ts';
import { appCreated, replaceCatalog } from './testing/app-messages.ts';

/** Puts a document: the answer and the state after it. */
function put(state: AppState, document: CatalogDocument) {
  const decision = decide(appDecider, replaceCatalog(document), state);
  if (isRefusal(decision)) throw new Error(decision.message);
  const after = decision.events.reduce(appDecider.evolve, state);
  if (after.status === 'absent') throw new Error('the app is absent');
  return { reply: ReplaceCatalog.reply.parse(decision.reply), after, events: decision.events };
}

const newApp = appDecider.evolve(appDecider.initialState, appCreated);
const documents = fc.array(catalogDocuments, { minLength: 1, maxLength: 5 });

/** Every document put in turn, each state told to the check. */
function putAll(all: readonly CatalogDocument[], check: (step: ReturnType<typeof put> & { before: AppState }) => void) {
  let state = newApp;
  for (const document of all) {
    const step = put(state, document);
    check({ ...step, before: state });
    state = step.after;
  }
}

type Lists = Record<string, Record<string, Record<string, unknown>>>;

/** A document as its changes see it: lists by id. */
const byId = ({ app, ...lists }: CatalogDocument): Lists => ({
  app: { '': app },
  ...Object.fromEntries(
    Object.entries(lists).map(([name, objects]) => [
      name,
      Object.fromEntries(objects.map((object) => [object.id, object])),
    ]),
  ),
});

function apply(document: CatalogDocument, changes: readonly CatalogChange[]): Lists {
  const lists = structuredClone(byId(document));
  for (const { op, path, before, after } of changes) {
    const [list = '', id = '', field] = path.startsWith('/app/')
      ? ['app', '', path.slice(5)]
      : path.slice(1).split('/');
    const objects = lists[list]!;
    const stored = field === undefined ? objects[id] : objects[id]![field];
    expect(op === 'add' ? null : stored).toEqual(before);
    if (field !== undefined) objects[id]![field] = after;
    else if (op === 'remove') delete objects[id];
    else objects[id] = after as Record<string, unknown>;
  }
  return lists;
}

/** What an attachment is, written down another way than the code does. */
const attachmentsOf = ({ paywalls }: CatalogDocument) =>
  paywalls.flatMap(({ id, products }) =>
    products.map((attachment, position) => {
      const same = (other: typeof attachment) =>
        other.product === attachment.product &&
        JSON.stringify(other.appStore) === JSON.stringify(attachment.appStore) &&
        (other.playStore?.offerId ?? null) === (attachment.playStore?.offerId ?? null);
      const nth = products.slice(0, position).filter(same).length;
      const { product, appStore, playStore } = attachment;
      return [`${id}/${position}`, [id, product, JSON.stringify(appStore), playStore?.offerId, nth].join('|')] as const;
    }),
  );

describe('any sequence of catalogs', () => {
  it('changes are what leads from the one before to the one after', () =>
    fc.assert(
      fc.property(documents, (all) =>
        putAll(all, ({ before, after, reply }) =>
          expect(apply((before as App).document, reply.changes)).toEqual(byId(after.document)),
        ),
      ),
    ));

  it('gives each object one integer, for ever, and no integer to two', () =>
    fc.assert(
      fc.property(documents, (all) => {
        const given = new Map<string, number>();
        const owners = new Map<string, string>();
        const [noted, expected]: [object[], object[]] = [[], []];
        const note = (kind: string, name: string, integer: number | undefined) => {
          const isPositive = Number.isInteger(integer) && integer! > 0;
          const former = given.get(`${kind} ${name}`) ?? integer;
          const owner = owners.get(`${kind} ${integer}`) ?? name;
          noted.push({ isPositive, integer: former, name: owner });
          expected.push({ isPositive: true, integer, name });
          given.set(`${kind} ${name}`, integer ?? 0);
          owners.set(`${kind} ${integer}`, name);
        };
        putAll(all, ({ after: { document }, reply: { ids } }) => {
          for (const kind of ['paywalls', 'models', 'products'] as const) {
            expect(Object.keys(ids[kind]).sort()).toEqual(document[kind].map(({ id }) => id).sort());
            for (const { id } of document[kind]) note(kind, id, ids[kind][id]);
          }
          const attachments = attachmentsOf(document);
          expect(Object.keys(ids.paywallProducts)).toHaveLength(attachments.length);
          for (const [place, identity] of attachments) note('paywallProducts', identity, ids.paywallProducts[place]);
        });
        expect(noted).toEqual(expected);
      }),
    ));

  it('keeps the revision of an equal document, and else raises it by one', () =>
    fc.assert(
      fc.property(documents, (all) =>
        putAll(all, ({ before, after, reply, events }) => {
          const { revision } = before as App;
          expect(reply.revision).toBe(reply.changes.length === 0 ? revision : revision + 1);
          expect(events).toHaveLength(reply.revision - revision);
          expect(put(after, structuredClone(after.document)).events).toEqual([]);
        }),
      ),
    ));

  it('raises the revision of a paywall exactly when it changes', () =>
    fc.assert(
      fc.property(documents, (all) =>
        putAll(all, ({ before, after }) => {
          const former = before as App;
          for (const paywall of after.document.paywalls) {
            const stored = former.document.paywalls.find(({ id }) => id === paywall.id);
            const same = JSON.stringify(stored) === JSON.stringify(paywall);
            const known = former.paywallRevisions.get(paywall.id) ?? 0;
            expect(after.paywallRevisions.get(paywall.id)).toBe(same ? known : known + 1);
          }
        }),
      ),
    ));

  it('says the same with the state taken from a snapshot', () =>
    fc.assert(
      fc.property(documents, catalogDocuments, (all, last) => {
        let state: AppState = newApp;
        putAll(all, ({ after }) => (state = after));
        const restored = decodeAppState(JSON.parse(JSON.stringify(encodeAppState(state))));
        const ids = (from: AppState): CatalogIds => put(from, last).reply.ids;
        expect(ids(restored)).toEqual(ids(state));
      }),
    ));
});
