import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomically } from './write-file-atomically.ts';

const Secrets = z.object({
  adminTokens: z.string(),
  masterKey: z.string(),
  /** The demo app and its key, once they exist: a secret key is shown only when it is made. */
  demo: z.object({ appId: z.int(), secretKey: z.string() }).nullable(),
});
export type Secrets = z.output<typeof Secrets>;

const secretsFile = (dataDir: string) => join(dataDir, 'secrets.json');

/** The secrets of a data folder; made at first start, and readable for their owner alone. */
export function loadSecrets(dataDir: string): Secrets {
  const file = secretsFile(dataDir);
  if (existsSync(file)) return Secrets.parse(JSON.parse(readFileSync(file, 'utf8')));
  const made: Secrets = {
    adminTokens: `owner:${randomBytes(24).toString('base64url')}`,
    masterKey: randomBytes(32).toString('base64url'),
    demo: null,
  };
  saveSecrets(dataDir, made);
  return made;
}

export function saveSecrets(dataDir: string, secrets: Secrets): void {
  writeFileAtomically(secretsFile(dataDir), `${JSON.stringify(secrets, null, 2)}\n`);
}

/** The first token of ADMIN_TOKENS (`name:token[:role]`, comma separated) that may write; undefined if none may. */
export function firstAdminToken(adminTokens: string): string | undefined {
  return adminTokens
    .split(',')
    .map((entry) => entry.trim().split(':'))
    .find(([, token, role = 'admin']) => token !== undefined && token !== '' && role === 'admin')?.[1];
}
