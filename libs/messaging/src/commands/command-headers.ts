import { z } from 'zod';

const integer = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

/**
 * What the headers of a command say: all that is needed to dispatch it. Times are milliseconds since the epoch.
 * Without `reply-partition` nobody waits for a reply; without `request-id` the request has the command's id.
 */
export const CommandHeaders = z.object({
  id: z.uuid(),
  type: z.string(),
  version: integer,
  app: integer,
  'issued-at': integer,
  deadline: integer,
  'reply-partition': integer.optional(),
  traceparent: z.string().optional(),
  'request-id': z.string().max(64).optional(),
});
export type CommandHeaders = z.output<typeof CommandHeaders>;

export const headersOfCommand = (headers: CommandHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );
