import { Body, Controller, Post, Put } from '@nestjs/common';
import { Answer } from '../http/answer.ts';
import { CallerOf, type Caller } from '../http/caller.ts';
import { ProfileIds } from '../profiles/profile-ids.ts';
import { attributeIdOf, AttributeWriting } from './attribute-writing.ts';
import { SetAttributesV1Dto, SetAttributeV1Dto, UpdateAttributeV1Dto } from './custom-attribute.dto.ts';

@Controller('api/v1/web-api/profiles')
export class CustomAttributesV1Controller {
  constructor(
    private readonly writing: AttributeWriting,
    private readonly ids: ProfileIds,
  ) {}

  @Post('custom-attributes')
  async set(@CallerOf() caller: Caller, @Body() dto: SetAttributeV1Dto): Promise<Answer> {
    const profileId = this.ids.resolve(caller.app.id, dto);
    const { attributes, created } = await this.writing.set(caller, profileId, [dto.custom]);
    return new Answer(attributes[0], { created, profileId });
  }

  @Put('custom-attributes')
  async update(@CallerOf() caller: Caller, @Body() dto: UpdateAttributeV1Dto): Promise<Answer> {
    const attributeId = attributeIdOf(dto);
    const profileId = this.ids.resolve(caller.app.id, dto);
    return new Answer(await this.writing.update(caller, profileId, attributeId, dto.custom), { profileId });
  }

  @Post('custom-attributes-all')
  async setAll(@CallerOf() caller: Caller, @Body() dto: SetAttributesV1Dto): Promise<Answer> {
    const profileId = this.ids.resolve(caller.app.id, dto);
    const { attributes, created } = await this.writing.set(caller, profileId, dto.custom);
    return new Answer(attributes, { created, profileId });
  }
}
