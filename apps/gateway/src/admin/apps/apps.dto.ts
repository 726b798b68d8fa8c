import { keyKinds, type ApiKeyRecord } from '@paywright/contracts';
import { OneOf, Text } from '../../validation/fields.ts';

/** `POST /apps`. */
export class CreateAppDto {
  @Text() name!: string;
}

/** `POST /apps/{appId}/keys`. */
export class IssueKeyDto {
  @OneOf(keyKinds) kind!: ApiKeyRecord['kind'];
}
