import type { Options } from '@swc/core';

/** How every TypeScript file is compiled, in tests and in bundles: Nest reads decorator metadata. */
export const swcOptions: Options = {
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: true,
};
