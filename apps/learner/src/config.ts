import { databaseConfig, kafkaConfig, serviceConfig, tracingConfig } from '@paywright/platform';
import { z } from 'zod';

const never = 'never';
const dueAt = /^(?:(?:[01]\d|2[0-3]):[0-5]\d|never)$/;

/** The environment of the learner. */
export const learnerConfig = z.object({
  ...serviceConfig,
  ...databaseConfig,
  ...kafkaConfig,
  ...tracingConfig,
  REBUILD_AT: z
    .string()
    .regex(dueAt, 'must be a time of day such as 02:30, or never')
    .default('02:00')
    .describe(
      'When models are rebuilt, each within the hour after it: a time of day, UTC, or never, which leaves one that has begun',
    ),
});

/** A time of day in milliseconds since midnight; null of `never`. @param text as REBUILD_AT is */
export function timeOfDayMs(text: string): number | null {
  if (text === never) return null;
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return (hours * 60 + minutes) * 60_000;
}
