import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { CommandClient } from '@paywright/messaging';
import { Clock, Metrics } from '@paywright/platform';
import {
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
import { SessionTokens } from '@paywright/session-token';
import { StoreAccess, StoreCredentialsBook } from '@paywright/store-credentials';
import { Apps } from './catalog/apps.ts';
import { GATEWAY_CONFIG, GOOGLE_KEYS, LOGGER, TRACER, type GatewayParts } from './gateway-parts.ts';
import { IdempotencyStore } from './idempotency/idempotency-store.ts';
import { ProfileIds } from './profiles/profile-ids.ts';
import { UnshownProfiles } from './profiles/unshown-profiles.ts';

/** The live parts, for every module of the gateway to inject. */
@Module({})
export class GatewayPartsModule {
  static of(parts: GatewayParts): DynamicModule {
    const providers: Provider[] = [
      { provide: GATEWAY_CONFIG, useValue: parts.config },
      { provide: LOGGER, useValue: parts.logger },
      { provide: Metrics, useValue: parts.metrics },
      { provide: TRACER, useValue: parts.tracer },
      { provide: Clock, useValue: parts.clock },
      { provide: Apps, useValue: parts.apps },
      { provide: CommandClient, useValue: parts.commands },
      { provide: ProfileQueries, useValue: parts.profiles },
      { provide: UnshownProfiles, useValue: parts.unshownProfiles },
      { provide: TimelineQueries, useValue: parts.timeline },
      { provide: DecisionQueries, useValue: parts.decisions },
      { provide: DeadLetterQueries, useValue: parts.deadLetters },
      { provide: ExportQueries, useValue: parts.exports },
      { provide: CatalogQueries, useValue: parts.catalogs },
      { provide: ModelQueries, useValue: parts.models },
      { provide: PlacementReportQueries, useValue: parts.reports },
      { provide: PurchaseQueries, useValue: parts.purchases },
      { provide: ReadModelProgress, useValue: parts.progress },
      { provide: IdempotencyStore, useValue: parts.idempotencyKeys },
      { provide: SessionTokens, useValue: parts.tokens },
      { provide: ProfileIds, useValue: parts.profileIds },
      { provide: StoreCredentialsBook, useValue: parts.credentials },
      { provide: StoreAccess, useValue: parts.stores },
      { provide: GOOGLE_KEYS, useValue: parts.googleKeys },
    ];
    return { module: GatewayPartsModule, global: true, providers, exports: providers };
  }
}
