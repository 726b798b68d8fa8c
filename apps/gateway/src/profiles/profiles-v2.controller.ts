import { Body, Controller, Post } from '@nestjs/common';
import { Answer } from '../http/answer.ts';
import { CallerOf, type Caller } from '../http/caller.ts';
import { ProfileSaving } from './profile-saving.ts';
import { profileViewV2 } from './profile-view-v2.ts';
import { profileChangesV2, SaveProfileV2Dto } from './save-profile-v2.dto.ts';

@Controller('v2/profiles')
export class ProfilesV2Controller {
  constructor(private readonly saving: ProfileSaving) {}

  @Post()
  async save(@CallerOf() caller: Caller, @Body() dto: SaveProfileV2Dto): Promise<Answer> {
    const { profile, created } = await this.saving.save(caller, profileChangesV2(dto));
    return new Answer(profileViewV2(profile), { created });
  }
}
