import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { CallerOf, type Caller } from '../http/caller.ts';
import { requireOurId } from '../profiles/profile-ids.ts';
import { countryOfAlpha2Or3 } from '../validation/country.ts';
import { PaywallRequestV2Dto } from './paywall-request.dto.ts';
import { PaywallServing } from './paywall-serving.ts';

@Controller('v2/paywall')
export class PaywallV2Controller {
  constructor(private readonly serving: PaywallServing) {}

  /** @returns the body as JSON text, most of which was written when the catalog was compiled */
  @Post()
  @HttpCode(200)
  @Header('content-type', 'application/json; charset=utf-8')
  async fetch(@CallerOf() caller: Caller, @Body() dto: PaywallRequestV2Dto): Promise<string> {
    const { placementId } = dto;
    const profileId = requireOurId(dto.profileId);
    const overrides = { ...dto, country: dto.country ? countryOfAlpha2Or3(dto.country) : null };
    const request = { placementId, profileId, baselineOnly: false, overrides };
    const { paywall, served } = await this.serving.serve(caller, request);
    return paywall.views.v2(served);
  }
}
