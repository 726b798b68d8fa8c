import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { CallerOf, type Caller } from '../http/caller.ts';
import { ProfileIds } from '../profiles/profile-ids.ts';
import { countryOfAlpha2 } from '../validation/country.ts';
import { PaywallRequestV1Dto } from './paywall-request.dto.ts';
import { PaywallServing } from './paywall-serving.ts';

@Controller('api/v1/web-api/paywalls')
export class PaywallsV1Controller {
  constructor(
    private readonly serving: PaywallServing,
    private readonly ids: ProfileIds,
  ) {}

  /** @returns the body as JSON text, most of which was written when the catalog was compiled */
  @Post()
  @HttpCode(200)
  @Header('content-type', 'application/json; charset=utf-8')
  async fetch(@CallerOf() caller: Caller, @Body() dto: PaywallRequestV1Dto): Promise<string> {
    const { placementId, store } = dto;
    const profileId = this.ids.resolve(caller.app.id, dto);
    const baselineOnly = dto.profileId == null;
    const overrides = { ...dto, country: dto.country ? countryOfAlpha2(dto.country) : null };
    const { paywall, served } = await this.serving.serve(caller, { placementId, profileId, baselineOnly, overrides });
    return paywall.views.v1(store || null, placementId, served);
  }
}
