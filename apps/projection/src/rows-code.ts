import { eventsOf } from '@paywright/contracts';

/** Raise it with a change that makes other rows of the same events than before. */
const changes = 2;

/**
 * Which rows are made of events: a read model of another code is to be rebuilt. A new version of an event raises it by
 * itself, as rows have an event as its definition has it.
 */
export const rowsCode = Object.values(eventsOf)
  .flat()
  .reduce((sum, { version }) => sum + version - 1, changes);
