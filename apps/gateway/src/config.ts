import { databaseConfig, kafkaConfig, masterKeyConfig, serviceConfig, tracingConfig } from '@paywright/platform';
import { storesConfig } from '@paywright/stores/settings';
import { z } from 'zod';
import { adminTokensFault } from './admin/access/admin-tokens.ts';
import { limitsConfig } from './limits/limits-config.ts';

/** As long as a purchase is waited for: the lease of an idempotency key, the drain and silent sockets allow for no more. */
const longestDeadlineMs = 8_000;
const tooLong = `must be at most ${longestDeadlineMs}`;

/** The gateway's environment. */
export const gatewayConfig = z.object({
  ...serviceConfig,
  ...databaseConfig,
  ...kafkaConfig,
  ...tracingConfig,
  ...masterKeyConfig,
  ...storesConfig,
  GATEWAY_HOST: z.string().default('127.0.0.1').describe('Address of the REST and admin APIs'),
  GATEWAY_PORT: z.coerce
    .number('must be a port')
    .int('must be a port')
    .min(0, 'must be a port')
    .max(65_535, 'must be a port')
    .default(3000)
    .describe('Port of the REST and admin APIs; 0 takes a free one'),
  ADMIN_TOKENS: z
    .string()
    .superRefine((text, context) => {
      const message = adminTokensFault(text);
      if (message !== null) context.addIssue({ code: 'custom', message });
    })
    .default('')
    .describe('Who may use the admin API: name:token[:role], comma separated; role is admin (default) or viewer'),
  PAYWALL_DEADLINE_MS: z.coerce
    .number('must be milliseconds')
    .int('must be milliseconds')
    .min(10, 'must be at least 10')
    .max(longestDeadlineMs, tooLong)
    .default(1_000)
    .describe(
      'How long a paywall request waits for selection before Baseline is served, in milliseconds, 8000 at most',
    ),
  WRITE_DEADLINE_MS: z.coerce
    .number('must be milliseconds')
    .int('must be milliseconds')
    .min(100, 'must be at least 100')
    .max(longestDeadlineMs, tooLong)
    .default(1_800)
    .describe(
      'How long an app’s write may take to be done and readable before it is answered 503, in milliseconds, 8000 at most',
    ),
  DRAIN_DELAY_MS: z.coerce
    .number('must be milliseconds')
    .int('must be milliseconds')
    .min(0, 'must be at least 0')
    .max(60_000, 'must be at most 60000')
    .default(5_000)
    .describe(
      'How long it still takes requests once told to end, not ready: longer than a load balancer takes to notice',
    ),
  ...limitsConfig,
});
export type GatewayConfig = z.output<typeof gatewayConfig>;
