import type { SealedColumn } from './sealed-columns.ts';

export interface SealedRow {
  readonly first: string;
  readonly second: string;
  readonly sealed: string;
}

/** A page of rows in the order of the primary key, from behind a key ($1, $2), or from the first. */
export function selectPage({ schema, table, key: [first, second] }: SealedColumn, limit: number, isFirst: boolean) {
  const behind = `where (${first.name}, ${second.name}) > ($1::${first.type}, $2::${second.type})`;
  return `select ${first.name}::text as first, ${second.name}::text as second, sealed from ${schema}.${table}
    ${isFirst ? '' : behind} order by ${first.name}, ${second.name} limit ${limit}`;
}

/** Of keys ($1, $2) and what was sealed ($3): a row that its owner has written meanwhile stays as it is. */
export function updatePage({ schema, table, key: [first, second] }: SealedColumn): string {
  return `update ${schema}.${table} kept set sealed = page.again
    from unnest($1::${first.type}[], $2::${second.type}[], $3::text[], $4::text[]) as page (first, second, sealed, again)
    where kept.${first.name} = page.first and kept.${second.name} = page.second and kept.sealed = page.sealed`;
}
