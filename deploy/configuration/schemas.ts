import { join } from 'node:path';
import { z } from 'zod';
import { appNames } from '../build.ts';
import { findProjectRoot } from '../migrate/database-schemas.ts';

/** The schema of the environment of each service, by the service's name. */
export async function configurationSchemas(
  names: readonly string[] = appNames(),
): Promise<ReadonlyMap<string, z.ZodObject>> {
  const root = findProjectRoot();
  const entries = names.map(async (name): Promise<[string, z.ZodObject]> => {
    const exported: unknown = await import(join(root, 'apps', name, 'src', 'config.ts'));
    const values: unknown[] = typeof exported === 'object' && exported !== null ? Object.values(exported) : [];
    const schema = values.find((value) => value instanceof z.ZodObject);
    if (!schema) throw new Error(`apps/${name}/src/config.ts exports no schema of the environment.`);
    return [name, schema];
  });
  return new Map(await Promise.all(entries));
}
