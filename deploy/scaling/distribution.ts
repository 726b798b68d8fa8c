import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelFolder, prismaModels, type PrismaModel } from '../migrate/database-schemas.ts';

/** A table as its prisma model has it; columns by their names in the database. */
export interface Table {
  readonly model: PrismaModel;
  readonly name: string;
  /** The primary key and every unique index, each a list of columns; the primary key first. */
  readonly uniqueKeys: readonly (readonly string[])[];
}

/**
 * The column by which each table would be spread over a distributed Postgres; null: small, a whole copy on each node.
 * By `model/table`.
 */
export const distributionColumns: Readonly<Record<string, string | null>> = {
  'event-store/event': 'stream',
  'event-store/inbox': 'stream',
  'event-store/personal': 'stream',
  'event-store/snapshot': 'stream',
  'read-model/profile': 'profile_id',
  'read-model/profile_personal': 'profile_id',
  'read-model/profile_event': 'profile_id',
  'read-model/decision': 'profile_id',
  'read-model/superseded_decision': 'profile_id',
  'read-model/unique_impression': 'profile_id',
  'read-model/purchase_owner': 'profile_id',
  'read-model/purchase_report': 'profile_id',
  'read-model/purchase_chain': 'chain_id',
  'read-model/later_decision': 'chain_id',
  'read-model/purchase_event': 'chain_id',
  'read-model/ledger_entry': 'chain_id',
  'read-model/app': null,
  'read-model/app_key': null,
  'read-model/catalog_revision': null,
  'read-model/audit': null,
  'read-model/projection_offset': null,
  'read-model/dead_letter': null,
  'gateway/idempotency_key': 'key',
  'gateway/unshown_profile': 'profile_id',
  'purchase-validation/look_up': 'chain_id',
  'purchase-validation/play_token': 'token_id',
  'purchase-validation/heard_event': 'event_id',
  'purchase-validation/stripe_customer': 'customer_id',
  'purchase-validation/store_history': null,
  'selection-learning/journey': 'profile_id',
  'selection-learning/chain': 'chain_id',
  'selection-learning/consumer_offset': null,
  'selection-learning/learning_model': null,
  'selection-learning/checkpoint': null,
  'selection-learning/model_snapshot': null,
  'selection-learning/model_report': null,
  'selection-learning/rebuild': null,
  'store-credentials/store_credentials': null,
};

/** Every table of every schema. */
export const tablesOfSchemas = (): readonly Table[] =>
  prismaModels.flatMap((model) => tablesOf(model, readFileSync(join(modelFolder(model), 'schema.prisma'), 'utf8')));

/** The tables of a schema.prisma, written as ours are: a field a line, and @@map in each model. */
export function tablesOf(model: PrismaModel, text: string): readonly Table[] {
  return [...text.matchAll(/^model \w+ \{\n([^]*?)^\}/gm)].map(([, body = '']) => {
    const columns = new Map(
      [...body.matchAll(/^ {2}(\w+) +\w.*$/gm)].map(([line, field = '']) => [
        field,
        /@map\("(\w+)"\)/.exec(line)?.[1] ?? field,
      ]),
    );
    const fields = (marker: string) => [...body.matchAll(new RegExp(`^ {2}(\\w+) .*[^@]@${marker}\\b`, 'gm'))];
    const lists = (marker: string) => [...body.matchAll(new RegExp(`^ {2}@@${marker}\\(\\[([^\\]]+)\\]`, 'gm'))];
    const keys = ['id', 'unique'].flatMap((marker) => [
      ...fields(marker).map(([, field = '']) => [field]),
      ...lists(marker).map(([, list = '']) => list.split(',').map((field) => field.trim())),
    ]);
    const name = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? '';
    return { model, name, uniqueKeys: keys.map((key) => key.map((field) => columns.get(field) ?? field)) };
  });
}

/** A row a table of docs/scaling.md: its unique keys, and by what it would be spread. */
export function distributionRows(): readonly string[] {
  return tablesOfSchemas().map(({ model, name, uniqueKeys }) => {
    const column = distributionColumns[`${model}/${name}`];
    const keys = uniqueKeys.map((key) => `(${key.join(', ')})`).join(', ');
    const by = column === null ? 'whole on each node' : `\`${column}\``;
    return `| \`${model}\` | \`${name}\` | ${keys} | ${by} |`;
  });
}
