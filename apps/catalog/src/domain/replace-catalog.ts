import { canBeCarried, CatalogReplaced, refuse, type CatalogDocument, type ReplaceCatalog } from '@paywright/contracts';
import type { Decision } from '@paywright/event-sourcing';
import { appNotFound } from './app-not-found.ts';
import { appSnapshot } from './app-state-json.ts';
import { evolve, type App, type AppState } from './app.ts';
import { catalogChanges } from './catalog-changes.ts';
import { integersFor } from './catalog-integers.ts';
import { catalogWarnings, removalWarnings } from './catalog-warnings.ts';
import { jsonEquals } from './json-equality.ts';

/**
 * Makes a valid document the app's catalog, under the next revision; one that is equal to the stored one keeps it.
 * @returns REVISION_CONFLICT if another revision than `ifRevision` is stored; PAYLOAD_TOO_LARGE if the document, what
 * changes, or the app with all that it ever sold is too long to be told
 */
export function replaceCatalog(command: ReplaceCatalog, state: AppState): Decision<CatalogReplaced> {
  const { appId, body } = command;
  if (state.status === 'absent') return appNotFound(appId);
  const { actor, document, ifRevision, dryRun } = body;
  if (ifRevision !== null && ifRevision !== state.revision)
    return refuse(
      'REVISION_CONFLICT',
      `If-Match names revision ${ifRevision}, but revision ${state.revision} is stored.`,
    );

  const changes = catalogChanges(state.document, document);
  const warnings = [...removalWarnings(state.document, document), ...catalogWarnings(document)];
  const { revision } = state;
  if (changes.length === 0) return { events: [], reply: { revision, changes, warnings, ids: state.ids } };

  const next = { revision: revision + 1, ids: integersFor(document, state.integers) };
  const paywallRevisions = paywallRevisionsFor(document, state);
  const event = CatalogReplaced.of({ appId, actor, document, paywallRevisions, ...next });
  const reply = { ...next, changes, warnings };
  const after = evolve(state, event);
  // What left the catalog stays in the snapshot, which every later command of the app publishes.
  const told = [event, reply, after.status === 'present' && appSnapshot(after)];
  if (!told.every(canBeCarried))
    return refuse(
      'PAYLOAD_TOO_LARGE',
      'The catalog, its change, or it with the products that it had before is too long with every default: split it over apps.',
    );
  return { events: dryRun ? [] : [event], reply };
}

/** A paywall that is as it was keeps its revision; one that changed, came or came back has the next. */
function paywallRevisionsFor({ paywalls }: CatalogDocument, app: App): Record<string, number> {
  const stored = new Map(app.document.paywalls.map((paywall) => [paywall.id, paywall]));
  return Object.fromEntries(
    paywalls.map((paywall) => {
      const known = app.paywallRevisions.get(paywall.id) ?? 0;
      return [paywall.id, jsonEquals(stored.get(paywall.id), paywall) ? known : known + 1];
    }),
  );
}
