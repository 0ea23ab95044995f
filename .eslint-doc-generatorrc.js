/** @type {import('eslint-doc-generator').GenerateOptions} */
export default {
  configEmoji: [
    ['recommended', '✅'],
    ['strict', '🔒'],
  ],
  pathRuleDoc: 'docs/rules/{name}.md',
  // The title says what the description says.
  ruleDocNotices: ['deprecated', 'configs', 'fixableAndHasSuggestions'],
  ruleDocSectionInclude: ['What goes wrong', 'Incorrect', 'Correct', 'Options', 'When to switch it off'],
  ruleDocSectionOptions: false,
  ruleDocTitleFormat: 'desc-parens-prefix-name',
};
