import eslintPlugin from 'eslint-plugin-eslint-plugin';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const typescript = ['**/*.ts'];

export default defineConfig(
  globalIgnores([
    '**/dist/',
    '**/coverage/',
    // Code under examination: much of it is wrong on purpose.
    'fixtures/*/**',
    '!fixtures/proof-runner/**',
  ]),
  {
    files: typescript,
    extends: [tseslint.configs.strict],
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    // The runtime is where a lost promise loses a message, so it is checked with types.
    files: ['runtime/**/*.ts'],
    ignores: ['**/*.config.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
    },
  },
  {
    files: ['src/**/*.ts', 'rules/**/*.ts', 'runtime/**/*.ts'],
    extends: [eslintPlugin.configs.recommended],
  },
  {
    files: ['rules/**/*.ts'],
    ignores: ['**/*.test.ts', 'rules/index.ts'],
    rules: {
      'eslint-plugin/require-meta-docs-description': 'error',
      'eslint-plugin/require-meta-type': 'error',
    },
  },
  {
    files: ['**/*.test.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
);
