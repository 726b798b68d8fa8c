import { shareLimits, type ShareLimit } from '@paywright/contracts';
import { OneOf } from '../../validation/fields.ts';

/** `PUT /apps/{appId}/models/{modelId}/ai-share`. */
export class LimitShareDto {
  @OneOf(shareLimits) aiShare!: ShareLimit;
}
