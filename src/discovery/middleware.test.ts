import { expect, it } from 'vitest';
import { call, project } from '../../fixtures/command-runner.js';

const files = {
  'main.js': `import amqp from 'amqplib';
import { onParcel, onReturn } from './parcels.js';

export async function listen(monitor) {
  const channel = await (await amqp.connect('amqp://localhost')).createChannel();
  const handled = (name, handle) => {
    const timed = monitor.timed(name, handle.bind(this));
    return (message) => {
      timed.call(this, message).catch((error) => monitor.report(error));
    };
  };
  await channel.consume('parcels', handled('parcel', onParcel), { noAck: true });
  await channel.consume('returns', handled('return', onReturn), { noAck: true });
}
`,
  'parcels.js': `import { Pool } from 'pg';
const pool = new Pool();
export async function onParcel(message) {
  await pool.query('INSERT INTO parcels (body) VALUES ($1)', [message.content.toString()]);
}
export async function onReturn(message) {
  await pool.query('INSERT INTO returns (body) VALUES ($1)', [message.content.toString()]);
}
`,
};

it('finds the functions behind a middleware that nobody knows and that is kept in a variable', async () => {
  const { out } = await call(project(files), ['--list']);
  expect(out.split('\n').map((line) => line.split(/ {2,}/)[0])).toEqual(expect.arrayContaining(['parcels.js:3', 'parcels.js:6']));
});
