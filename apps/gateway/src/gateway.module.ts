import { Module, type DynamicModule } from '@nestjs/common';
import { AdminModule } from './admin/admin.module.ts';
import { AwaitedWrites } from './commands/awaited-writes.ts';
import { ProfileWrites } from './commands/profile-writes.ts';
import { AttributeWriting } from './custom-attributes/attribute-writing.ts';
import { CustomAttributesV1Controller } from './custom-attributes/custom-attributes-v1.controller.ts';
import { CustomAttributesV2Controller } from './custom-attributes/custom-attributes-v2.controller.ts';
import { EventsV1Controller } from './events/events-v1.controller.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { GatewayPartsModule } from './gateway-parts.module.ts';
import { NotificationsModule } from './notifications/notifications.module.ts';
import { BaselineFallback } from './paywalls/baseline-fallback.ts';
import { FallbackRecords } from './paywalls/fallback-records.ts';
import { PaywallSelection } from './paywalls/paywall-selection.ts';
import { PaywallServing } from './paywalls/paywall-serving.ts';
import { PaywallV2Controller } from './paywalls/paywall-v2.controller.ts';
import { PaywallsV1Controller } from './paywalls/paywalls-v1.controller.ts';
import { KnownProfiles } from './profiles/known-profiles.ts';
import { ProfileSaving } from './profiles/profile-saving.ts';
import { ProfileViewsV1 } from './profiles/profile-views-v1.ts';
import { ProfilesV1Controller } from './profiles/profiles-v1.controller.ts';
import { ProfilesV2Controller } from './profiles/profiles-v2.controller.ts';
import { PurchaseTokens } from './purchases/purchase-tokens.ts';
import { PurchaseValidation } from './purchases/purchase-validation.ts';
import { PurchasesV1Controller } from './purchases/purchases-v1.controller.ts';

/** What the gateway is made of: a controller for each resource of each generation, over the use cases. */
@Module({
  controllers: [
    ProfilesV1Controller,
    ProfilesV2Controller,
    CustomAttributesV1Controller,
    CustomAttributesV2Controller,
    PaywallsV1Controller,
    PaywallV2Controller,
    EventsV1Controller,
    PurchasesV1Controller,
  ],
  providers: [
    AwaitedWrites,
    ProfileWrites,
    KnownProfiles,
    ProfileSaving,
    ProfileViewsV1,
    AttributeWriting,
    PaywallSelection,
    BaselineFallback,
    FallbackRecords,
    PaywallServing,
    PurchaseTokens,
    PurchaseValidation,
  ],
})
export class GatewayModule {
  static of(parts: GatewayParts): DynamicModule {
    return { module: GatewayModule, imports: [GatewayPartsModule.of(parts), AdminModule, NotificationsModule] };
  }
}
