import type { CommandClient } from '@paywright/messaging';
import type { Clock, Logger, Metrics } from '@paywright/platform';
import type {
  CatalogQueries,
  DecisionQueries,
  ProfileQueries,
  ReadModelProgress,
  TimelineQueries,
} from '@paywright/read-model';
import type { SessionTokens } from '@paywright/session-token';
import type { Apps } from './catalog/apps.ts';
import type { GatewayConfig } from './config.ts';
import type { IdempotencyStore } from './idempotency/idempotency-store.ts';
import type { ProfileIds } from './profiles/profile-ids.ts';

/** Nest's tokens of what is no class. */
export const GATEWAY_CONFIG = Symbol('gateway configuration');
export const LOGGER = Symbol('logger');

/**
 * All that the gateway's controllers work with, opened by main.ts and put together by tests: of what
 * speaks to other processes, the methods that are used.
 */
export interface GatewayParts {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly apps: Apps;
  readonly commands: Pick<CommandClient, 'send' | 'post'>;
  readonly profiles: Pick<ProfileQueries, 'find' | 'search'>;
  readonly timeline: TimelineQueries;
  readonly decisions: DecisionQueries;
  readonly catalogs: CatalogQueries;
  readonly progress: Pick<ReadModelProgress, 'reached' | 'catalogReached'>;
  readonly tokens: SessionTokens;
  readonly profileIds: ProfileIds;
  readonly idempotencyKeys: IdempotencyStore;
}
