import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';
import { Store } from './purchase-facts.ts';

/** Ends the access of a chain whose place another has taken; the chain may be one never heard of. Kafka key: its id. */
export const ReplacePurchase = defineCommand(
  'ReplacePurchase',
  1,
  z.object({ store: Store, byChainId: z.uuid(), replacedAt: z.int() }),
  z.object({}),
);
export type ReplacePurchase = CommandOf<typeof ReplacePurchase>;
