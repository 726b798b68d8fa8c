import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { observedFields } from './purchase-fields.ts';

/** The store says that this refund came to nothing: it gave nothing back, also where it had been told of as given. */
export const RefundFailed = defineEvent(
  'RefundFailed',
  1,
  z.object({
    ...observedFields,
    refundId: z.string().describe('The refund, by its id in the store'),
    observedAt: z.int().describe('When the store said so, in milliseconds since the epoch'),
  }),
);
export type RefundFailed = EventOf<typeof RefundFailed>;
