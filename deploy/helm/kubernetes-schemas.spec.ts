import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { findProjectRoot } from '../migrate/database-schemas.ts';
import { chartFolder, exampleFile, examples, readYaml, renderedManifests, type Manifest } from './chart.ts';

// Not optimized, since that takes longer than it saves for some dozen manifests.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, code: { optimize: false } });
const readJson = (file: string) => z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(file, 'utf8')));
ajv.addSchema(readJson(join(findProjectRoot(), 'fixtures', 'kubernetes', 'v1.30.json')), 'kubernetes');

/** Not Kubernetes' own: their operators bring their definitions with them. */
const foreign = ['keda.sh/v1alpha1', 'monitoring.coreos.com/v1'];

/** What Kubernetes 1.30 has against a manifest. */
function faultsOf(manifest: Manifest): string[] {
  const [version, group = ''] = manifest.apiVersion.split('/').reverse();
  const name = [manifest.kind.toLowerCase(), group.split('.')[0], version].filter((part) => part !== '').join('-');
  const validate = ajv.getSchema(`kubernetes#/$defs/${name}`);
  if (!validate) return [`No schema of ${name}`];
  return validate(manifest) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

describe.each(examples)('Kubernetes, of the manifests of %s,', (example) => {
  const manifests = renderedManifests(example);

  it('takes every one', () => {
    const own = manifests.filter(({ apiVersion }) => !foreign.includes(apiVersion));
    expect(own.length).toBeGreaterThan(20);
    expect(own.flatMap((manifest) => faultsOf(manifest).map((fault) => [manifest.metadata.name, fault]))).toEqual([]);
  });

  it('takes the names and labels', () => {
    for (const { metadata } of manifests) {
      expect(metadata.name).toMatch(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
      for (const label of Object.values(metadata.labels))
        expect(label).toMatch(/^[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/);
    }
  });

  it('knows each by a name of its own', () => {
    const names = manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
  });
});

it('refuses what it does not know', () => {
  const [manifest] = renderedManifests('minimal').filter(({ kind }) => kind === 'Deployment');
  const spec = z.looseObject({ template: z.looseObject({ spec: z.looseObject({}) }) }).parse(manifest!['spec']);
  const misspelt = {
    ...spec,
    template: { ...spec.template, spec: { ...spec.template.spec, restartPolice: 'Always' } },
  };
  expect(faultsOf({ ...manifest!, spec: misspelt })).toEqual([
    '/spec/template/spec must NOT have additional properties',
  ]);
});

describe('values.schema.json', () => {
  const validate = ajv.compile(readJson(join(chartFolder, 'values.schema.json')));
  const defaults = readYaml(join(chartFolder, 'values.yaml'));

  it('fits the defaults, and knows every one of them', () => {
    expect([validate(defaults), validate.errors]).toEqual([true, null]);
  });

  it.each(examples)('lets through what %s names', (example) => {
    const given = z.record(z.string(), z.unknown()).parse(readYaml(exampleFile(example)));
    const known = z.record(z.string(), z.unknown()).parse(defaults);
    expect(Object.keys(given).filter((key) => !(key in known))).toEqual([]);
  });
});
