import { randomUUID } from 'node:crypto';
import type { AnyCommandDefinition, Command, CommandOf } from '@paywright/contracts';

/** A command of the definition, as its service gets it: fresh id, app 1, never late, unless said otherwise. */
export function commandFor<D extends AnyCommandDefinition>(
  definition: D,
  given: Pick<CommandOf<D>, 'key' | 'body'> & Partial<Omit<Command, 'type' | 'version' | 'body'>>,
): CommandOf<D> {
  const { type, version } = definition;
  const issuedAt = given.issuedAt ?? Date.UTC(2026, 0, 1);
  const command = { id: randomUUID(), type, version, appId: 1, issuedAt, deadline: Number.MAX_SAFE_INTEGER, ...given };
  return command as CommandOf<D>; // a definition's own type, version and body
}
