import { z } from 'zod';
import { appId, profileId } from '../event-fields.ts';
import { defineEvent, type EventOf } from '../message.ts';

export const CustomAttributeSet = defineEvent(
  'CustomAttributeSet',
  1,
  'An attribute is new, or has a new value, or (same id, other key) a new name.',
  z.object({
    appId,
    profileId,
    attributeId: z.uuid().describe('The attribute, whatever it is called'),
    key: z.string().describe('Its name from now on'),
    value: z.string().describe('Its value from now on'),
  }),
);
export type CustomAttributeSet = EventOf<typeof CustomAttributeSet>;
