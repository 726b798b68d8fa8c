import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { observedAt, observedFields } from './purchase-fields.ts';

export const RefundFailed = defineEvent(
  'RefundFailed',
  1,
  'The store says that this refund came to nothing: it gave nothing back, also where it had been told ' +
    'of as given.',
  z.object({
    ...observedFields,
    refundId: z.string().describe('The refund, by its id in the store'),
    observedAt,
  }),
);
export type RefundFailed = EventOf<typeof RefundFailed>;
