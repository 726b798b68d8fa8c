import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';
import { ReportedEvent } from './reported-event.ts';

/** Stores a client's batch whole. Kafka key: profile id. */
export const ReportEvents = defineCommand(
  'ReportEvents',
  1,
  z.object({ events: z.array(ReportedEvent).min(1).max(500) }),
  z.object({}),
);
export type ReportEvents = CommandOf<typeof ReportEvents>;
