import { Entries, Entry, Identifier, OptionalIdentifier, OptionalText, Text } from '../validation/fields.ts';

const maxEntries = 500;

export class CustomAttributeDto {
  @Text(1, 100) key!: string;
  @Text(0, 1000) value!: string;
}

/** `attrId` may stand here or beside `custom`. */
export class ChangedAttributeDto extends CustomAttributeDto {
  @OptionalText() attrId?: string | null;
}

/** v1 `POST /profiles/custom-attributes`. */
export class SetAttributeV1Dto {
  @OptionalIdentifier() profileId?: string | null;
  @OptionalIdentifier() customerUserId?: string | null;
  @Entry(() => CustomAttributeDto) custom!: CustomAttributeDto;
}

/** v1 `PUT /profiles/custom-attributes`. */
export class UpdateAttributeV1Dto {
  @OptionalIdentifier() profileId?: string | null;
  @OptionalIdentifier() customerUserId?: string | null;
  @OptionalText() attrId?: string | null;
  @Entry(() => ChangedAttributeDto) custom!: ChangedAttributeDto;
}

/** v1 `POST /profiles/custom-attributes-all`. */
export class SetAttributesV1Dto {
  @OptionalIdentifier() profileId?: string | null;
  @OptionalIdentifier() customerUserId?: string | null;
  @Entries(() => CustomAttributeDto, maxEntries) custom!: CustomAttributeDto[];
}

/** v2 `POST /custom-attributes`. */
export class SetAttributesV2Dto {
  @Identifier() profileId!: string;
  @Entries(() => CustomAttributeDto, maxEntries) custom!: CustomAttributeDto[];
}
