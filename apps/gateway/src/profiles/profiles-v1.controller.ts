import { Body, Controller, Post } from '@nestjs/common';
import { Answer } from '../http/answer.ts';
import { CallerOf, type Caller } from '../http/caller.ts';
import { ProfileSaving } from './profile-saving.ts';
import { ProfileViewsV1 } from './profile-views-v1.ts';
import { profileChangesV1, SaveProfileV1Dto } from './save-profile-v1.dto.ts';

@Controller('api/v1/web-api/profiles')
export class ProfilesV1Controller {
  constructor(
    private readonly saving: ProfileSaving,
    private readonly views: ProfileViewsV1,
  ) {}

  @Post()
  async save(@CallerOf() caller: Caller, @Body() dto: SaveProfileV1Dto): Promise<Answer> {
    const { profile, created } = await this.saving.save(caller, profileChangesV1(dto));
    return new Answer(await this.views.show(caller.app, profile), { created });
  }
}
