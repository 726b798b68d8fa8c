import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { findProjectRoot } from './migrate/database-schemas.ts';

const root = findProjectRoot();

/** Of CycloneDX 1.5, what whoever looks for a vulnerable package needs. */
const Bom = z.object({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.string().regex(/^1\.[5-9]$/),
  serialNumber: z.string().regex(/^urn:uuid:[0-9a-f-]{36}$/),
  // Its name is the folder's: npm's own choice.
  metadata: z.object({
    component: z.object({ purl: z.string().startsWith('pkg:npm/paywright@'), type: z.literal('application') }),
  }),
  components: z.array(
    z.object({
      'bom-ref': z.string().min(1),
      type: z.literal('library'),
      name: z.string().min(1),
      version: z.string().min(1),
      purl: z.string().startsWith('pkg:npm/'),
      hashes: z.array(z.object({ alg: z.string(), content: z.string().regex(/^[0-9a-f]+$/) })).optional(),
    }),
  ),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })),
});
const Manifest = z.object({
  dependencies: z.record(z.string(), z.string()),
});

it('npm run sbom tells every package that there is, with its version and hash', () => {
  const bom = Bom.parse(JSON.parse(execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8' })));
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const listed = bom.components.map((component) => component['bom-ref']);
  for (const [name, version] of Object.entries(manifest.dependencies)) expect(listed).toContain(`${name}@${version}`);

  const unknown = bom.components
    .filter(({ hashes = [] }) => hashes.length === 0)
    .map((component) => component['bom-ref']);
  expect(unknown.filter((ref) => !ref.startsWith('@paywright/'))).toEqual([]);
  const refs = new Set([
    ...bom.components.map((component) => component['bom-ref']),
    ...bom.dependencies.map(({ ref }) => ref),
  ]);
  for (const { dependsOn } of bom.dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);
}, 30_000);
