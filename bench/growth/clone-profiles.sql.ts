/** A UUID of version 8 that a text has. */
const derivedId = (text: string): string =>
  `overlay(overlay(md5(${text}) placing '8' from 13) placing 'a' from 17)::uuid`;

/** $1 profiles, $2 first and $3 last number of their clones. */
const clones = `
  select template, n, ${derivedId(`template::text || '/' || n`)} as clone
  from unnest($1::uuid[]) as template cross join generate_series($2::int, $3::int) as n`;

const own = (column: string): string => derivedId(`${column}::text || '/' || n`);

/** The clone's text in the place of the template's: profile id and, where there is one, decision id. */
const renamed = (data: string, decisionId = `null`): string => `
  replace(replace(${data}, template::text, clone::text), coalesce(${decisionId}, ''),
    coalesce(${own(decisionId)}::text, ''))`;

const cloneEvents = (service: string): string => `
  insert into ${service}.event (stream, version, id, type, schema_version, time, data, meta)
  select clone::text, version, ${own('id')}, type, schema_version, time,
    ${renamed('data::text', `data ->> 'decisionId'`)}::jsonb, meta
  from (${clones}) as clones join ${service}.event on stream = template::text`;

const cloneInbox = (service: string): string => `
  insert into ${service}.inbox (command_id, stream, first_version, last_version, reply, created_at)
  select ${own('command_id')}, clone::text, first_version, last_version, ${renamed('reply')}, created_at
  from (${clones}) as clones join ${service}.inbox on stream = template::text`;

const clonePersonal = `
  insert into profile.personal (stream, version, fields)
  select clone::text, version, fields || jsonb_build_object('customerUserId', clone)
  from (${clones}) as clones join profile.personal on stream = template::text`;

const cloneShownProfiles = `
  insert into read_model.profile (profile_id, app_id, version, fields, custom, created_at, updated_at)
  select clone, app_id, version, fields, custom, created_at, updated_at
  from (${clones}) as clones join read_model.profile on profile_id = template`;

const cloneShownPersonal = `
  insert into read_model.profile_personal (profile_id, app_id, version, fields, customer_user_id)
  select clone, app_id, version, fields || jsonb_build_object('customerUserId', clone), clone::text
  from (${clones}) as clones join read_model.profile_personal on profile_id = template`;

const cloneShownEvents = `
  insert into read_model.profile_event (profile_id, id, decision_id, time, version, app_id, service, type, data)
  select clone, ${own('id')}, ${own('decision_id')}, time, version, app_id, service, type,
    ${renamed('data', 'decision_id::text')}
  from (${clones}) as clones join read_model.profile_event on profile_id = template`;

/**
 * Everything that event stores and read model have of a profile, under an id of the clone's own: as if each clone had lived
 * what its template has. What a profile shares with nobody is derived from the template's: ids of events, commands and
 * decisions, the customer's user id. $1 templates, $2 first and $3 last number of their clones.
 */
export const cloneStatements: readonly string[] = [
  cloneEvents('profile'),
  cloneInbox('profile'),
  clonePersonal,
  cloneEvents('selection'),
  cloneInbox('selection'),
  cloneShownProfiles,
  cloneShownPersonal,
  cloneShownEvents,
];
