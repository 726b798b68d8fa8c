import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isFresh, markFresh } from './build/freshness.ts';
import { runCommand } from './local/run-program.ts';
import { findProjectRoot } from './migrate/database-schemas.ts';

/** The folders under apps/ that are services. */
export function appNames(root = findProjectRoot()): readonly string[] {
  return readdirSync(join(root, 'apps')).filter((name) => existsSync(join(root, 'apps', name, 'src', 'main.ts')));
}

/** The bundle that runs a service. */
export const appBundle = (name: string): string => join(findProjectRoot(), 'dist', 'apps', name, 'main.js');

/**
 * Bundles the services, and the jobs of a deployment. What has not changed is left as it is.
 * @returns the names of what was built anew
 * @throws if something does not compile
 */
export async function buildAll(): Promise<readonly string[]> {
  const root = findProjectRoot();
  const targets = [
    ...appNames(root).map((app) => ({
      name: app,
      entry: `apps/${app}/src/main.ts`,
      output: `dist/apps/${app}/main`,
    })),
    { name: 'prepare', entry: 'deploy/prepare.ts', output: 'dist/deploy/prepare/main' },
    { name: 'rebuild', entry: 'deploy/rebuild/main.ts', output: 'dist/deploy/rebuild/main' },
    {
      name: 'rebuild of the projection',
      entry: 'apps/projection/src/rebuild/main.ts',
      output: 'dist/apps/projection/rebuild',
    },
    { name: 'republish', entry: 'deploy/republish/main.ts', output: 'dist/deploy/republish/main' },
    { name: 'erasures', entry: 'deploy/erasures/main.ts', output: 'dist/deploy/erasures/main' },
    { name: 'reseal', entry: 'deploy/reseal/main.ts', output: 'dist/deploy/reseal/main' },
    { name: 'demo', entry: 'deploy/demo/main.ts', output: 'dist/deploy/demo/main' },
  ];
  const stale = targets.filter(({ output }) => !isFresh(root, output));
  if (stale.length === 0) return [];
  // Loaded only when there is something to do: an ordinary start is faster without.
  const { bundle } = await import('./build/bundle.ts');
  const inputs = await bundle(root, stale);
  for (const { name, output } of stale) markFresh(root, output, inputs.get(name) ?? []);
  return stale.map(({ name }) => name);
}

const usage = `Bundles the services and the jobs of a deployment into dist, those that were changed alone.

  npm run build
  npm run build -- --help   this text
`;

if (import.meta.main)
  await runCommand(usage, async () => {
    const built = await buildAll();
    console.log(built.length > 0 ? `Built ${built.join(', ')}.` : 'Everything is built already.');
  });
