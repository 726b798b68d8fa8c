import { z } from 'zod';

/** Google's own token endpoint. */
export const googleTokenUri = 'https://oauth2.googleapis.com/token';

const parsedText = (given: unknown) => {
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given) as unknown;
  } catch {
    return null;
  }
};

/** The parts of Google's key file that are used; given as the object, or as the file's text. */
export const PlayServiceAccount = z.preprocess(
  parsedText,
  z.object(
    {
      client_email: z.string().min(3).max(320),
      private_key: z.string().min(1).max(20_000),
      private_key_id: z.string().max(255).optional(),
      token_uri: z.url().optional(),
    },
    { error: ({ input }) => (input === undefined ? undefined : 'must be Google’s key file, as an object or as text') },
  ),
);
export type PlayServiceAccount = z.output<typeof PlayServiceAccount>;

/** What an app's owner gives us to talk to Google Play. Without the push fields no notification can be verified. */
export const PlayStoreCredentials = z.object({
  serviceAccount: PlayServiceAccount,
  pushAudience: z.string().min(1).max(2048).nullish(),
  pushServiceAccountEmail: z.string().min(3).max(320).nullish(),
});
export type PlayStoreCredentials = z.output<typeof PlayStoreCredentials>;
