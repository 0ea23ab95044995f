import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runEngine } from '../engine.js';
import { applyEdits } from './context.js';

const root = mkdtempSync(join(tmpdir(), 'suggest-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The file after the only suggestion for it, or for what one rule finds in it; the titles if there are none or several. */
function suggested(text: string, name = 'consumer.js', rule?: string): string | string[] {
  writeFileSync(join(root, name), text);
  const { handlers } = runEngine({ root, paths: [name], preset: 'strict' });
  const findings = handlers.flatMap((h) => h.findings).filter((f) => f.fix && (rule === undefined || f.rule === rule));
  expect(findings.length, 'findings with a fix').toBeGreaterThan(0);
  const suggestions = findings.flatMap((f) => f.suggestions);
  const [only] = suggestions;
  return only && suggestions.length === 1 ? applyEdits(text, only.edits) : suggestions.map((s) => s.title);
}

function lambda(body: string, head = 'async (event) =>'): string {
  return `import pg from 'pg';
const pool = new pg.Pool();
/** @type {import('aws-lambda').SQSHandler} */
export const handler = ${head} {
${body}
};
`;
}

function amqp(body: string, options = ''): string {
  return `import amqp from 'amqplib';
import pg from 'pg';
const pool = new pg.Pool();
export async function start() {
  const channel = await (await amqp.connect('amqp://localhost')).createChannel();
  await channel.consume('orders', async (msg) => {
${body}
  }${options});
}
`;
}

const INSERT = `pool.query('INSERT INTO orders (id) VALUES ($1) ON CONFLICT (id) DO NOTHING', [event.id])`;
const STORE = `pool.query('INSERT INTO orders (id) VALUES ($1) ON CONFLICT (id) DO NOTHING', [order.id])`;

describe('await', () => {
  it('stands in front of the call', () => {
    expect(suggested(lambda(`  // Stored.\n  ${INSERT}; // once`))).toBe(lambda(`  // Stored.\n  await ${INSERT}; // once`));
  });

  it('takes the place of void', () => {
    expect(suggested(lambda(`  void ${INSERT};`))).toBe(lambda(`  await ${INSERT};`));
  });

  it('puts parentheses around what is more than a call', () => {
    expect(suggested(lambda(`  event.id && ${INSERT};`))).toBe(lambda(`  await (event.id && ${INSERT});`));
  });

  it('waits for all of a list', () => {
    expect(suggested(lambda(`  event.ids.map((id) => pool.query('DELETE FROM carts WHERE id = $1', [id]));`))).toBe(lambda(`  await Promise.all(event.ids.map((id) => pool.query('DELETE FROM carts WHERE id = $1', [id])));`));
  });

  it('is a return where the function is not async and nothing follows', () => {
    expect(suggested(lambda(`  ${INSERT}.then(() => console.log('stored'));`, '(event) =>'))).toBe(lambda(`  return ${INSERT}.then(() => console.log('stored'));`, '(event) =>'));
  });

  it('makes the handler async where something follows', () => {
    expect(suggested(lambda(`  ${INSERT};\n  console.log('stored');`, '(event) =>'))).toBe(lambda(`  await ${INSERT};\n  console.log('stored');`, 'async (event) =>'));
  });

  it('makes a local function async with all that call it', () => {
    const code = (keyword: string, call: string): string => `${lambda(`  ${call}store(event);\n  console.log('stored');`)}${keyword}function store(event) {\n  ${call}${INSERT};\n  console.log(event);\n}\n`;
    expect(suggested(code('', ''))).toEqual(code('async ', 'await '));
  });

  it('changes the return type of the handler', () => {
    const code = (head: string, call: string): string => `import { Pool } from 'pg';\nimport type { SQSEvent } from 'aws-lambda';\nconst pool = new Pool();\nexport ${head} {\n  ${call}pool.query('DELETE FROM carts WHERE id = $1', [event.Records.length]);\n}\n`;
    expect(suggested(code('function handler(event: SQSEvent): void', ''), 'consumer.ts')).toBe(code('async function handler(event: SQSEvent): Promise<void>', 'await '));
  });

  it('lets a failure through that was only logged', () => {
    expect(suggested(lambda(`  ${INSERT}.catch((error) => console.error(error));`), undefined, 'ack-after-commit')).toBe(lambda(`  await ${INSERT}.catch((error) => {\n    console.error(error);\n    throw error;\n  });`));
    expect(suggested(lambda(`  ${INSERT}.catch(console.error);`), undefined, 'ack-after-commit')).toBe(lambda(`  await ${INSERT}.catch((error) => {\n    console.error(error);\n    throw error;\n  });`));
    expect(suggested(lambda(`  try {\n    ${INSERT};\n  } catch (error) {\n    console.error(error);\n  }`), undefined, 'ack-after-commit')).toBe(lambda(`  try {\n    await ${INSERT};\n  } catch (error) {\n    console.error(error);\n    throw error;\n  }`));
  });

  it('is not offered for timers and node-style callbacks', () => {
    expect(suggested(lambda(`  setTimeout(() => ${INSERT}, 1000);`))).toEqual([]);
    expect(suggested(lambda(`  pool.query('DELETE FROM carts WHERE id = $1', [event.id], (error) => {\n    if (error) throw error;\n  });`))).toEqual([]);
  });

  it('is not offered where the caller is told by a callback', () => {
    const code = `const Queue = require('bull');\nconst { Pool } = require('pg');\nconst pool = new Pool();\nnew Queue('orders').process((job, done) => {\n  pool.query('DELETE FROM carts WHERE id = $1', [job.data.id]);\n  done();\n});\n`;
    expect(suggested(code)).toEqual([]);
  });
});

describe('for of', () => {
  const remove = `await pool.query('DELETE FROM carts WHERE id = $1', [record.body]);`;

  it('takes the place of forEach', () => {
    expect(suggested(lambda(`  // All of them.\n  event.Records.forEach(async (record) => {\n    // One.\n    ${remove}\n  });\n  console.log('done');`))).toBe(
      lambda(`  // All of them.\n  for (const record of event.Records) {\n    // One.\n    ${remove}\n  }\n  console.log('done');`),
    );
  });

  it('gives a body to an expression', () => {
    expect(suggested(lambda(`  event.Records.forEach(async ({ body }) => pool.query('DELETE FROM carts WHERE id = $1', [body]));`))).toBe(
      lambda(`  for (const { body } of event.Records) {\n    await pool.query('DELETE FROM carts WHERE id = $1', [body]);\n  }`),
    );
  });

  it('counts along where the callback did', () => {
    expect(suggested(lambda(`  event.Records.forEach(async (record, i) => {\n    console.log(i);\n    ${remove}\n  });`))).toBe(lambda(`  for (const [i, record] of event.Records.entries()) {\n    console.log(i);\n    ${remove}\n  }`));
  });

  it('goes on where the callback returned', () => {
    expect(suggested(lambda(`  event.Records?.forEach(async (record) => {\n    if (!record.body) return;\n    ${remove}\n  });`))).toBe(lambda(`  for (const record of event.Records ?? []) {\n    if (!record.body) continue;\n    ${remove}\n  }`));
  });

  it('moves the body where the list was written over several lines', () => {
    expect(suggested(lambda(`  event.Records\n    .filter((r) => r.body)\n    .forEach(async (record) => {\n      ${remove}\n    });`))).toBe(lambda(`  for (const record of event.Records\n    .filter((r) => r.body)) {\n    ${remove}\n  }`));
  });

  it('makes the handler async', () => {
    expect(suggested(lambda(`  event.Records.forEach(async (record) => {\n    ${remove}\n  });`, '(event) =>'))).toBe(lambda(`  for (const record of event.Records) {\n    ${remove}\n  }`, 'async (event) =>'));
  });

  it('is not offered for a return in a loop of its own, for a map, and where a comment would be lost', () => {
    expect(suggested(lambda(`  event.Records.forEach(async (record) => {\n    for (const x of record.list) if (x) return;\n    ${remove}\n  });`))).toEqual([]);
    expect(suggested(lambda(`  const orders = new Map(event.Records.map((r) => [r.messageId, r]));\n  orders.forEach(async (record) => {\n    ${remove}\n  });`))).toEqual([]);
    expect(suggested(lambda(`  event.Records.forEach(/* all */ async (record) => {\n    ${remove}\n  });`))).toEqual([]);
  });
});

describe('moving the acknowledgement', () => {
  const parse = '    const order = JSON.parse(msg.content.toString());';

  it('behind the last effect, with its comment', () => {
    expect(suggested(amqp(`${parse}\n    // Off the queue.\n    channel.ack(msg); // now\n\n    await ${STORE};\n    console.log('stored');`))).toBe(
      amqp(`${parse}\n\n    await ${STORE};\n    // Off the queue.\n    channel.ack(msg); // now\n    console.log('stored');`),
    );
  });

  it('behind a block, from the start of a function', () => {
    expect(suggested(amqp(`    channel.ack(msg);\n\n${parse}\n    if (order.id) {\n      await ${STORE};\n    }`))).toBe(amqp(`${parse}\n    if (order.id) {\n      await ${STORE};\n    }\n    channel.ack(msg);`));
  });

  it('into the try whose catch drops the error', () => {
    expect(suggested(amqp(`${parse}\n    channel.ack(msg);\n    try {\n      await ${STORE};\n    } catch (error) {\n      console.error(error);\n    }`))).toBe(
      amqp(`${parse}\n    try {\n      await ${STORE};\n      channel.ack(msg);\n    } catch (error) {\n      console.error(error);\n    }`),
    );
  });

  it('acknowledges on each way out', () => {
    expect(suggested(amqp(`    channel.ack(msg);\n${parse}\n    if (!order.id) return;\n    if (order.test) {\n      console.log('a test');\n      return;\n    }\n    await ${STORE};`))).toBe(
      amqp(`${parse}\n    if (!order.id) { channel.ack(msg); return; }\n    if (order.test) {\n      console.log('a test');\n      channel.ack(msg);\n      return;\n    }\n    await ${STORE};\n    channel.ack(msg);`),
    );
  });

  it('out of the transaction', () => {
    const code = (inside: string, behind: string): string =>
      `import amqp from 'amqplib';\nimport knex from 'knex';\nconst db = knex({ client: 'pg' });\nexport async function start() {\n  const channel = await (await amqp.connect('amqp://localhost')).createChannel();\n  await channel.consume('orders', async (msg) => {\n    const order = JSON.parse(msg.content.toString());\n    await db.transaction(async (trx) => {\n      await trx('orders').insert(order).onConflict('id').ignore();\n${inside}    });\n${behind}  });\n}\n`;
    expect(suggested(code('      channel.ack(msg);\n', ''))).toBe(code('', '    channel.ack(msg);\n'));
  });

  it('keeps one line as one line, and the line breaks of the file', () => {
    expect(suggested(amqp(`    { channel.ack(msg); await ${STORE.replace('order.id', '1')}; }`))).toBe(amqp(`    { await ${STORE.replace('order.id', '1')}; channel.ack(msg); }`));
    expect(suggested(amqp(`${parse}\n    channel.ack(msg);\n    await ${STORE};`).replaceAll('\n', '\r\n'))).toBe(amqp(`${parse}\n    await ${STORE};\n    channel.ack(msg);`).replaceAll('\n', '\r\n'));
  });

  it('is not offered where the work is returned, or what is acknowledged changes', () => {
    expect(suggested(amqp(`${parse}\n    channel.ack(msg);\n    return ${STORE};`))).toEqual([]);
    expect(suggested(amqp(`${parse}\n    channel.ack(msg);\n    await ${STORE};\n    msg = undefined;\n    await ${STORE};`))).toEqual([]);
  });
});

describe('acknowledging by hand', () => {
  const parse = '    const order = JSON.parse(msg.content.toString());';

  it('switches the option and acknowledges at the end', () => {
    expect(suggested(amqp(`    if (!msg) return;\n${parse}\n    if (!order.id) return;\n    await ${STORE};`, ', { noAck: true }'))).toBe(
      amqp(`    if (!msg) return;\n${parse}\n    if (!order.id) { channel.ack(msg); return; }\n    await ${STORE};\n    channel.ack(msg);`, ', { noAck: false }'),
    );
  });

  it('acknowledges inside the condition that holds everything', () => {
    expect(suggested(amqp(`    if (msg) {\n  ${parse}\n      await ${STORE};\n    }`, ', { noAck: true }'))).toBe(amqp(`    if (msg) {\n  ${parse}\n      await ${STORE};\n      channel.ack(msg);\n    }`, ', { noAck: false }'));
  });

  it('asks for the message where its type may be null', () => {
    const code = (option: string, end: string): string => amqp(`    const order = JSON.parse(msg!.content.toString());\n    await ${STORE};${end}`, `, { noAck: ${option} }`);
    expect(suggested(code('true', ''), 'consumer.ts')).toBe(code('false', '\n    if (msg) channel.ack(msg);'));
  });

  it('is not offered for a handler elsewhere', () => {
    expect(suggested(`import amqp from 'amqplib';\nimport pg from 'pg';\nconst pool = new pg.Pool();\nexport async function start(channel = amqp.connect('').then((c) => c.createChannel())) {\n  await (await channel).consume('orders', onOrder, { noAck: true });\n}\nasync function onOrder(msg) {\n  const order = JSON.parse(msg.content.toString());\n  await ${STORE};\n}\n`)).toEqual([]);
  });
});

describe('throwing again', () => {
  it('ends the catch', () => {
    expect(suggested(lambda(`  try {\n    await ${INSERT};\n  } catch (err) {\n    console.error(err); // seen\n    // That is all.\n  }`))).toBe(lambda(`  try {\n    await ${INSERT};\n  } catch (err) {\n    console.error(err); // seen\n    // That is all.\n    throw err;\n  }`));
  });

  it('names the error', () => {
    expect(suggested(lambda(`  try {\n    await ${INSERT};\n  } catch {\n    console.error('not stored');\n  }`))).toBe(lambda(`  try {\n    await ${INSERT};\n  } catch (error) {\n    console.error('not stored');\n    throw error;\n  }`));
    expect(suggested(lambda(`  try {\n    await ${INSERT};\n  } catch {}`))).toBe(lambda(`  try {\n    await ${INSERT};\n  } catch (error) {\n    throw error;\n  }`));
  });

  it('takes the place of a last return', () => {
    expect(suggested(lambda(`  try {\n    await ${INSERT};\n  } catch (error) {\n    console.error(error);\n    return;\n  }`))).toBe(lambda(`  try {\n    await ${INSERT};\n  } catch (error) {\n    console.error(error);\n    throw error;\n  }`));
  });

  it('keeps a block on its line', () => {
    expect(suggested(lambda(`  try { await ${INSERT}; } catch (error) { console.error(error); }`))).toBe(lambda(`  try { await ${INSERT}; } catch (error) { console.error(error); throw error; }`));
  });

  it('ends the function of a catch in a chain', () => {
    expect(suggested(lambda(`  await ${INSERT}.catch(() => {\n    console.error('not stored');\n  });`))).toBe(lambda(`  await ${INSERT}.catch((error) => {\n    console.error('not stored');\n    throw error;\n  });`));
    expect(suggested(lambda(`  await ${INSERT}.catch(() => undefined);`))).toBe(lambda(`  await ${INSERT}.catch((error) => {\n    throw error;\n  });`));
  });

  it('uses Promise.all', () => {
    expect(suggested(lambda(`  await Promise.allSettled(event.Records.map((r) => pool.query('DELETE FROM carts WHERE id = $1', [r.body])));`))).toBe(lambda(`  await Promise.all(event.Records.map((r) => pool.query('DELETE FROM carts WHERE id = $1', [r.body])));`));
  });

  it('is not offered where a clause around it drops the error in its turn', () => {
    expect(suggested(lambda(`  try {\n    try {\n      await ${INSERT};\n    } catch (error) {\n      console.error(error);\n    }\n  } catch (error) {\n    console.error(error);\n  }`))).toEqual([]);
  });
});

describe('refusing', () => {
  const parse = '    const order = JSON.parse(msg.content.toString());';

  it('takes the place of an acknowledgement in the catch', () => {
    const code = (call: string): string => amqp(`${parse}\n    try {\n      await ${STORE};\n    } catch (error) {\n      console.error(error);\n      ${call};\n      return;\n    }\n    channel.ack(msg);`);
    expect(suggested(code('channel.ack(msg)'))).toBe(code('channel.nack(msg, false, false)'));
  });

  it('tells a callback apart', () => {
    const code = (callback: string): string => `const amqp = require('amqplib/callback_api');\nconst { Pool } = require('pg');\nconst pool = new Pool();\namqp.connect('', (e, connection) => {\n  connection.createChannel((e2, channel) => {\n    channel.consume('orders', (msg) => {\n      pool.query('INSERT INTO orders (id) VALUES ($1) ON CONFLICT (id) DO NOTHING', [String(msg.content)], ${callback});\n    });\n  });\n});\n`;
    expect(suggested(code('() => channel.ack(msg)'))).toBe(code('(error) => (error ? channel.nack(msg, false, false) : channel.ack(msg))'));
  });

  it('passes the error on', () => {
    const code = (call: string): string => `const Queue = require('bull');\nconst { Pool } = require('pg');\nconst pool = new Pool();\nnew Queue('orders').process((job, done) => {\n  pool\n    .query('DELETE FROM carts WHERE id = $1', [job.data.id])\n    .then(() => done())\n    .catch((error) => {\n      console.error(error);\n      ${call};\n    });\n});\n`;
    expect(suggested(code('done()'))).toBe(code('done(error)'));
  });
});

describe('acknowledging at the end of try', () => {
  const parse = '    const order = JSON.parse(msg.content.toString());';

  it('drops a finally that is left empty', () => {
    expect(suggested(amqp(`${parse}\n    try {\n      await ${STORE};\n    } catch (error) {\n      console.error(error);\n      throw error;\n    } finally {\n      channel.ack(msg);\n    }`))).toBe(
      amqp(`${parse}\n    try {\n      await ${STORE};\n      channel.ack(msg);\n    } catch (error) {\n      console.error(error);\n      throw error;\n    }`),
    );
  });

  it('drops a try that is left alone', () => {
    expect(suggested(amqp(`${parse}\n    try {\n      // Stored.\n      await ${STORE};\n    } finally {\n      channel.ack(msg);\n    }`))).toBe(amqp(`${parse}\n    // Stored.\n    await ${STORE};\n    channel.ack(msg);`));
  });

  it('keeps the rest of finally', () => {
    expect(suggested(amqp(`${parse}\n    try {\n      await ${STORE};\n    } finally {\n      channel.ack(msg);\n      console.log('done');\n    }`))).toBe(amqp(`${parse}\n    try {\n      await ${STORE};\n      channel.ack(msg);\n    } finally {\n      console.log('done');\n    }`));
  });
});

describe('the stable id', () => {
  const code = (id: string): string => amqp(`    if (!msg) return;\n    const key = \`order-\${${id}}\`;\n    const seen = await pool.query('INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING', [key]);\n    if (seen.rowCount > 0) console.log(key);\n    channel.ack(msg);`);

  it('takes the place of the delivery tag', () => {
    expect(suggested(code('msg.fields.deliveryTag'))).toBe(code('msg.properties.messageId'));
  });
});

describe('settle', () => {
  const settledTry = `    try {\n      await ${STORE};\n      channel.ack(msg);\n    } catch {\n      channel.nack(msg, false, false);\n    }`;
  const PARSE = '    if (!msg) return;\n    const order = JSON.parse(msg.content);';

  function both(text: string): string[] {
    writeFileSync(join(root, 'settle.js'), text);
    const { handlers } = runEngine({ root, paths: ['settle.js'], preset: 'strict' });
    return handlers.flatMap((h) => h.findings).flatMap((f) => f.suggestions).map((s) => `${s.title}\n${applyEdits(text, s.edits)}`);
  }

  it('refuses or acknowledges before a way out', () => {
    expect(both(amqp(`${PARSE}\n    if (!order.id) {\n      return;\n    }\n${settledTry}`))).toEqual([
      `Refuse the message: \`channel.nack(msg, false, false)\`\n${amqp(`${PARSE}\n    if (!order.id) {\n      channel.nack(msg, false, false);\n      return;\n    }\n${settledTry}`)}`,
      `Acknowledge the message: \`channel.ack(msg)\`\n${amqp(`${PARSE}\n    if (!order.id) {\n      channel.ack(msg);\n      return;\n    }\n${settledTry}`)}`,
    ]);
  });

  it('puts braces around a way out without them', () => {
    expect(both(amqp(`${PARSE}\n    if (!order.id) return;\n${settledTry}`))[0]).toContain('if (!order.id) { channel.nack(msg, false, false); return; }');
  });

  it('refuses at the end of a catch clause', () => {
    expect(suggested(amqp(`    if (!msg) return;\n    try {\n      const order = JSON.parse(msg.content);\n      await ${STORE};\n      channel.ack(msg);\n    } catch (error) {\n      console.error(error);\n    }`))).toBe(
      amqp(`    if (!msg) return;\n    try {\n      const order = JSON.parse(msg.content);\n      await ${STORE};\n      channel.ack(msg);\n    } catch (error) {\n      console.error(error);\n      channel.nack(msg, false, false);\n    }`),
    );
  });

  it('passes the error on', () => {
    const job = (line: string): string => `const Queue = require('bull');\nconst { Pool } = require('pg');\nconst pool = new Pool();\nnew Queue('orders').process((job, done) => {\n  pool.query('DELETE FROM orders WHERE id = $1', [job.data.id], (err) => {\n    if (err) ${line}\n    done();\n  });\n});\n`;
    expect(suggested(job('return;'))).toBe(job('{ done(err); return; }'));
  });

  it('returns after the first of two', () => {
    const twice = (line: string): string => amqp(`${PARSE}\n    try {\n      await ${STORE};\n    } catch {\n      channel.nack(msg, false, false);${line}\n    }\n    channel.ack(msg);`);
    expect(suggested(twice(''))).toBe(twice('\n      return;'));
  });

  it('does not return into a `finally` that settles again', () => {
    expect(suggested(amqp(`    try {\n      await pool.query('DELETE FROM orders');\n    } catch {\n      channel.nack(msg, false, false);\n    } finally {\n      channel.ack(msg);\n    }`))).toEqual([]);
  });
});

describe('no-requeue', () => {
  const failing = (call: string): string => amqp(`    if (!msg) return;\n    try {\n      const order = JSON.parse(msg.content);\n      await ${STORE};\n      channel.ack(msg);\n    } catch {\n      ${call};\n    }`);

  it.each([
    ['channel.nack(msg)', 'channel.nack(msg, false, false)'],
    ['channel.nack(msg, false)', 'channel.nack(msg, false, false)'],
    ['channel.nack(msg, false, true)', 'channel.nack(msg, false, false)'],
    ['channel.reject(msg)', 'channel.reject(msg, false)'],
    ['channel.reject(msg, true)', 'channel.reject(msg, false)'],
  ])('%s', (before, after) => {
    expect(suggested(failing(before))).toBe(failing(after));
  });
});

describe('an insert by a key of the message', () => {
  const mongo = (statement: string): string => `import { MongoClient } from 'mongodb';
import { Worker } from 'bullmq';
const orders = new MongoClient('').db().collection('orders');
new Worker('orders', async (job) => {
  const { orderId, total } = job.data;
  ${statement}
}, { connection: {} });
`;

  it('is an upsert that sets what it sets on the insert', () => {
    expect(suggested(mongo('await orders.insertOne({ orderId, total, at: new Date() });'))).toBe(mongo('await orders.updateOne({ orderId }, { $setOnInsert: { total, at: new Date() } }, { upsert: true });'));
    expect(suggested(mongo('await orders.insertOne({ total, orderId }, { session });'))).toBe(mongo('await orders.updateOne({ orderId }, { $setOnInsert: { total } }, { upsert: true, session });'));
  });

  it('is none where the result is used, or where nothing else is stored', () => {
    expect(suggested(mongo('return await orders.insertOne({ orderId, total });'))).toEqual([]);
    expect(suggested(mongo('await orders.insertOne({ orderId });'))).toEqual([]);
  });

  it('ignores the conflict, in SQL', () => {
    const sql = (text: string): string => lambda(`  for (const record of event.Records) {\n    const order = JSON.parse(record.body);\n    await pool.query('${text}', [order.id, order.total]);\n  }`);
    expect(suggested(sql('INSERT INTO orders (order_id, total) VALUES ($1, $2);'))).toBe(sql('INSERT INTO orders (order_id, total) VALUES ($1, $2) ON CONFLICT (order_id) DO NOTHING;'));
    expect(suggested(sql('INSERT INTO orders (order_id, total) VALUES ($1, $2) RETURNING id'))).toBe(sql('INSERT INTO orders (order_id, total) VALUES ($1, $2) ON CONFLICT (order_id) DO NOTHING RETURNING id'));
  });

  it('ignores the conflict, in Knex', () => {
    const knex = (statement: string): string => `import knex from 'knex';
import { Worker } from 'bullmq';
const db = knex({ client: 'pg' });
new Worker('orders', async (job) => {
  ${statement}
}, { connection: {} });
`;
    expect(suggested(knex(`await db('orders').insert({ event_id: job.data.id }).returning('id');`))).toBe(knex(`await db('orders').insert({ event_id: job.data.id }).onConflict('event_id').ignore().returning('id');`));
  });

  it('names the document, in Firestore', () => {
    const firestore = (statement: string): string => `import { getFirestore } from 'firebase-admin/firestore';
import { Worker } from 'bullmq';
const db = getFirestore();
new Worker('orders', async (job) => {
  ${statement}
}, { connection: {} });
`;
    expect(suggested(firestore(`await db.collection('orders').add({ orderId: job.data.order, total: 1 });`))).toBe(firestore(`await db.collection('orders').doc(job.data.order).set({ orderId: job.data.order, total: 1 });`));
  });
});

describe('idempotency key', () => {
  const rents = (statement: string): string => `import { Worker, Queue } from 'bullmq';
import Stripe from 'stripe';
const stripe = new Stripe('sk');
const receipts = new Queue('receipts', {});
new Worker('rents', async (job) => {
  const { customer, rentId, cents } = job.data;
  ${statement}
}, { connection: {} });
`;

  it('is made of an id beside what the call takes from the message', () => {
    expect(suggested(rents(`await stripe.charges.create({ amount: cents, customer });`))).toBe(rents(`await stripe.charges.create({ amount: cents, customer }, { idempotencyKey: \`\${rentId}-charges-create\` });`));
  });

  it('joins the options that are there', () => {
    expect(suggested(rents(`await stripe.charges.create({ amount: cents, customer }, { timeout: 5000 });`))).toBe(rents(`await stripe.charges.create({ amount: cents, customer }, { timeout: 5000, idempotencyKey: \`\${rentId}-charges-create\` });`));
    expect(suggested(rents(`await receipts.add('receipt', { cents }, {});`))).toBe(rents(`await receipts.add('receipt', { cents }, { jobId: \`\${rentId}-receipt\` });`));
  });

  it('is a header among the others of a request', () => {
    const request = (headers: string): string => rents(`await fetch('https://api.mollie.com/v2/payments', { method: 'POST', body: JSON.stringify({ cents }), headers: { ${headers} } });`);
    expect(suggested(request(`Accept: 'application/json'`))).toBe(request(`Accept: 'application/json', 'Idempotency-Key': \`\${rentId}-fetch\``));
  });

  it('is none where no id of the message is in sight', () => {
    expect(suggested(rents(`await stripe.charges.create({ amount: 100 });`))).toEqual([]);
  });

  it('is none where the options are not written there', () => {
    expect(suggested(rents(`const options = { timeout: 5000 };\n  await stripe.charges.create({ amount: cents, customer }, options);`))).toEqual([]);
  });
});
