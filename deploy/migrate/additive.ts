import type { Migration } from './migration-folder.ts';

/** The last migration from before two versions had to work side by side. */
const baseline = '20261122030000';
/** What a step is called that takes away what nothing uses any more: `<time>_contract_<name>`. */
const contractName = /^\d{14}_contract_[a-z0-9_]+$/;
/** Its first line, which says so. */
const contractReason = /^-- Nothing uses it since version \d+\.\d+\.\d+: \S/;

/**
 * Why the version before could not work on beside a migration, in sentences; empty if it only adds, is older than the
 * baseline, or is a contract step that says since when nothing uses what it takes away.
 */
export function additiveFaults({ name, sql }: Pick<Migration, 'name' | 'sql'>): readonly string[] {
  if (name.slice(0, baseline.length) <= baseline) return [];
  if (contractName.test(name)) {
    if (contractReason.test(sql)) return [];
    return [`${name}: its first line must be "-- Nothing uses it since version <x.y.z>: <what>".`];
  }
  const statements = statementsOf(sql);
  const created = new Set(statements.flatMap((statement) => /^create table "?(\w+)"?/i.exec(statement)?.[1] ?? []));
  return statements
    .filter((statement) => !adds(statement, created))
    .map((statement) => `${name}: not additive: ${statement.replaceAll(/\s+/g, ' ')}`);
}

/** A table made by the same migration is known to no version before: whatever is done to it is additive. */
function adds(statement: string, created: ReadonlySet<string>): boolean {
  const [, altered, actions] = /^alter table (?:only )?"?(\w+)"?\s+(.*)$/is.exec(statement) ?? [];
  if (altered !== undefined && actions !== undefined)
    return created.has(altered) || partsOf(actions, ',').every(addsColumn);
  const [, unique, indexed] = /^create (unique )?index .*? on (?:only )?"?(\w+)"?/is.exec(statement) ?? [];
  if (indexed !== undefined) return unique === undefined || created.has(indexed);
  if (/^create trigger "?\w+"? after\b/i.test(statement)) return true; // it changes nothing of what is written
  if (/^insert into\b.*\bon conflict do nothing$/is.test(statement)) return true; // what there is stays as it is
  return /^(create (table|type|view|function)|comment on|analyze|alter type \S+ add value)\b/i.test(statement);
}

/** Those who do not know the column do not fill it: it is null, or has a default. */
const addsColumn = (action: string): boolean =>
  /^add column\b/i.test(action) &&
  !/\b(unique|primary key|references|check)\b/i.test(action) &&
  (!/\bnot null\b/i.test(action) || /\bdefault\b/i.test(action));

/** Without comments, and without the bodies of functions. */
const statementsOf = (sql: string): readonly string[] =>
  partsOf(sql.replaceAll(/--[^\n]*/g, '').replaceAll(/\$\$[^]*?\$\$/g, "''"), ';');

/** What stands between separators, outside of brackets and quotes, trimmed; empty parts are left out. */
function partsOf(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let part = '';
  for (const letter of text) {
    if (quote !== '') quote = letter === quote ? '' : quote;
    else if (letter === "'" || letter === '"') quote = letter;
    else if (letter === '(') depth += 1;
    else if (letter === ')') depth -= 1;
    if (letter === separator && depth === 0 && quote === '') {
      parts.push(part);
      part = '';
    } else part += letter;
  }
  return [...parts, part].map((each) => each.trim()).filter((each) => each !== '');
}
