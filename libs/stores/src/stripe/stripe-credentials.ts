import { z } from 'zod';

/** What an app's owner gives us to talk to Stripe; several secrets, so that one can be replaced by another. */
export const StripeCredentials = z.object({
  apiKey: z.string().min(1).max(512),
  webhookSecrets: z.array(z.string().min(1).max(512)).max(20),
});
export type StripeCredentials = z.output<typeof StripeCredentials>;
