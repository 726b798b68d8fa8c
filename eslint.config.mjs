import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

const typescript = ['**/*.ts'];
const tests = ['**/*.spec.ts', '**/*.contract.ts', '**/testing/**/*.ts', 'tests/**/*.ts', 'bench/**/*.ts'];

/** Forbids imports, each with the reason that the reader is told. */
const forbidImports = (...rules) => ({
  'no-restricted-imports': ['error', { patterns: rules.map(([regex, message]) => ({ regex, message })) }],
});

const noKafka = ['^kafkajs$', 'Only libs/messaging knows kafkajs.'];
const noDatabase = ['^(pg$|@prisma/)', 'Only what keeps rows knows the database.'];
const noTelemetry = ['^@opentelemetry/', 'Only libs/platform knows OpenTelemetry.'];
const noNode = ['^node:', 'This is the pure core: no I/O.'];

/** Clock and chance are handed in: the only clock is platform's. */
const purity = {
  'no-restricted-properties': [
    'error',
    { object: 'Date', property: 'now', message: 'Time comes from the Clock that is handed in.' },
    { object: 'Math', property: 'random', message: 'Chance comes from a seed that is handed in.' },
  ],
  'no-restricted-syntax': [
    'error',
    {
      selector: "NewExpression[callee.name='Date'][arguments.length=0]",
      message: 'Time comes from the Clock that is handed in.',
    },
  ],
};

export default tseslint.config(
  { ignores: ['dist/', '.data/', '.nx/', 'coverage/', 'bench/peers/', '**/node_modules/'] },
  {
    files: typescript,
    extends: [...tseslint.configs.recommendedTypeChecked, prettier],
    plugins: { '@nx': nx },
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/require-await': 'off',
      'no-console': 'error',
      'no-duplicate-imports': 'off',
      '@nx/enforce-module-boundaries': [
        'error',
        {
          enforceBuildableLibDependency: false,
          depConstraints: [
            { sourceTag: 'layer:app', onlyDependOnLibsWithTags: ['layer:lib', 'layer:engine', 'layer:contracts'] },
            {
              sourceTag: 'layer:lib',
              onlyDependOnLibsWithTags: ['layer:lib', 'layer:engine', 'layer:contracts', 'layer:deploy'],
            },
            { sourceTag: 'layer:deploy', onlyDependOnLibsWithTags: ['layer:lib', 'layer:contracts', 'layer:deploy'] },
            { sourceTag: 'layer:engine', onlyDependOnLibsWithTags: [] },
            { sourceTag: 'layer:contracts', onlyDependOnLibsWithTags: [] },
          ],
        },
      ],
    },
  },
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    ignores: [...tests, 'libs/platform/**', 'libs/testing/**'],
    rules: purity,
  },
  // What a folder may know. A later entry replaces an earlier one, so each names its whole list.
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts', 'deploy/**/*.ts'],
    rules: forbidImports(noKafka, noDatabase, noTelemetry),
  },
  { files: ['libs/platform/**/*.ts'], rules: forbidImports(noKafka, noDatabase) },
  {
    files: [
      'libs/event-sourcing/**',
      'libs/read-model/**',
      'libs/store-credentials/**',
      'libs/testing/**',
      'apps/learner/**',
      'apps/projection/**',
      'apps/gateway/src/idempotency/**',
      'apps/purchase-validation/src/asking/**',
      'apps/purchase-validation/src/look-ups/**',
      'deploy/**',
    ],
    rules: forbidImports(noKafka, noTelemetry),
  },
  { files: ['libs/messaging/**/*.ts'], rules: forbidImports(noDatabase, noTelemetry) },
  {
    files: ['apps/*/src/domain/**/*.ts'],
    ignores: tests,
    rules: forbidImports(noKafka, noDatabase, noTelemetry, noNode),
  },
  {
    files: ['libs/contracts/src/**/*.ts'],
    ignores: tests,
    rules: forbidImports(['^(?!zod$|\\.{1,2}/)', 'contracts knows zod alone.']),
  },
  {
    files: ['libs/selection-engine/src/**/*.ts'],
    ignores: tests,
    rules: forbidImports(['^(?!\\.{1,2}/)', 'selection-engine depends on nothing.']),
  },
  {
    files: tests,
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['deploy/**/*.ts', 'tests/**/*.ts', 'bench/**/*.ts'],
    // Node runs these as they are: of TypeScript it takes only what can be left out.
    rules: { 'no-console': 'off', '@typescript-eslint/parameter-properties': 'error' },
  },
);
