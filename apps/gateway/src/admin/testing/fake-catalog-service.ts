import {
  CatalogDocument,
  refuse,
  type AppSnapshot,
  type CreateApp,
  type FreezeModel,
  type LimitModelShare,
  type IssueKey,
  type RecordCredentialsChange,
  type Refusal,
  type ReplaceCatalog,
  type Reply,
  type RevokeKey,
} from '@paywright/contracts';
import type { Apps } from '../../catalog/apps.ts';

type Sent = { readonly id: string; readonly appId: number; readonly key: string; readonly deadlineMs: number };
type SentCommand = Sent &
  (
    | { readonly type: 'CreateApp'; readonly body: CreateApp['body'] }
    | { readonly type: 'IssueKey'; readonly body: IssueKey['body'] }
    | { readonly type: 'RevokeKey'; readonly body: RevokeKey['body'] }
    | { readonly type: 'RecordCredentialsChange'; readonly body: RecordCredentialsChange['body'] }
    | { readonly type: 'ReplaceCatalog'; readonly body: ReplaceCatalog['body'] }
    | { readonly type: 'FreezeModel'; readonly body: FreezeModel['body'] }
    | { readonly type: 'LimitModelShare'; readonly body: LimitModelShare['body'] }
  );

const noIds = { paywalls: {}, models: {}, products: {}, paywallProducts: {} };

/** Stands where the command client does: keeps what it is sent, does as catalog and selection would, and tells `Apps`. */
export class FakeCatalogService {
  readonly sent: SentCommand[] = [];
  /** Apps that another gateway has made, and of which this one has not heard. */
  readonly taken = new Set<number>();
  /** Whether changes reach the gateway's apps. */
  publishes = true;
  readonly #apps: Apps;
  readonly #now: () => number;

  constructor(apps: Apps, now: () => number) {
    this.#apps = apps;
    this.#now = now;
  }

  async send({ type }: { readonly type: SentCommand['type'] }, sent: Omit<SentCommand, 'type'>): Promise<Reply> {
    const command = { ...sent, type } as SentCommand;
    this.sent.push(command);
    const before = this.#apps.find(command.appId)?.snapshot;
    const outcome = this.#outcome(command, before);
    if ('code' in outcome) return { status: 'refused', refusal: outcome };
    if (this.publishes && outcome.after) this.#apps.apply(outcome.after);
    const streamVersion = outcome.after?.version ?? before?.version ?? 0;
    return { status: 'accepted', streamVersion, body: outcome.reply };
  }

  #outcome(command: SentCommand, before: AppSnapshot | undefined): Refusal | { reply: unknown; after?: AppSnapshot } {
    if (command.type === 'CreateApp') {
      const isTaken = before !== undefined || this.taken.has(command.appId);
      return isTaken ? refuse('APP_NOT_FOUND', 'The id is taken.') : { reply: {}, after: this.#newApp(command) };
    }
    if (before === undefined) return refuse('APP_NOT_FOUND', 'appId names no app.');
    const next = { ...before, version: before.version + 1 };
    switch (command.type) {
      case 'IssueKey': {
        const key = { ...command.body.key, keyId: before.keys.length + 1, createdAt: this.#now(), revokedAt: null };
        return {
          reply: { keyId: key.keyId, createdAt: key.createdAt },
          after: { ...next, keys: [...before.keys, key] },
        };
      }
      case 'RevokeKey': {
        const revokedAt = this.#now();
        const isMeant = ({ keyId }: { keyId: number }) => keyId === command.body.keyId;
        if (!before.keys.some(isMeant)) return refuse('KEY_NOT_FOUND', 'keyId names no key of this app.');
        return {
          reply: { revokedAt },
          after: { ...next, keys: before.keys.map((key) => (isMeant(key) ? { ...key, revokedAt } : key)) },
        };
      }
      case 'RecordCredentialsChange':
        return { reply: {}, after: next };
      // Selection does these; of apps they change nothing.
      case 'FreezeModel':
        return { reply: { isFrozen: command.body.isFrozen } };
      case 'LimitModelShare':
        return { reply: { aiShare: command.body.aiShare } };
      case 'ReplaceCatalog': {
        const { document, ifRevision, dryRun } = command.body;
        if (ifRevision !== null && ifRevision !== before.revision)
          return refuse('REVISION_CONFLICT', 'Another revision is stored.');
        const revision = before.revision + 1;
        const reply = { revision, changes: [], warnings: [], ids: noIds };
        return dryRun ? { reply } : { reply, after: { ...next, revision, document, ids: idsOf(document) } };
      }
    }
  }

  #newApp({ appId, body }: Sent & { body: CreateApp['body'] }): AppSnapshot {
    const createdAt = this.#now();
    return {
      appId,
      version: 1,
      name: body.name,
      createdAt,
      keys: body.keys.map((key, index) => ({ ...key, keyId: index + 1, createdAt, revokedAt: null })),
      revision: 0,
      document: CatalogDocument.parse({}),
      archivedProducts: [],
      ids: noIds,
      paywallRevisions: {},
    };
  }
}

const numbered = (names: readonly string[]) => Object.fromEntries(names.map((name, index) => [name, index + 1]));

const idsOf = ({ paywalls, models, products }: CatalogDocument) => ({
  paywalls: numbered(paywalls.map(({ id }) => id)),
  models: numbered(models.map(({ id }) => id)),
  products: numbered(products.map(({ id }) => id)),
  paywallProducts: numbered(
    paywalls.flatMap(({ id, products: held }) => held.map((_, position) => `${id}/${position}`)),
  ),
});
