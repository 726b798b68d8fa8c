import { keyKinds, type ApiKeyRecord } from '@paywright/contracts';
import { OneOf, Text, Visible } from '../../validation/fields.ts';

/** `POST /apps`. */
export class CreateAppDto {
  @Text() @Visible() name!: string;
}

/** `POST /apps/{appId}/keys`. */
export class IssueKeyDto {
  @OneOf(keyKinds) kind!: ApiKeyRecord['kind'];
}
