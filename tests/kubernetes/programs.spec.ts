import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { isAtLeast, kubernetesVersion } from './programs.ts';

it.each([
  ['go1.26.8', true],
  ['go1.26', true],
  ['go1.27rc1', true],
  ['go2.0', true],
  ['go1.25.9', false],
  ['go1.3', false],
  ['', false],
])('of the Go %s, whether it is 1.26 or newer: %s', (version, isEnough) => {
  expect(isAtLeast(version, '1.26')).toBe(isEnough);
});

it('reads the version of Kubernetes where Go reads it', () => {
  const modules = readFileSync(join(import.meta.dirname, 'control-plane', 'go.mod'), 'utf8');
  expect(kubernetesVersion(modules)).toMatch(/^1\.\d+\.\d+$/);
  expect(() => kubernetesVersion('module nothing')).toThrow('names no k8s.io/kubernetes');
});
