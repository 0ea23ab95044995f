import { testRule } from '../fixtures/rule-tester.js';
import pureProjection from './pure-projection.js';

/** A handler of kafkajs around these lines, marked as a projection unless told otherwise. */
function kafka(body: string, mark = '// idempotent-consumers: projection\n  '): string {
  return `
import { Kafka } from 'kafkajs';
import { Pool } from 'pg';
import nodemailer from 'nodemailer';
const pool = new Pool();
const mailer = nodemailer.createTransport({});
const consumer = new Kafka({ brokers: [] }).consumer({ groupId: 'totals' });
await consumer.run({
  ${mark}eachMessage: async ({ message }) => {
    const sale = JSON.parse(message.value.toString());
    ${body}
  },
});
`;
}

const total = "await pool.query('UPDATE totals SET cents = cents + $1 WHERE region = $2', [sale.cents, sale.region]);";
const mail = "await mailer.sendMail({ to: sale.email, subject: 'Sold' });";

testRule(pureProjection, {
  valid: [
    { name: 'a function of its message', code: kafka(total) },
    { name: 'a read of its own tables', code: kafka("const { rows } = await pool.query('SELECT cents FROM totals WHERE region = $1', [sale.region]);\n    if (rows.length === 0) await pool.query('INSERT INTO totals (region, cents) VALUES ($1, $2)', [sale.region, sale.cents]);") },
    { name: 'a clock that only a log shows', code: kafka(`console.log(Date.now());\n    ${total}`) },
    { name: 'no projection', code: kafka(`${total}\n    ${mail}`, '') },
    { name: 'another comment', code: kafka(mail, '// a projection of sales\n  ') },
  ],
  invalid: [
    { name: 'a mail', code: kafka(`${total}\n    ${mail}`), errors: [{ messageId: 'external', data: { effect: 'mailer.sendMail' }, line: 13, column: 11 }] },
    { name: 'a question to another system', code: kafka(`const rate = await (await fetch('https://rates.example/eur')).json();\n    ${total}`), errors: [{ messageId: 'asked', data: { effect: 'fetch' }, line: 12 }] },
    { name: 'the clock in a row', code: kafka("await pool.query('UPDATE totals SET cents = $1, changed_at = $2 WHERE region = $3', [sale.cents, new Date(), sale.region]);"), errors: [{ messageId: 'written', line: 12 }] },
    { name: 'the clock of the database', code: kafka("await pool.query('UPDATE totals SET cents = $1, changed_at = now() WHERE region = $2', [sale.cents, sale.region]);"), errors: [{ messageId: 'written', line: 12 }] },
    { name: 'an id made in the handler', code: kafka("await pool.query('INSERT INTO sales (id, cents) VALUES ($1, $2)', [crypto.randomUUID(), sale.cents]);"), errors: [{ messageId: 'written', data: { column: 'id', because: 'crypto.randomUUID()' }, line: 12 }] },
    { name: 'a decision by the clock', code: kafka(`if (sale.at > Date.now() - 86400000) ${total}`), errors: [{ messageId: 'branch', data: { because: 'Date.now()' }, line: 12 }] },
    { name: 'marked at its registration', code: kafka(mail, '').replace('await consumer.run', '// idempotent-consumers: projection\nawait consumer.run'), errors: [{ messageId: 'external' }] },
    { name: 'named in the settings', code: kafka(mail, ''), settings: { 'idempotent-consumers': { projections: ['eachMessage'] } }, errors: [{ messageId: 'external' }] },
    {
      name: 'marked by a decorator',
      code: `
import { Controller } from '@nestjs/common';
import { RabbitSubscribe } from '@golevelup/nestjs-rabbitmq';
import nodemailer from 'nodemailer';
import { Projection } from './projection.js';
const mailer = nodemailer.createTransport({});
export class Totals {
  @Projection()
  @RabbitSubscribe({ exchange: 'sales', routingKey: 'made', queue: 'totals' })
  async onSale(sale: { email: string }) {
    await mailer.sendMail({ to: sale.email, subject: 'Sold' });
  }
}
`,
      errors: [{ messageId: 'external', line: 11 }],
    },
  ],
});
