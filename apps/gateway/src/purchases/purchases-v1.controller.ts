import { Body, Controller, Post } from '@nestjs/common';
import { Answer } from '../http/answer.ts';
import { CallerOf, type Caller } from '../http/caller.ts';
import { ProfileIds } from '../profiles/profile-ids.ts';
import { ProfileViewsV1 } from '../profiles/profile-views-v1.ts';
import { orNull } from '../validation/text.ts';
import { AppStorePurchaseDto } from './app-store-purchase.dto.ts';
import { attributionOf, clientReportOf } from './client-report.ts';
import { hasTrialPhase, kindOf, purchaseTokenOf } from './play-claim.ts';
import { PlayPurchaseDto } from './play-purchase.dto.ts';
import { PurchaseTokens } from './purchase-tokens.ts';
import { PurchaseValidation, type ReportedPurchase } from './purchase-validation.ts';

@Controller('api/v1/web-api/purchases')
export class PurchasesV1Controller {
  constructor(
    private readonly ids: ProfileIds,
    private readonly tokens: PurchaseTokens,
    private readonly validation: PurchaseValidation,
    private readonly views: ProfileViewsV1,
  ) {}

  @Post('apple-store/validate')
  validateAppStore(@CallerOf() caller: Caller, @Body() dto: AppStorePurchaseDto): Promise<Answer> {
    const { transactionId, originalTransactionId, productId, environment, isSubscription, source } = dto;
    return this.#validate(caller, {
      profileId: this.ids.named(caller.app.id, dto),
      originalId: originalTransactionId,
      purchase: {
        store: 'app_store',
        transactionId,
        originalTransactionId,
        productId,
        environment: orNull(environment) ?? null,
        isSubscription: isSubscription ?? null,
      },
      source: orNull(source) ?? null,
      attribution: attributionOf(dto, null),
      clientReported: clientReportOf(dto, null),
    });
  }

  @Post('play-store/validate')
  validatePlay(@CallerOf() caller: Caller, @Body() dto: PlayPurchaseDto): Promise<Answer> {
    const appId = caller.app.id;
    const kind = kindOf(dto);
    const token = purchaseTokenOf(dto);
    return this.#validate(caller, {
      profileId: this.ids.named(appId, dto),
      originalId: token,
      purchase: {
        store: 'play_store',
        sealedToken: this.tokens.seal(appId, token),
        productId: dto.productId,
        kind,
      },
      source: null,
      attribution: attributionOf(dto, dto.abTestId ?? null),
      clientReported: clientReportOf(dto, hasTrialPhase(dto)),
    });
  }

  async #validate(caller: Caller, reported: ReportedPurchase): Promise<Answer> {
    const profile = await this.validation.validate(caller, reported);
    return new Answer(await this.views.show(caller.app, profile));
  }
}
