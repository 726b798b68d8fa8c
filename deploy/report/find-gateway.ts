import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../local/usage-error.ts';
import type { ReportOptions } from './options.ts';

const Runtime = z.object({ gateway: z.string(), adminToken: z.string() });

/**
 * The gateway to ask, and the token to ask with: what was given, else what runs with this data folder.
 * @throws UsageError if neither tells
 */
export function findGateway({ gateway, token, dataDir }: Pick<ReportOptions, 'gateway' | 'token' | 'dataDir'>) {
  if (gateway !== undefined && token === undefined)
    throw new UsageError('--gateway needs an admin token: --token, or the variable REPORT_TOKEN.');
  if (gateway !== undefined && token !== undefined) return { gateway, token };
  const runtime = readRuntime(join(dataDir, 'runtime.json'));
  if (runtime === null)
    throw new UsageError(
      `Nothing runs with the data in ${dataDir}. Start it with npm start, or give --gateway and --token.`,
    );
  return { gateway: runtime.gateway, token: token ?? runtime.adminToken };
}

function readRuntime(file: string): z.output<typeof Runtime> | null {
  try {
    return Runtime.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
