import pg from 'pg';

/** Every row of every table of every schema, as text: `schema.table: (column,column,…)`. Bytes are written in hex. */
export async function allRows(databaseUrl: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    );
    const all: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select held::text as row from ${name} as held`);
      all.push(...rows.map(({ row }) => `${name}: ${row}`));
    }
    return all;
  } finally {
    await client.end();
  }
}
