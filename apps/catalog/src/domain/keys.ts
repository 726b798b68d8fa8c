import {
  AppCreated,
  canBeCarried,
  KeyIssued,
  KeyRevoked,
  refuse,
  type CreateApp,
  type IssueKey,
  type RevokeKey,
} from '@paywright/contracts';
import type { Decision } from '@paywright/event-sourcing';
import { appNotFound } from './app-not-found.ts';
import { appSnapshot } from './app-state-json.ts';
import { evolve, type AppState } from './app.ts';

/** Claims the id that is the command's key, with keys 1, 2 …; APP_NOT_FOUND if the id is taken. */
export function createApp(command: CreateApp, state: AppState): Decision<AppCreated> {
  const { appId, issuedAt: createdAt, body } = command;
  if (state.status === 'present') return refuse('APP_NOT_FOUND', `App id ${appId} is taken.`);
  const keys = body.keys.map((key, index) => ({ ...key, keyId: index + 1 }));
  return {
    events: [AppCreated.of({ appId, name: body.name, actor: body.actor, createdAt, keys })],
    reply: { created: true },
  };
}

/** Adds a key with the next free id; PAYLOAD_TOO_LARGE if the app with all its keys, revoked ones too, is too long to be told. */
export function issueKey(command: IssueKey, state: AppState): Decision<KeyIssued> {
  const { appId, issuedAt: createdAt, body } = command;
  if (state.status === 'absent') return appNotFound(appId);
  const keyId = state.keys.length + 1;
  const event = KeyIssued.of({ appId, actor: body.actor, createdAt, key: { ...body.key, keyId } });
  const after = evolve(state, event);
  if (after.status === 'present' && !canBeCarried(appSnapshot(after)))
    return refuse(
      'PAYLOAD_TOO_LARGE',
      `The app with its catalog and ${keyId} keys, revoked ones too, is too long to be told: shorten the catalog, or add an app.`,
    );
  return { events: [event], reply: { keyId, createdAt } };
}

/** Ends a key; one that is ended keeps its time. */
export function revokeKey(command: RevokeKey, state: AppState): Decision<KeyRevoked> {
  const { appId, issuedAt, body } = command;
  if (state.status === 'absent') return appNotFound(appId);
  const key = state.keys.find(({ keyId }) => keyId === body.keyId);
  if (!key) return refuse('KEY_NOT_FOUND', `keyId names no key of this app: ${body.keyId}.`);
  if (key.revokedAt !== null) return { events: [], reply: { revokedAt: key.revokedAt } };
  return {
    events: [KeyRevoked.of({ appId, actor: body.actor, keyId: key.keyId, revokedAt: issuedAt })],
    reply: { revokedAt: issuedAt },
  };
}
