import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A Postgres schema and the folder under prisma/ that defines its tables. */
export interface DatabaseSchema {
  readonly name: string;
  readonly model: PrismaModel;
}

export const prismaModels = [
  'event-store',
  'read-model',
  'gateway',
  'purchase-validation',
  'selection-learning',
  'store-credentials',
] as const;
export type PrismaModel = (typeof prismaModels)[number];

/** Every service has tables of its own; the write services share the shape of theirs. */
export const databaseSchemas: readonly DatabaseSchema[] = [
  { name: 'profile', model: 'event-store' },
  { name: 'catalog', model: 'event-store' },
  { name: 'selection', model: 'event-store' },
  { name: 'impression', model: 'event-store' },
  { name: 'purchase', model: 'event-store' },
  { name: 'purchase_validation', model: 'purchase-validation' },
  { name: 'selection_learning', model: 'selection-learning' },
  { name: 'store_credentials', model: 'store-credentials' },
  { name: 'read_model', model: 'read-model' },
  { name: 'gateway', model: 'gateway' },
];

/** The folder that holds prisma/, from a source file and from a bundle under dist/ alike. */
export function findProjectRoot(from: string = import.meta.dirname): string {
  if (existsSync(join(from, 'prisma')) && existsSync(join(from, 'package.json'))) return from;
  if (dirname(from) === from) throw new Error('There is no prisma/ folder above this program.');
  return findProjectRoot(dirname(from));
}

/** Where the schema.prisma and the migrations of a model are. */
export const modelFolder = (model: PrismaModel): string => join(findProjectRoot(), 'prisma', model);
