import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SetCustomAttributes, UpdateCustomAttribute, type CustomAttribute, type ReplyOf } from '@paywright/contracts';
import { ProfileWrites } from '../commands/profile-writes.ts';
import { validationFailed } from '../http/api-error.ts';
import type { Caller } from '../http/caller.ts';
import type { ChangedAttributeDto, CustomAttributeDto, UpdateAttributeV1Dto } from './custom-attribute.dto.ts';

/** Sets and changes a profile's attributes, in both generations. */
@Injectable()
export class AttributeWriting {
  constructor(private readonly writes: ProfileWrites) {}

  /** Sets attributes by key. `created` tells that one of the keys is new. */
  set(
    caller: Caller,
    profileId: string,
    custom: readonly CustomAttributeDto[],
  ): Promise<ReplyOf<typeof SetCustomAttributes>> {
    const attributes = custom.map(({ key, value }) => ({ id: randomUUID(), key, value }));
    const body = { attributes };
    return this.writes.send(SetCustomAttributes, { caller, profileId, body });
  }

  /** Changes key and value of the attribute with this id. */
  async update(
    caller: Caller,
    profileId: string,
    id: string,
    { key, value }: ChangedAttributeDto,
  ): Promise<CustomAttribute> {
    const body = { id, key, value };
    return (await this.writes.send(UpdateCustomAttribute, { caller, profileId, body })).attribute;
  }
}

/**
 * The id of the attribute to change, from the body's top level or from `custom`.
 * @throws ApiError 400 if it is in neither, or differs
 */
export function attributeIdOf({ attrId, custom }: UpdateAttributeV1Dto): string {
  const outer = attrId || null;
  const inner = custom.attrId || null;
  if (outer !== null && inner !== null && outer !== inner) {
    throw validationFailed('attrId must be the same at the top level and in custom.');
  }
  const id = outer ?? inner;
  if (id === null) throw validationFailed('attrId must be given.');
  return id;
}
