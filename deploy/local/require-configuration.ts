import { ConfigurationError, loadConfig, misspeltLine, misspeltVariables } from '@paywright/platform';
import { configurationSchemas } from '../configuration/schemas.ts';
import { topicsConfig } from '../job-configs.ts';
import { launcherVariables } from './variables.ts';

/**
 * Holds the environment of services against what each of them takes, before anything is started.
 * @throws ConfigurationError that names every variable that one of them refuses, once
 */
export async function requireConfiguration(services: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const faults = [...(await configurationSchemas(services)).values()].flatMap((schema) => {
    try {
      loadConfig(schema, { ...env, INSTANCE: '0' }); // which is each one's own
      return [];
    } catch (error) {
      if (error instanceof ConfigurationError) return error.faults;
      throw error;
    }
  });
  const byVariable = new Map(faults.map((fault) => [fault.variable, fault]));
  if (byVariable.size > 0) throw new ConfigurationError([...byVariable.values()]);
}

/**
 * What in the environment of a launch looks like a slip, a sentence each. The services would not all find it: the launcher
 * gives them what it makes itself, such as ADMIN_TOKENS.
 */
export async function misspeltLines(services: readonly string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const schemas = [topicsConfig, ...(await configurationSchemas(services)).values()];
  const known = new Set([...launcherVariables, ...schemas.flatMap(({ shape }) => Object.keys(shape))]);
  return misspeltVariables([...known], env).map(misspeltLine);
}
