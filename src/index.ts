import type { ESLint, Linter } from 'eslint';
import { rules } from '../rules/index.js';
import { lintRule } from './lint.js';
import type { Preset } from './model/finding.js';
import { version } from './version.js';

const namespace = 'idempotent-consumers';

const plugin = {
  meta: { name: 'eslint-plugin-idempotent-consumers', version, namespace },
  rules: Object.fromEntries(rules.map((rule) => [rule.name, lintRule(rule)])),
  configs: { recommended: config('recommended'), strict: config('strict') },
} satisfies ESLint.Plugin;

for (const preset of Object.values(plugin.configs)) preset.plugins = { [namespace]: plugin };

/** A preset is a filter on the list of rules. */
function config(preset: Preset): Linter.Config {
  const chosen = rules.filter((rule) => preset === 'strict' || rule.preset === 'recommended');
  return {
    name: `${namespace}/${preset}`,
    rules: Object.fromEntries(
      chosen.map((rule): [string, Linter.RuleEntry] => [`${namespace}/${rule.name}`, [rule.severity === 'error' ? 'error' : 'warn', { preset }]]),
    ),
  };
}

export default plugin;
// For `require`, on any version of Node that can load an ES module by it.
export { plugin as 'module.exports' };
