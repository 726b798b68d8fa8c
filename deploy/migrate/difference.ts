import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelFolder, type PrismaModel } from './database-schemas.ts';
import { migrate } from './migrate.ts';
import { withSchemaEngine } from './schema-engine.ts';
import { createScratchDatabase } from './scratch-database.ts';

/**
 * SQL that leads from what a model's migrations make to its schema.prisma; empty if they agree.
 * The migrations are run on a database of their own.
 * @param folder the one that holds schema.prisma; the model's under prisma/ if left out
 */
export async function findDifference(
  serverUrl: string,
  model: PrismaModel,
  folder = modelFolder(model),
): Promise<string> {
  await using database = await createScratchDatabase(serverUrl);
  const schema = { name: 'difference', model };
  await database.query(`create schema ${schema.name}`);
  await migrate(database.url, [schema], () => folder);
  // Awaited: the database lives until the engine is done.
  return await withSchemaEngine({ databaseUrl: database.url, schema: schema.name }, (engine) =>
    engine.differenceTo(readFileSync(join(folder, 'schema.prisma'), 'utf8')),
  );
}
