import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeConfig, type ConfigVariable } from '@paywright/platform';
import { format } from 'prettier';
import type { z } from 'zod';
import { demoConfig, prepareConfig } from '../job-configs.ts';
import { findProjectRoot } from '../migrate/database-schemas.ts';
import { configurationSchemas } from './schemas.ts';

const documentFile = join(findProjectRoot(), 'docs', 'configuration.md');

/** The schema of the environment of each job. */
export const jobConfigurationSchemas: ReadonlyMap<string, z.ZodObject> = new Map<string, z.ZodObject>([
  ['prepare', prepareConfig],
  ['demo', demoConfig],
]);

/** Writes docs/configuration.md from the code. */
export async function writeConfigurationDocument(): Promise<void> {
  writeFileSync(documentFile, await configurationDocument());
}

/** Whether docs/configuration.md is what the code says. */
export async function isConfigurationDocumented(): Promise<boolean> {
  return existsSync(documentFile) && readFileSync(documentFile, 'utf8') === (await configurationDocument());
}

async function configurationDocument(): Promise<string> {
  const services = [...(await configurationSchemas())].map(([name, schema]) => ({
    name,
    rows: describeConfig(schema),
  }));
  // The simulator alone works without database and broker.
  const ofDeployment = services.filter(({ name }) => name !== 'simulator');
  const sharedBy = (all: typeof services) =>
    all[0]!.rows.filter((row) => all.every(({ rows }) => rows.some(isSame(row))));
  const everybodys = sharedBy(services);
  const theirs = sharedBy(ofDeployment).filter((row) => !everybodys.some(isSame(row)));
  const jobs = [...jobConfigurationSchemas].map(([name, schema]) => ({ name, rows: describeConfig(schema) }));
  const own = [...services, ...jobs]
    .map(({ name, rows }) => ({ name, rows: rows.filter((row) => ![...everybodys, ...theirs].some(isSame(row))) }))
    .filter(({ rows }) => rows.length > 0);
  const text = [
    '# Configuration',
    'Each service is configured by environment variables alone. For any variable `NAME`, `NAME_FILE` may name a file that holds its value: for secrets. A variable or file that is empty, or white space alone, counts as left out. A service that finds a variable wrong names every such variable and ends. One that nothing reads is let be, as programs may share an environment; where it is nearly one of these that is not set (`ADMIN_TOKEN`), a line at WARN names both.',
    'This page is made from the code: `npm run configuration:write`. What `npm start` reads besides is in its `npm start -- --help`.',
    `## Every service\n\n${table(everybodys)}`,
    `## Every service but the simulator\n\n${table(theirs)}`,
    ...own.map(({ name, rows }) => `## ${name}\n\n${table(rows)}`),
  ].join('\n\n');
  return format(text, { parser: 'markdown', singleQuote: true, printWidth: 120 });
}

const isSame = (row: ConfigVariable) => (other: ConfigVariable) => JSON.stringify(row) === JSON.stringify(other);

function table(rows: readonly ConfigVariable[]): string {
  const lines = rows.map((row) => {
    const byDefault = row.required
      ? '**required**'
      : row.default === null || row.default === ''
        ? '–'
        : `\`${row.default}\``;
    return `| \`${row.name}\` | ${row.type.replaceAll('|', 'or')} | ${byDefault} | ${row.meaning} |`;
  });
  return ['| variable | type | default | meaning |', '|---|---|---|---|', ...lines].join('\n');
}
