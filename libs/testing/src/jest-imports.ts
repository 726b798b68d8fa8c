import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { swcOptions } from '@paywright/deploy/build/swc-options.ts';
import { transformSync } from '@swc/core';

const globals = new URL('./jest-globals.ts', import.meta.url).href;

/**
 * From now on what this process imports is compiled as bundles are, and `@jest/globals` is what `jest-globals.ts` holds.
 * Compiling takes about a millisecond a file: nothing is kept.
 */
export function compileImports(): void {
  process.setSourceMapsEnabled(true);
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === '@jest/globals' ? { url: globals, shortCircuit: true } : next(specifier, context),
    load: (url, context, next) =>
      url.startsWith('file:') && url.endsWith('.ts')
        ? { format: 'module', source: compile(fileURLToPath(url)), shortCircuit: true }
        : next(url, context),
  });
}

function compile(filename: string): string {
  const options = { ...swcOptions, sourceMaps: 'inline', swcrc: false, filename } as const;
  return transformSync(readFileSync(filename, 'utf8'), options).code;
}
