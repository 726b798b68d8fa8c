import { EventEmitter } from 'node:events';
import {
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type pg from 'pg';

const charType = 18;
const textType = 25;

/**
 * Prisma's adapter with the two things changed that its schema engine needs otherwise.
 * @returns also `fault`: why the last script failed, in Postgres' own words
 */
export function adapterForEngine(
  pool: pg.Pool,
  factory: SqlMigrationAwareDriverAdapterFactory,
): SqlMigrationAwareDriverAdapterFactory & { fault(): Error | undefined } {
  let fault: Error | undefined;
  const charColumns = collectCharColumns(pool);
  const executeScript = async (script: string) => {
    try {
      await pool.query(script);
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
