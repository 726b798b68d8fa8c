import { Module } from '@nestjs/common';
import type { GatewayConfig } from '../config.ts';
import { GATEWAY_CONFIG } from '../gateway-parts.ts';
import { AdminRealm } from './admin-realm.ts';
import { AdminTokens } from './access/admin-tokens.ts';
import { AppCreation } from './apps/app-creation.ts';
import { AppsController } from './apps/apps.controller.ts';
import { KeysController } from './apps/keys.controller.ts';
import { AuditController } from './audit/audit.controller.ts';
import { CatalogWrites } from './catalog-writes.ts';
import { CatalogController } from './catalog/catalog.controller.ts';
import { RevisionsController } from './catalog/revisions.controller.ts';
import { AwaitedWrites } from '../commands/awaited-writes.ts';
import { ProfileWrites } from '../commands/profile-writes.ts';
import { ProfileViewsV1 } from '../profiles/profile-views-v1.ts';
import { CredentialsChecks } from './credentials/credentials-checks.ts';
import { CredentialsController } from './credentials/credentials.controller.ts';
import { DeadLettersController } from './dead-letters/dead-letters.controller.ts';
import { DecisionReplays } from './decisions/decision-replay.ts';
import { DecisionsController } from './decisions/decisions.controller.ts';
import { ModelEvaluation } from './models/model-evaluation.ts';
import { ModelExploration } from './models/model-exploration.ts';
import { ModelWrites } from './models/model-writes.ts';
import { ModelsController } from './models/models.controller.ts';
import { Models } from './models/models.ts';
import { ProfileErasure } from './people/profile-erasure.ts';
import { ProfileExport } from './people/profile-export.ts';
import { AdminProfilesController } from './people/profiles.controller.ts';
import { ReportsController } from './reports/reports.controller.ts';

/** The admin API, below /admin/v1. */
@Module({
  controllers: [
    AppsController,
    KeysController,
    CatalogController,
    RevisionsController,
    CredentialsController,
    AdminProfilesController,
    DecisionsController,
    ReportsController,
    ModelsController,
    AuditController,
    DeadLettersController,
  ],
  providers: [
    {
      provide: AdminTokens,
      inject: [GATEWAY_CONFIG],
      useFactory: ({ ADMIN_TOKENS }: GatewayConfig) => new AdminTokens(ADMIN_TOKENS),
    },
    AdminRealm,
    CatalogWrites,
    AppCreation,
    CredentialsChecks,
    DecisionReplays,
    Models,
    ModelEvaluation,
    ModelExploration,
    ModelWrites,
    ProfileViewsV1,
    AwaitedWrites,
    ProfileWrites,
    ProfileErasure,
    ProfileExport,
  ],
  exports: [AdminRealm],
})
export class AdminModule {}
