import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';

/** An attribute is new, or has a new value, or (same id, other key) a new name. */
export const CustomAttributeSet = defineEvent(
  'CustomAttributeSet',
  1,
  z.object({ appId: z.int(), profileId: z.uuid(), attributeId: z.uuid(), key: z.string(), value: z.string() }),
);
export type CustomAttributeSet = EventOf<typeof CustomAttributeSet>;
