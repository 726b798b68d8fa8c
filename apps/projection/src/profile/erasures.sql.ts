import { readModelSchema } from '@paywright/read-model';

/**
 * $1 profiles, $2 the versions of their erasures. The tombstone does the same; but what it comes behind, or in place of, may
 * have been compacted away.
 * @param table the one that is written, or that of another schema
 */
export const forgetPersonal = (table = 'profile_personal') => `
  update ${table} as personal set version = erased.version, fields = '{}', customer_user_id = null
  from unnest($1::uuid[], $2::int[]) as erased (profile_id, version)
  where personal.profile_id = erased.profile_id and personal.version < erased.version`;

/**
 * $1 profiles, $2 the versions of their erasures. The version stays: where a rebuild goes on, the stream goes on behind it, and
 * brings the erasure.
 */
export const forgetAttributes = (table: string) => `
  update ${table} as profile set fields = '{}', custom = '[]'
  from unnest($1::uuid[], $2::int[]) as erased (profile_id, version)
  where profile.profile_id = erased.profile_id and profile.version < erased.version`;

/**
 * $1 profiles, $2 when they were erased: what they paid until then was paid by nobody who is known.
 * @param table the one that is written, or that of another schema
 */
export const forgetPayers = (table = 'ledger_entry') => `
  update ${table} as ledger set payer_profile_id = null
  from unnest($1::uuid[], $2::timestamptz[]) as erased (profile_id, at)
  where ledger.payer_profile_id = erased.profile_id and ledger.time <= erased.at`;

/**
 * $1 schemas, $2 tables: those that there are. None where a rebuild asks: it writes its own alone. What may not be written is
 * left out, lest it hold the projection up.
 */
export const selectKeptTables = `
  select relname as name, format('%I.%I', nspname, relname) as place
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where current_schema() = '${readModelSchema}' and nspname = any($1::text[]) and relname = any($2::text[]) and relkind = 'r'
    and has_schema_privilege(pg_namespace.oid, 'usage')
    and has_table_privilege(pg_class.oid, 'select') and has_table_privilege(pg_class.oid, 'update')
  order by nspname, relname`;
