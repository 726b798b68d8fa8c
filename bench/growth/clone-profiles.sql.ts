/** The tables with rows of a profile, and the column that names it. Commands are forgotten after a week: clones came before. */
const keyOf = {
  'profile.event': 'stream',
  'profile.personal': 'stream',
  'selection.event': 'stream',
  'read_model.profile': 'profile_id',
  'read_model.profile_personal': 'profile_id',
  'read_model.profile_event': 'profile_id',
  'read_model.decision': 'profile_id',
} as const;
type GrownTable = keyof typeof keyOf;

export const grownTables = Object.keys(keyOf) as readonly GrownTable[];

const templatesOf = (table: GrownTable): string => `growth.${table.replace('.', '_')}`;

/** What templates have, apart: the tables themselves have no index while they grow. */
export const keepTemplates = (templates: readonly string[]): string => {
  const ids = `array['${templates.join(`','`)}']`;
  const copies = grownTables.map(
    (table) =>
      `create unlogged table ${templatesOf(table)} as select * from ${table} where ${keyOf[table]}::text = any(${ids});`,
  );
  return `create schema growth; ${copies.join('\n')}`;
};

export const forgetTemplates = 'drop schema growth cascade';

/** A UUID of version 8 that a text has. */
const derivedId = (text: string): string =>
  `overlay(overlay(md5(${text}) placing '8' from 13) placing 'a' from 17)::uuid`;

const own = (column: string): string => derivedId(`${column}::text || '/' || n`);

/**
 * The id of a clone, below all that a gateway looks at to know by which key ids were made of user ids: none makes these.
 */
const cloneId = (column: string): string => `overlay(${own(column)}::text placing '0' from 1)::uuid`;

/** Each template's rows with each number from $1 to $2, and the id of that clone. */
const clonesOf = (table: GrownTable): string => `
  ${templatesOf(table)} cross join generate_series($1::int, $2::int) as n
  cross join lateral (select ${keyOf[table]}::text as template, ${cloneId(keyOf[table])} as clone) as ids`;

/** The clone's text in the place of the template's: profile id and, where there is one, decision id. */
const renamed = (data: string, decisionId: string): string => `
  replace(replace(${data}, template, clone::text), coalesce(${decisionId}, ''), coalesce(${own(decisionId)}::text, ''))`;

const cloneEvents = (table: 'profile.event' | 'selection.event'): string => `
  insert into ${table} (stream, version, id, type, schema_version, time, data, meta)
  select clone::text, version, ${own('id')}, type, schema_version, time,
    ${renamed('data::text', `data ->> 'decisionId'`)}::jsonb, meta
  from ${clonesOf(table)}`;

const clonePersonal = `
  insert into profile.personal (stream, version, fields)
  select clone::text, version, fields || jsonb_build_object('customerUserId', clone)
  from ${clonesOf('profile.personal')}`;

const cloneShownProfiles = `
  insert into read_model.profile (profile_id, app_id, version, fields, custom, created_at, updated_at)
  select clone, app_id, version, fields, custom, created_at, updated_at
  from ${clonesOf('read_model.profile')}`;

const cloneShownPersonal = `
  insert into read_model.profile_personal (profile_id, app_id, version, fields, customer_user_id)
  select clone, app_id, version, fields || jsonb_build_object('customerUserId', clone), clone::text
  from ${clonesOf('read_model.profile_personal')}`;

const cloneShownEvents = `
  insert into read_model.profile_event (profile_id, id, decision_id, time, version, app_id, service, type, data)
  select clone, ${own('id')}, ${own('decision_id')}, time, version, app_id, service, type,
    ${renamed('data', 'decision_id::text')}
  from ${clonesOf('read_model.profile_event')}`;

const cloneDecisions = `
  insert into read_model.decision (profile_id, decision_id, sticky_to, time, ai_weight, baseline_weight, version, app_id,
    model, paywall_id, is_drawn, is_kept, placement_id, target, external_id)
  select clone, ${own('decision_id')}, ${own('sticky_to')}, time, ai_weight, baseline_weight, version, app_id, model,
    paywall_id, is_drawn, is_kept, placement_id, target, external_id
  from ${clonesOf('read_model.decision')}`;

/**
 * Everything that event stores and read model have of a profile, under an id of the clone's own: as if each clone had lived
 * what its template has. What a profile shares with nobody is derived from the template's: ids of events and decisions,
 * the customer's user id. $1 first and $2 last number of the clones.
 */
export const cloneStatements: readonly string[] = [
  cloneEvents('profile.event'),
  clonePersonal,
  cloneEvents('selection.event'),
  cloneShownProfiles,
  cloneShownPersonal,
  cloneShownEvents,
  cloneDecisions,
];

/** Statements that remove the indexes and keys of tables ($1), and those that make them again. */
export const indexStatements = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as remove,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as restore
  from pg_constraint where contype in ('p', 'u') and conrelid = any($1::regclass[])
  union all
  select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
  from pg_index where indrelid = any($1::regclass[])
    and not exists (select from pg_constraint where conindid = indexrelid)`;
