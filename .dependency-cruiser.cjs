// The order of the layers, from docs/architecture.md. Data flows one way:
//
//   syntax → origin → discovery → flow → rules → fix, report
//                 └──▶ keys ──────┘
//
// with three leaves beside it that hold no logic of the analysis: model, catalog, sql.
// src/project, src/cache, src/run.ts, src/lint.ts, src/index.ts and src/cli put the layers together.

const ours = '^(src|rules|runtime|fixtures)/';
const tests = '\\.test\\.ts$';

/** A layer may import itself, what is named here, and nothing else of this repository. */
function layer(name, allowed, comment) {
  return {
    name: `${name}-layer`,
    comment,
    severity: 'error',
    from: { path: `^src/${name}/`, pathNot: tests },
    to: { path: ours, pathNot: [`^src/${name}/`, ...allowed] },
  };
}

const model = '^src/model/';
const catalog = '^src/catalog/';
const sql = '^src/sql/';
const syntax = '^src/syntax/';
const origin = '^src/origin/';
const discovery = '^src/discovery/';
const infrastructure = '^src/infrastructure/';
const keys = '^src/keys/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    layer(
      'model',
      [],
      'The model is the language that all layers share: pure data. If it imported a layer, that layer would come along ' +
        'into every rule and report. Move the type that you need here, or keep the function in the layer that owns it.',
    ),
    layer(
      'sql',
      [],
      'SQL is understood without knowing what runs it, so that it can be tested on plain strings. Pass in what it needs.',
    ),
    layer(
      'catalog',
      [model],
      'The catalog is data about libraries. A new library must touch one file here and one fixture folder, so the ' +
        'entries cannot depend on the engine that reads them. Extend src/catalog/schema.ts if an entry cannot say something.',
    ),
    layer(
      'syntax',
      [model],
      'Syntax turns files into trees, positions and resolved imports. It knows neither libraries nor handlers; if it ' +
        'seems to need them, the code belongs in src/origin or src/discovery.',
    ),
    layer(
      'infrastructure',
      [syntax, model],
      'Infrastructure says what the program runs on, as its templates tell. What that means for a handler is decided by ' +
        'discovery and by the engine.',
    ),
    layer(
      'origin',
      [syntax, catalog, sql, model],
      'Origin says what a value is, for whoever asks. It must not know which functions are handlers or what they do: ' +
        'discovery and flow ask it, never the other way round.',
    ),
    layer(
      'discovery',
      [origin, infrastructure, syntax, catalog, sql, model],
      'Discovery finds the handlers whose bodies flow then lowers. Were it to import flow, finding a handler would ' +
        'depend on having analysed it.',
    ),
    layer(
      'keys',
      [origin, infrastructure, syntax, sql, model],
      'The unique keys of tables, read from the schemas of the program. They know neither handlers nor effects: flow asks ' +
        'for a table by its name and judges the row itself.',
    ),
    layer(
      'flow',
      [keys, discovery, infrastructure, origin, syntax, catalog, sql, model],
      'Flow builds the graph of effects and answers questions about its paths. It never names a rule: a rule asks, ' +
        'flow answers. Text of findings and edits belong to rules/ and src/fix.',
    ),
    {
      name: 'rules-read-only-model-and-queries',
      comment:
        'A rule is a thin reader: it may import the model, the questions that flow answers (src/flow/query.ts or ' +
        'src/flow/query/) and other files in rules/. A rule that needs syntax or origins needs a new question in flow.',
      severity: 'error',
      from: { path: '^rules/', pathNot: tests },
      to: { path: ours, pathNot: ['^rules/', model, '^src/flow/query(/|\\.ts$)'] },
    },
    {
      name: 'engine-names-no-rule',
      comment:
        'The engine serves all rules alike, the ones not yet written too. Only the files that put everything together ' +
        '(src/index.ts, src/engine.ts, src/lint.ts, src/run.ts, src/project, src/cli) may know the list of rules.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(index|engine|lint|run)\\.ts$', '^src/(project|cli)/', tests] },
      to: { path: '^rules/' },
    },
    layer(
      'settings',
      [model, catalog, '^src/syntax/files\\.ts$'],
      'Settings become entries of the catalog, so that the engine treats them as it treats what ships. Whatever reads the ' +
        'engine to do so belongs in src/origin or src/engine.ts.',
    ),
    layer(
      'fix',
      ['^src/flow/', discovery, origin, syntax, catalog, sql, model],
      'Edits are made from the results of the analysis. They know no rule, no report and no command, so that a ' +
        'suggestion and the codemod share them.',
    ),
    layer(
      'report',
      [model],
      'A report is a function from the finished result to text. What it prints must be in the model, so that every ' +
        'format, the JSON first of all, can say the same.',
    ),
    {
      name: 'nothing-imports-the-command',
      comment: 'The command is the outermost layer: argv, exit codes, the terminal. What others need belongs in src/run.ts.',
      severity: 'error',
      from: { path: '^(src|rules)/', pathNot: ['^src/cli/', tests] },
      to: { path: '^src/cli/' },
    },
    {
      name: 'project-below-the-runs',
      comment: 'The program index serves the per-file run and the whole-program run; it cannot depend on either.',
      severity: 'error',
      from: { path: '^src/project/', pathNot: tests },
      to: { path: '^src/((index|lint|run|parser)\\.ts$|cli/|report/)' },
    },
    {
      name: 'cache-below-the-command',
      comment: 'The cache stands between the engine and the whole-program run. It keeps results, and knows neither how they are asked for nor how they are said.',
      severity: 'error',
      from: { path: '^src/cache/', pathNot: tests },
      to: { path: '^src/((index|lint|run|parser)\\.ts$|cli/|report/|project/)' },
    },
    {
      name: 'compiler-only-in-syntax',
      comment:
        'Loading the compiler costs half a second, and another one may take its place one day. Import what you need ' +
        'from src/syntax, and add it there if it is missing.',
      severity: 'error',
      from: { path: '^(src|rules)/', pathNot: [syntax, tests] },
      to: { path: 'node_modules/(ts-morph|@ts-morph|typescript)/' },
    },
    {
      name: 'sql-parser-only-in-sql',
      comment: 'The SQL parser is large, is loaded late and has a tree of its own. Ask src/sql instead.',
      severity: 'error',
      from: { path: '^(src|rules)/', pathNot: [sql, tests] },
      to: { path: 'node_modules/node-sql-parser/' },
    },
    {
      name: 'files-only-in-named-places',
      comment:
        'Whoever reads a file decides on caching, on unsaved text in an editor and on what is said if it cannot be ' +
        'read. So only src/syntax, src/project, src/cache, src/run.ts, src/lint.ts and src/cli touch the file system.',
      severity: 'error',
      from: { path: '^(src|rules)/', pathNot: ['^src/(syntax|project|cache|cli)/', '^src/(run|lint)\\.ts$', tests] },
      to: { path: ['^(node:)?fs(/promises)?$', 'node_modules/(tinyglobby|ignore)/'] },
    },
    {
      name: 'late-loading-only-in-named-places',
      comment:
        'createRequire (node:module) loads a package late and is invisible to these checks. Large packages are loaded ' +
        'where they are wrapped: the compiler in src/syntax, the SQL parser in src/sql, the reader of YAML in src/infrastructure, the validator in src/settings.',
      severity: 'error',
      from: { path: '^(src|rules)/', pathNot: ['^src/(syntax|sql|infrastructure|project|cli|settings)/', '^src/(run|lint)\\.ts$', tests] },
      to: { path: '^(node:)?module$' },
    },
    {
      name: 'no-network-no-processes',
      comment:
        'The analysis runs in editors, on any code. It reads files and computes, nothing else. Only the command asks git, ' +
        'and only for --changed-since (src/cli/git.ts).',
      severity: 'error',
      from: { path: '^(src|rules)/', pathNot: ['^src/cli/git\\.ts$', tests] },
      to: { path: '^(node:)?(child_process|cluster|dgram|dns|http|http2|https|net|tls)$' },
    },
    {
      name: 'eslint-types-only',
      comment:
        'ESLint loads this plugin, not the other way round, and the command and oxlint run without ESLint. ' +
        'Use `import type`.',
      severity: 'error',
      from: { path: '^(src|rules)/', pathNot: tests },
      to: { path: 'node_modules/(eslint|@eslint|@typescript-eslint|typescript-eslint)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-dev-dependency-at-run-time',
      comment:
        'A devDependency is not there when somebody installs the package. Make it a dependency (if it has no ' +
        '`typescript` peer), or import only its types.',
      severity: 'error',
      from: { path: '^(src|rules|runtime)/', pathNot: [tests, '\\.(config|global-setup)\\.ts$', '^runtime/(test|tests|bench)/'] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm', 'npm-peer'] },
    },
    {
      name: 'runtime-stands-alone',
      comment:
        'The inbox is a package of its own, installed by people who never run the analyzer. It shares no code with it.',
      severity: 'error',
      from: { path: '^runtime/' },
      to: { path: '^(src|rules)/' },
    },
    {
      name: 'analyzer-without-runtime',
      comment:
        'The analyzer recognises the inbox by its catalog entry, as any other library. It does not import it.',
      severity: 'error',
      from: { path: '^(src|rules)/', pathNot: tests },
      to: { path: '^runtime/' },
    },
    {
      name: 'no-tests-in-shipped-code',
      comment: 'Tests and fixtures are not published: shipped code that imports them breaks at the user.',
      severity: 'error',
      from: { path: '^(src|rules)/', pathNot: tests },
      to: { path: [tests, '^fixtures/'] },
    },
    {
      name: 'no-cycles',
      comment:
        'In a cycle no file can be read, tested or moved alone. Move what both need into a third file, or hand the ' +
        'function in as an argument.',
      severity: 'error',
      // Values are made of values and flows of flows: the parts of the evaluator, and of the lowering, call one another.
      from: { pathNot: '^src/(origin|flow)/' },
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      comment: 'The import leads nowhere. Check the path (source imports end in .js) or add the package to package.json.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-undeclared-package',
      comment: 'The package is not in package.json; it is there by chance and will be missing at the user.',
      severity: 'error',
      from: { path: '^(src|rules|runtime)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Scenarios import clients that a fake takes the place of.
    exclude: { path: '^(runtime/)?(dist|coverage)/|^fixtures/.*/|^runtime/test/testing/scenarios/' },
    // Imports of types count as well: a layer is a matter of what one has to understand.
    tsPreCompilationDeps: true,
    // The inbox is a workspace: it may use the root's development tools.
    combinedDependencies: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
