import { z } from 'zod';
import { ConfigurationError } from './config.ts';

const tooShort = 'must have at least 32 characters';
const secret = z.string().min(32, tooShort);

/** Variables of a process that derives keys. */
export const masterKeyConfig = {
  MASTER_KEY: secret.describe('Secret that signs ids and tokens and encrypts credentials'),
  MASTER_KEY_FORMER: z
    .string()
    .transform((list) => list.split(',').map((key) => key.trim()))
    .pipe(z.array(secret))
    .optional()
    .describe('Further master keys, comma separated, that open what they sealed; nothing is sealed with them'),
  PROFILE_ID_KEY: secret
    .optional()
    .describe('The first MASTER_KEY, once that is another: profile ids are made with it for ever'),
};

type MasterKeyVariables = z.output<z.ZodObject<typeof masterKeyConfig>>;

export interface MasterKeys {
  /** Seals and signs. */
  readonly newest: string;
  /** Open, and verify, as it does. */
  readonly former: readonly string[];
  /** What profile ids are made with: it never changes, since the ids never do. */
  readonly profileIds: string;
  /** The variable that has it. */
  readonly profileIdsAreOf: 'MASTER_KEY' | 'PROFILE_ID_KEY';
}

/**
 * The master keys and what each is for.
 * @throws ConfigurationError if a rotation has begun and it is not said with which key profile ids are made: else every
 * customer would become a new profile
 */
export function masterKeys(config: MasterKeyVariables): MasterKeys {
  const { MASTER_KEY: newest, MASTER_KEY_FORMER: former = [], PROFILE_ID_KEY } = config;
  if (former.includes(newest))
    throw new ConfigurationError([{ variable: 'MASTER_KEY_FORMER', problem: 'must not name MASTER_KEY itself' }]);
  if (former.length > 0 && PROFILE_ID_KEY === undefined)
    throw new ConfigurationError([
      { variable: 'PROFILE_ID_KEY', problem: 'must be the first MASTER_KEY that there was, with MASTER_KEY_FORMER' },
    ]);
  const profileIdsAreOf = PROFILE_ID_KEY === undefined ? 'MASTER_KEY' : 'PROFILE_ID_KEY';
  return { newest, former, profileIds: PROFILE_ID_KEY ?? newest, profileIdsAreOf };
}
