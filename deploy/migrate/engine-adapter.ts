import { EventEmitter } from 'node:events';
import {
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type pg from 'pg';
import { lockTimeout } from './lock-patience.ts';

const charType = 18;
const textType = 25;

/**
 * What a script begins with, in its transaction. Its record is finished with it: the engine would do so afterwards, and a
 * record that is not finished has to mean that nothing was changed. To the end the row is locked, so that who comes after
 * a process that was killed waits for the script, which Postgres takes to its end.
 */
const scriptHead = `
  update _prisma_migrations set finished_at = now() where finished_at is null and rolled_back_at is null;
  set local lock_timeout = '${lockTimeout}';
`;

/**
 * Prisma's adapter with the two things changed that its schema engine needs otherwise.
 * @param attempt runs a script, perhaps several times
 * @returns also `fault`: why the last script failed, in Postgres' own words
 */
export function adapterForEngine(
  pool: pg.Pool,
  factory: SqlMigrationAwareDriverAdapterFactory,
  attempt: (run: () => Promise<unknown>) => Promise<void>,
): SqlMigrationAwareDriverAdapterFactory & { fault(): Error | undefined } {
  let fault: Error | undefined;
  const charColumns = collectCharColumns(pool);
  const executeScript = async (script: string) => {
    try {
      await attempt(() => pool.query(scriptHead + script));
    } catch (error) {
      fault = error instanceof Error ? error : undefined;
      throw error;
    }
  };
  return {
    fault: () => fault,
    provider: factory.provider,
    adapterName: factory.adapterName,
    connectToShadowDb: () => factory.connectToShadowDb(),
    connect: async () => {
      const adapter = await factory.connect();
      readChars(adapter, charColumns);
      // The adapter cuts a script at every ';', also inside a comment or a function. Postgres takes it whole, as
      // one transaction.
      adapter.executeScript = executeScript;
      return adapter;
    },
  };
}

/**
 * Postgres' catalogs have columns of its one-byte type "char". The adapter refuses them, and the engine asks for
 * them: they pass the adapter as text and reach the engine as characters.
 */
function collectCharColumns(pool: pg.Pool): ReadonlySet<string> {
  const names = new Set<string>();
  pool.on('connect', (client) => {
    if (!('connection' in client && client.connection instanceof EventEmitter)) return;
    client.connection.on('rowDescription', ({ fields }: { fields: { name: string; dataTypeID: number }[] }) => {
      for (const field of fields.filter(({ dataTypeID }) => dataTypeID === charType)) {
        names.add(field.name);
        field.dataTypeID = textType;
      }
    });
  });
  return names;
}

function readChars(adapter: SqlDriverAdapter, charColumns: ReadonlySet<string>): void {
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    const { columnNames, columnTypes, ...rest } = await queryRaw(query);
    const typeOf = (name: string, index: number) =>
      charColumns.has(name) ? ColumnTypeEnum.Character : columnTypes[index]!;
    return { ...rest, columnNames, columnTypes: columnNames.map(typeOf) };
  };
}
