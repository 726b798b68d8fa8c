import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, ToldError } from '@paywright/platform';
import { demoConfig } from '../job-configs.ts';
import { runCommand } from '../local/run-program.ts';
import { firstAdminToken } from '../local/secrets.ts';
import { ensureDemo } from './demo-app.ts';
import { sampleRequests } from './sample-requests.ts';

const usage = `Makes the demo app through the admin API, unless it is there, and prints its secret key and requests to try.

  node dist/deploy/demo/main.js          with GATEWAY_URL, GATEWAY_PUBLIC_URL and the SECRETS_DIR of \`prepare\`
  node dist/deploy/demo/main.js --help   this text
`;

/** The job that makes the demo app, once everything runs, and says how to try it. */
async function main(): Promise<void> {
  const { GATEWAY_URL, GATEWAY_PUBLIC_URL, SECRETS_DIR } = loadConfig(demoConfig, process.env);
  const adminToken = firstAdminToken(readFileSync(join(SECRETS_DIR, 'admin-tokens'), 'utf8')); // as the gateway reads it
  if (adminToken === undefined) throw new ToldError('There is no admin token that may write.');
  const { appId, secretKey } = await ensureDemo(GATEWAY_URL, adminToken, SECRETS_DIR);
  console.log(`Demo app ${appId}, secret key ${secretKey}. Try it:\n${sampleRequests(GATEWAY_PUBLIC_URL, secretKey)}`);
}

await runCommand(usage, main);
