import type { CommandClient } from '@paywright/messaging';
import type { Clock, Logger, Metrics, Tracer } from '@paywright/platform';
import type {
  CatalogQueries,
  DeadLetterQueries,
  DecisionQueries,
  ExportQueries,
  ModelQueries,
  PlacementReportQueries,
  ProfileQueries,
  PurchaseQueries,
  ReadModelProgress,
  TimelineQueries,
} from '@paywright/read-model';
import type { SessionTokens } from '@paywright/session-token';
import type { StoreAccess, StoreCredentialsBook } from '@paywright/store-credentials';
import type { googleKeys } from '@paywright/stores';
import type { Apps } from './catalog/apps.ts';
import type { GatewayConfig } from './config.ts';
import type { IdempotencyStore } from './idempotency/idempotency-store.ts';
import type { ProfileIds } from './profiles/profile-ids.ts';
import type { UnshownProfiles } from './profiles/unshown-profiles.ts';

/** Nest's tokens of what is no class. */
export const GATEWAY_CONFIG = Symbol('gateway configuration');
export const LOGGER = Symbol('logger');
export const TRACER = Symbol('tracer');
export const GOOGLE_KEYS = Symbol('keys that Google signs push tokens with');

export type GoogleKeys = ReturnType<typeof googleKeys>;

/**
 * All that the gateway's controllers work with, opened by main.ts and put together by tests: of what
 * speaks to other processes, the methods that are used.
 */
export interface GatewayParts {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  readonly clock: Clock;
  readonly apps: Apps;
  readonly commands: Pick<CommandClient, 'send' | 'post' | 'deliver'>;
  readonly profiles: Pick<ProfileQueries, 'find' | 'findImpersonal' | 'search' | 'versionOf'>;
  readonly unshownProfiles: Pick<UnshownProfiles, 'keep' | 'find' | 'forget'>;
  readonly timeline: TimelineQueries;
  readonly decisions: DecisionQueries;
  readonly deadLetters: DeadLetterQueries;
  readonly exports: Pick<ExportQueries, 'events' | 'impressions'>;
  readonly catalogs: CatalogQueries;
  readonly models: ModelQueries;
  readonly reports: PlacementReportQueries;
  readonly purchases: Pick<PurchaseQueries, 'chainsOf' | 'ledgerOf' | 'outcomeOf'>;
  readonly progress: Pick<ReadModelProgress, 'mayLack' | 'reached' | 'catalogReached' | 'purchaseReached'>;
  readonly tokens: SessionTokens;
  readonly profileIds: ProfileIds;
  readonly credentials: Pick<
    StoreCredentialsBook,
    'find' | 'isLocked' | 'put' | 'remove' | 'summaries' | 'recordCheck'
  >;
  readonly stores: StoreAccess;
  readonly googleKeys: GoogleKeys;
  readonly idempotencyKeys: IdempotencyStore;
}
