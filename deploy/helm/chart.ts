import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { findProjectRoot } from '../migrate/database-schemas.ts';

const helmFolder = join(findProjectRoot(), 'deploy', 'helm');
export const chartFolder = join(helmFolder, 'paywright');

/** Values that the chart is rendered with, by the names of their files in examples/. */
export const examples = ['minimal', 'keda', 'external-metric', 'rollout'] as const;
export type Example = (typeof examples)[number];

export const exampleFile = (example: Example): string => join(helmFolder, 'examples', `${example}.yaml`);
export const renderedFile = (example: Example): string => join(helmFolder, 'rendered', `${example}.yaml`);

/** An object for Kubernetes, as far as it is of one shape. */
export const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), labels: z.record(z.string(), z.string()) }),
});
export type Manifest = z.output<typeof Manifest>;

const rendered = new Map<Example, readonly Manifest[]>();

/** What Helm made of the chart with an example's values, as it is kept in the repository; read once. */
export function renderedManifests(example: Example): readonly Manifest[] {
  const manifests = rendered.get(example) ?? manifestsOf(readFileSync(renderedFile(example), 'utf8'));
  rendered.set(example, manifests);
  return manifests;
}

/** What is in a text that Helm printed. */
export function manifestsOf(printed: string): readonly Manifest[] {
  const documents = parseAllDocuments(printed);
  if ('empty' in documents) return [];
  // An empty one is what stands before the first line of three dashes.
  return documents.flatMap((document) => (document.contents === null ? [] : [Manifest.parse(document.toJS())]));
}

export const readYaml = (file: string): unknown => parse(readFileSync(file, 'utf8'));

/**
 * The first line of a rendered file: it names what it was rendered from, so that a chart that was changed and not
 * rendered again is found out where there is no Helm.
 */
export function renderedFrom(example: Example): string {
  const hash = createHash('sha256');
  for (const file of [...filesBelow(chartFolder), exampleFile(example)]) hash.update(readFileSync(file)).update('\0');
  return `# Rendered by npm run helm:render, from chart and values of the digest ${hash.digest('hex')}.`;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? filesBelow(path) : [path]));
}
