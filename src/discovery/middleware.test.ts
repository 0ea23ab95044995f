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

it('knows what a function is bound to that it hands to such a middleware', async () => {
  const { out } = await call(
    project({
      'main.js': `import amqp from 'amqplib';
import { Pool } from 'pg';
import { onParcel } from './parcels.js';

class Listener {
  constructor(monitor) {
    this.monitor = monitor;
    this.pool = new Pool();
  }
  async start() {
    const channel = await (await amqp.connect('amqp://localhost')).createChannel();
    const handled = (name, handle) => {
      const timed = this.monitor.timed(name, handle.bind(this));
      return (message) => timed.call(this, message);
    };
    await channel.consume('parcels', handled('parcel', onParcel), { noAck: true });
  }
  async save(message) {
    await this.pool.query('INSERT INTO parcels (body) VALUES ($1)', [message.content.toString()]);
  }
}
new Listener(globalThis.monitor).start();
`,
      'parcels.js': `export async function onParcel(message) {
  await this.save(message);
}
`,
    }),
    ['--explain', 'parcels.js:2'],
  );
  expect(out).toMatch(/main\.js:19\s+this\.pool\.query/);
});
