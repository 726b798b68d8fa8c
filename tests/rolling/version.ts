import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { appNames, buildAll } from '@paywright/deploy/build.ts';
import { bundle } from '@paywright/deploy/build/bundle.ts';
import { databaseSchemas, findProjectRoot } from '@paywright/deploy/migrate/database-schemas.ts';
import { migrate } from '@paywright/deploy/migrate/migrate.ts';
import type { Edit } from './next-version.ts';

/** A built version of the product. */
export interface Version {
  readonly name: string;
  /** Holds dist/apps and prisma/. */
  readonly root: string;
}

const root = findProjectRoot();
const builds = join(root, 'dist', 'rolling');
const sources = ['apps', 'libs', 'deploy', 'prisma', 'package.json', 'package-lock.json', 'tsconfig.base.json'];

/** The sources as they are. */
export async function versionHere(): Promise<Version> {
  await buildAll();
  return { name: 'this version', root };
}

/** The sources as they are, with these edits. @throws if one has nothing to edit */
export async function versionWith(name: string, edits: readonly Edit[]): Promise<Version> {
  const folder = emptyFolder(name);
  const wanted = (path: string) => !['node_modules', 'dist'].includes(basename(path));
  for (const source of sources) cpSync(join(root, source), join(folder, source), { recursive: true, filter: wanted });
  for (const edit of edits) apply(folder, edit);
  return built(name, folder);
}

/** The sources of a commit or tag, over the packages that are installed now. @throws UnknownVersion */
export async function versionAt(commit: string): Promise<Version> {
  const archive = sourcesAt(commit);
  const folder = emptyFolder(commit);
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  return built(commit, folder);
}

/** A version that this clone does not have. */
export class UnknownVersion extends Error {}

function sourcesAt(commit: string): Buffer {
  const git = { cwd: root, maxBuffer: 2 ** 30 };
  try {
    execFileSync('git', ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`], git);
  } catch {
    throw new UnknownVersion(`${commit} is no commit or tag of this clone.`);
  }
  return execFileSync('git', ['archive', commit, ...sources], git);
}

/** Brings the database to what a version needs; what it has beyond that stays. */
export const migrateTo = ({ root: folder }: Version, databaseUrl: string) => {
  const known = databaseSchemas.filter(({ model }) => existsSync(join(folder, 'prisma', model)));
  return migrate(databaseUrl, known, ({ model }) => join(folder, 'prisma', model));
};

function emptyFolder(name: string): string {
  const folder = join(builds, name.replaceAll(/[^\w.-]/g, '_'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

function apply(folder: string, { file, from, to }: Edit): void {
  const path = join(folder, file);
  const text = from === null ? '' : readFileSync(path, 'utf8');
  if (from !== null && !text.includes(from)) throw new Error(`${file} has no longer: ${from}`);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, from === null ? to : text.replace(from, () => to));
}

async function built(name: string, folder: string): Promise<Version> {
  linkWorkspaces(folder);
  const programs = appNames(folder).flatMap((app) =>
    readdirSync(join(folder, 'apps', app, 'src'))
      .filter((file) => file === 'main.ts' || file.endsWith('.thread.ts'))
      .map((file) => ({ app, program: file.slice(0, -'.ts'.length) })),
  );
  const targets = programs
    .filter(({ app }) => app !== 'simulator')
    .map(({ app, program }) => ({
      ...{ name: `${app}/${program}`, entry: `apps/${app}/src/${program}.ts` },
      output: `dist/apps/${app}/${program}`,
    }));
  await bundle(folder, targets);
  return { name, root: folder };
}

/** So that `@paywright/…` is this version's own; all other packages are found further up. */
function linkWorkspaces(folder: string): void {
  const scope = join(folder, 'node_modules', '@paywright');
  mkdirSync(scope, { recursive: true });
  for (const library of readdirSync(join(folder, 'libs')))
    symlinkSync(join(folder, 'libs', library), join(scope, library));
  symlinkSync(join(folder, 'deploy'), join(scope, 'deploy'));
}
