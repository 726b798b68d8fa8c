import type { AppCatalogs } from './app-catalogs.ts';
import type { SelectionCommand } from './domain/selection-decider.ts';

/** The gateway may know a revision a moment earlier; a client waits for the whole answer a second. */
const patienceMs = 200;

/** Gives the catalogs that a batch needs a moment to arrive. What is missing then is the decider's to refuse. */
export async function awaitCatalogs(catalogs: AppCatalogs, commands: readonly SelectionCommand[]): Promise<void> {
  const needed = new Map<number, number>();
  for (const { type, appId, body } of commands) {
    if (type === 'ServePaywall') needed.set(appId, Math.max(body.catalogRevision, needed.get(appId) ?? 0));
  }
  await Promise.all([...needed].map(([appId, revision]) => catalogs.reached(appId, revision, patienceMs)));
}
