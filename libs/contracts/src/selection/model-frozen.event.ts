import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';

/** A model serves on as it was, whatever it learns. */
export const ModelFrozen = defineEvent('ModelFrozen', 1, z.object({ appId: z.int(), model: z.string() }));
export type ModelFrozen = EventOf<typeof ModelFrozen>;
