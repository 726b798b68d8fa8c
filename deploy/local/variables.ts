import { databaseConfig, loadConfig } from '@paywright/platform';
import { z } from 'zod';

/** What the launcher itself looks into, or sets for the services; everything else only passes through it. */
const LauncherVariables = z.object({
  DATABASE_URL: databaseConfig.DATABASE_URL.optional(),
  KAFKA_BROKERS: z.string().optional(),
  ADMIN_TOKENS: z.string().optional(),
  MASTER_KEY: z.string().optional(),
  LOG_LEVEL: z.string().optional(),
  GATEWAY_PORT: z.string().optional(),
  MANAGEMENT_PORT: z.string().optional(),
  DRAIN_DELAY_MS: z.string().optional(),
  SIMULATOR_DATA_DIR: z.string().optional(),
  PAYWRIGHT_DATA_DIR: z.string().optional(),
  PAYWRIGHT_DEMO: z.string().optional(),
});

export const launcherVariables = Object.keys(LauncherVariables.shape);

/** The environment, with those of the launcher's variables read that are given by NAME_FILE. */
export function readVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const values = loadConfig(LauncherVariables, env);
  const files = launcherVariables.map((name) => `${name}_FILE`);
  const others = Object.entries(env).filter(([name]) => !files.includes(name));
  return { ...Object.fromEntries(others), ...values };
}
