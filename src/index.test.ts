import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rules } from '../rules/index.js';
import plugin, { 'module.exports' as required } from './index.js';

const packageJson = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { name: string; version: string };

test('names itself as the package does', () => {
  expect(plugin.meta).toEqual({ name: packageJson.name, version: packageJson.version, namespace: 'idempotent-consumers' });
});

test('`require` gives the plugin itself', () => {
  expect(required).toBe(plugin);
});

test('presets are filters on the list of rules', () => {
  const names = (preset: 'recommended' | 'strict'): string[] => Object.keys(plugin.configs[preset].rules ?? {});
  expect(names('strict')).toEqual(rules.map((r) => `idempotent-consumers/${r.name}`));
  expect(names('recommended')).toEqual(rules.filter((r) => r.preset === 'recommended').map((r) => `idempotent-consumers/${r.name}`));
  expect(plugin.configs.strict.rules?.['idempotent-consumers/no-delta-write']).toEqual(['error', { preset: 'strict' }]);
});

test('each preset brings the plugin along', () => {
  expect(plugin.configs.recommended.plugins).toEqual({ 'idempotent-consumers': plugin });
  expect(plugin.configs.strict.plugins).toEqual({ 'idempotent-consumers': plugin });
});

test('messages are full sentences', () => {
  for (const rule of rules) {
    for (const message of Object.values(rule.messages)) expect(message).toMatch(/^[A-Z`{].*\.$/);
  }
});
