import { readFile } from 'node:fs/promises';
import { transform } from '@swc/core';
import type { Plugin } from 'esbuild';
import { swcOptions } from './swc-options.ts';

/**
 * Compiles our TypeScript as the tests do: Nest finds what to inject by the types that swc writes beside
 * the decorators, which esbuild does not.
 */
export const swcPlugin: Plugin = {
  name: 'swc',
  setup: (build) => {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const { code } = await transform(source, {
        ...swcOptions,
        filename: path,
        swcrc: false,
        configFile: false,
        sourceMaps: 'inline',
      });
      return { contents: code, loader: 'js' };
    });
  },
};

/**
 * Leaves out what a package would load if it were there: Nest's other transports, pg's native binding.
 * An import that our own code names has to be there.
 */
export const optionalPackagesPlugin: Plugin = {
  name: 'optional-packages',
  setup: (build) => {
    build.onResolve({ filter: /^[^./]/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === 'resolving' || !importer.includes('node_modules')) return undefined;
      if (kind !== 'require-call' && kind !== 'dynamic-import' && kind !== 'require-resolve') return undefined;
      const { errors } = await build.resolve(path, { importer, resolveDir, kind, pluginData: 'resolving' });
      return errors.length > 0 ? { path, external: true } : undefined;
    });
  },
};
