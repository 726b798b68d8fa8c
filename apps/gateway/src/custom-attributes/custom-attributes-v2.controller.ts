import { Body, Controller, Post } from '@nestjs/common';
import { Answer } from '../http/answer.ts';
import { CallerOf, type Caller } from '../http/caller.ts';
import { requireOurId } from '../profiles/profile-ids.ts';
import { AttributeWriting } from './attribute-writing.ts';
import { SetAttributesV2Dto } from './custom-attribute.dto.ts';

@Controller('v2/custom-attributes')
export class CustomAttributesV2Controller {
  constructor(private readonly writing: AttributeWriting) {}

  @Post()
  async set(@CallerOf() caller: Caller, @Body() dto: SetAttributesV2Dto): Promise<Answer> {
    const profileId = requireOurId(dto.profileId);
    const { attributes, created } = await this.writing.set(caller, profileId, dto.custom);
    return new Answer(attributes, { created, profileId });
  }
}
