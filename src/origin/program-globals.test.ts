import { expect, it } from 'vitest';
import { call, json, project } from '../../fixtures/command-runner.js';

const listed = async (files: Record<string, string>): Promise<string[]> => {
  const { out } = await call(project(files), ['--list']);
  return out.replace(/ {2,}/g, ' | ').trim().split('\n').map((line) => line.split(' | ')[0] ?? '');
};

const rulesOf = async (files: Record<string, string>): Promise<string[]> => {
  const { handlers } = await json(project(files));
  return handlers.flatMap((h) => h.findings.map((f) => `${h.file} ${f.rule} ${f.file}`));
};

const store = `const { Pool } = require('pg');
const pool = new Pool();
module.exports = { credit: (id, amount) => pool.query('UPDATE accounts SET balance = balance + $1 WHERE id = $2', [amount, id]) };
`;
const consumer = (body: string): string => `const { Kafka } = require('kafkajs');
new Kafka({ brokers: [] }).consumer({ groupId: 'bank' }).run({ eachMessage: async ({ message }) => { ${body} } });
`;
const credits = consumer('await accounts.credit(message.key, message.value);');
const found = ['consumer.js no-delta-write store.js'];

it.each(['global.accounts', 'globalThis.accounts', "global['accounts']"])('reads a free name that another file sets as %s', async (name) => {
  expect(await rulesOf({ 'store.js': store, 'consumer.js': credits, 'start.js': `module.exports = () => { ${name} = require('./store'); };` })).toEqual(found);
});

it('reads what is set on the global object through the object itself', async () => {
  expect(await rulesOf({ 'store.js': store, 'consumer.js': consumer('await global.accounts.credit(message.key, message.value);'), 'start.js': "global.accounts = require('./store');" })).toEqual(found);
});

it('reads names that Object.assign sets on the global object', async () => {
  expect(await rulesOf({ 'store.js': store, 'consumer.js': credits, 'start.js': "Object.assign(global, { accounts: require('./store') });" })).toEqual(found);
});

it('follows a path that is made of a global', async () => {
  const text = `const accounts = require(HOME + '/store');\n${credits}`;
  expect(await rulesOf({ 'lib/store.js': store, 'consumer.js': text, 'start.js': "const path = require('path');\nglobal.HOME = path.join(__dirname, 'lib');" })).toEqual(['consumer.js no-delta-write lib/store.js']);
});

it('takes no stand-in of a test for what the program uses', async () => {
  expect(await rulesOf({ 'store.js': store, 'consumer.js': credits, 'test/setup.js': "global.accounts = require('../store');" })).toEqual([]);
});

it('takes a name of the file itself before a global one', async () => {
  const text = `const accounts = { credit: () => undefined };\n${credits}`;
  expect(await rulesOf({ 'store.js': store, 'consumer.js': text, 'start.js': "global.accounts = require('./store');" })).toEqual([]);
});

it('tells apart the globals that a loop over a folder names after its files', async () => {
  const loops = [
    `fs.readdirSync(path.resolve('services')).forEach((file) => {
      if (file.match(/\\.js$/) !== null) {
        const name = file.replace('.js', '');
        global[name + 'Service'] = require(path.resolve('services', file));
      }
    });`,
    `for (const file of fs.readdirSync(path.join(__dirname, 'services'))) {
      const name = path.basename(file, '.js');
      global[\`\${name}Service\`] = require(\`./services/\${file}\`);
    }`,
  ];
  for (const loop of loops) {
    const files = {
      'package.json': '{}',
      'services/accounts.js': store.replaceAll('\n', '\n'),
      'services/audit.js': 'module.exports = { credit: () => undefined };',
      'start.js': `const fs = require('fs');\nconst path = require('path');\n${loop}`,
    };
    expect(await rulesOf({ ...files, 'consumer.js': consumer('await accountsService.credit(message.key, message.value);') })).toEqual(['consumer.js no-delta-write services/accounts.js']);
    expect(await rulesOf({ ...files, 'consumer.js': consumer('await auditService.credit(message.key, message.value);') })).toEqual([]);
  }
});

it('tells apart the properties that a loop over a folder gives an object', async () => {
  const files = {
    'services/accounts.js': store,
    'services/audit.js': 'module.exports = { credit: () => undefined };',
    'services/index.js': `const fs = require('fs');
const path = require('path');
const services = {};
fs.readdirSync(__dirname).filter((file) => file !== 'index.js').forEach((file) => {
  services[file.split('.')[0]] = require(path.join(__dirname, file));
});
module.exports = services;`,
  };
  const using = (name: string): Record<string, string> => ({ ...files, 'consumer.js': `const services = require('./services');\n${consumer(`await services.${name}.credit(message.key, message.value);`)}` });
  expect(await rulesOf(using('accounts'))).toEqual(['consumer.js no-delta-write services/accounts.js']);
  expect(await rulesOf(using('audit'))).toEqual([]);
});

it.each([
  ['require-all', "require('require-all')({ dirname: __dirname + '/services' })"],
  ['require-all', "require('require-all')({ dirname: __dirname + '/services', resolve: (service) => service })"],
  ['require-dir', "require('require-dir')('./services')"],
  ['require-directory', "require('require-directory')(module, './services')"],
])('knows the modules of a folder that %s loads', async (_, loaded) => {
  const files = { 'services/accounts.js': store, 'services/old/audit.js': 'module.exports = { credit: () => undefined };' };
  const using = (name: string): Record<string, string> => ({ ...files, 'consumer.js': `const services = ${loaded};\n${consumer(`await services.${name}.credit(message.key, message.value);`)}` });
  expect(await rulesOf(using('accounts'))).toEqual(['consumer.js no-delta-write services/accounts.js']);
  expect(await rulesOf(using('old.audit'))).toEqual([]);
});

it('finds the handlers that a folder is loaded into a table of', async () => {
  const files = {
    'handlers/credited.js': 'module.exports = async (message) => {};',
    'handlers/debited.js': 'module.exports = async (message) => {};',
    'consumer.js': `const fs = require('node:fs');
const handlers = {};
for (const file of fs.readdirSync(\`\${__dirname}/handlers\`)) handlers[file.slice(0, -3)] = require('./handlers/' + file);
${consumer('await handlers[message.headers.type](message);')}`,
  };
  expect(await listed(files)).toEqual(['handlers/credited.js:1', 'handlers/debited.js:1', '2 handlers']);
});

it('finds the handlers of a table that is written out as conditions', async () => {
  const module = "const { Pool } = require('pg');\nconst pool = new Pool();\nexports.receive = async (message) => { await pool.query('DELETE FROM orders WHERE id = $1', [message.key]); };";
  const files = (body: string): Record<string, string> => ({
    'orders.js': module,
    'refunds.js': module,
    'consumer.js': `const orders = require('./orders');\nconst refunds = require('./refunds');\n${consumer(body)}`,
  });
  const both = ['consumer.js:4', 'orders.js:3', 'refunds.js:3', '3 handlers'];
  expect(await listed(files('const t = String(message.headers.type); if (t === "order") { await orders.receive(message); } if (t === "refund") { await refunds.receive(message); }'))).toEqual(both);
  expect(await listed(files('switch (String(message.headers.type)) { case "order": await orders.receive(message); break; case "refund": await refunds.receive(message); break; }'))).toEqual(both);
  // One after the other for the same message: helpers of one handler.
  expect(await listed(files('await orders.receive(message); await refunds.receive(message);'))).toEqual(['consumer.js:4', '1 handler']);
});
