import { AppSnapshot, Store } from '@paywright/contracts';
import { z } from 'zod';
import type { App, AppState } from './app.ts';

/** Entries, not objects: a name may be anything that objects have by nature. */
const integers = z.array(z.tuple([z.string(), z.int()])).transform((entries) => new Map(entries));

const AppStateJson = z.discriminatedUnion('status', [
  z.object({ status: z.literal('absent') }),
  AppSnapshot.omit({ paywallRevisions: true, edition: true }).extend({
    status: z.literal('present'),
    integers: z.object({ paywalls: integers, models: integers, products: integers, paywallProducts: integers }),
    paywallRevisions: integers,
    // Snapshots of before there were credentials have none.
    credentials: z
      .array(Store)
      .default([])
      .transform((stores) => new Set(stores)),
  }),
]);

/** An app's state as JSON, and back. */
export function encodeAppState(state: AppState): unknown {
  if (state.status === 'absent') return state;
  const { integers: given, paywallRevisions, credentials } = state;
  return {
    ...state,
    integers: {
      paywalls: [...given.paywalls],
      models: [...given.models],
      products: [...given.products],
      paywallProducts: [...given.paywallProducts],
    },
    paywallRevisions: [...paywallRevisions],
    credentials: [...credentials],
  };
}

/** @throws ZodError if the JSON is no state of this shape */
export const decodeAppState = (json: unknown): AppState => AppStateJson.parse(json);

/** Raised where `appSnapshot` makes something else of the same events: then every app is told again. */
export const appEdition = 1;

/** All that gateway, selection and learner need to know of an app: its current objects, and what it sold. */
export function appSnapshot(app: App): AppSnapshot {
  const { appId, version, name, createdAt, keys, revision, document, archivedProducts, ids } = app;
  const paywallRevisions = Object.fromEntries(
    document.paywalls.map(({ id }) => [id, app.paywallRevisions.get(id) ?? 1] as const),
  );
  return {
    ...{ appId, version, edition: appEdition, name, createdAt, keys },
    ...{ revision, document, archivedProducts, ids, paywallRevisions },
  };
}
