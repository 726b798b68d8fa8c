import { ConfigurationError, loadConfig } from '@paywright/platform';
import { configurationSchemas } from '../configuration/schemas.ts';

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
