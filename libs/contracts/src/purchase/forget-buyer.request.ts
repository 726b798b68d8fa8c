import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';

/**
 * Forgets by which accounts at the stores an erased profile was known, and gives up the chains that it owns. Replied
 * when the accounts are forgotten and the chains' commands are on their way. `erasedAt` in milliseconds. Kafka key:
 * profile id.
 */
export const ForgetBuyer = defineCommand('ForgetBuyer', 1, z.object({ erasedAt: z.int() }), z.object({}));
export type ForgetBuyer = CommandOf<typeof ForgetBuyer>;
