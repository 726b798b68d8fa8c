import {
  AppCreated,
  CatalogDocument,
  CatalogReplaced,
  KeyIssued,
  StoreCredentialsSet,
  type CreateApp,
  type IssueKey,
  type RecordCredentialsChange,
  type ReplaceCatalog,
  type RevokeKey,
  type Store,
} from '@paywright/contracts';
import { exampleCatalog } from '@paywright/contracts/testing';

export const appId = 7;
export const issuedAt = 1_767_225_600_000;
export const actor = 'ops';

export const keyRecord = (kind: 'secret' | 'public', digit = '0') => ({
  kind,
  prefix: `pw_${kind}`,
  sha256: digit.repeat(64),
});

const envelope = {
  id: '01900000-0000-7000-8000-000000000001',
  version: 1,
  appId,
  key: String(appId),
  issuedAt,
  deadline: issuedAt + 5000,
};

export const createApp = (): CreateApp => ({
  ...envelope,
  type: 'CreateApp',
  body: { name: 'Demo', actor, keys: [keyRecord('secret'), keyRecord('public')] },
});
export const issueKey = (): IssueKey => ({
  ...envelope,
  type: 'IssueKey',
  body: { actor, key: keyRecord('secret', '1') },
});
export const revokeKey = (keyId: number, at = issuedAt): RevokeKey => ({
  ...envelope,
  issuedAt: at,
  type: 'RevokeKey',
  body: { actor, keyId },
});
export const replaceCatalog = (
  document: CatalogDocument,
  { ifRevision = null, dryRun = false }: { ifRevision?: number | null; dryRun?: boolean } = {},
): ReplaceCatalog => ({ ...envelope, type: 'ReplaceCatalog', body: { actor, document, ifRevision, dryRun } });
export const credentialsChange = (
  change: RecordCredentialsChange['body']['change'],
  store: Store = 'stripe',
): RecordCredentialsChange => ({ ...envelope, type: 'RecordCredentialsChange', body: { actor, store, change } });

export const appCreated = AppCreated.of({
  appId,
  name: 'Demo',
  actor,
  createdAt: issuedAt,
  keys: [
    { ...keyRecord('secret'), keyId: 1 },
    { ...keyRecord('public'), keyId: 2 },
  ],
});
export const keyIssued = KeyIssued.of({
  appId,
  actor,
  createdAt: issuedAt,
  key: { ...keyRecord('secret', '1'), keyId: 3 },
});

export const exampleIds = {
  paywalls: { calm: 1, bold: 2 },
  models: { main: 1 },
  products: { 'premium-monthly': 1 },
  paywallProducts: { 'calm/0': 1, 'bold/0': 2 },
};
export const catalogReplaced = CatalogReplaced.of({
  appId,
  actor,
  revision: 1,
  document: exampleCatalog,
  ids: exampleIds,
  paywallRevisions: { calm: 1, bold: 1 },
});

/** The example with some of its lists replaced. */
export const changed = (change: Partial<CatalogDocument>): CatalogDocument =>
  CatalogDocument.parse({ ...exampleCatalog, ...change });

export const credentialsSet = StoreCredentialsSet.of({ appId, actor, store: 'stripe' });
