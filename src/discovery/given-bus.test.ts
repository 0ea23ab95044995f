import { expect, it } from 'vitest';
import { call, project } from '../../fixtures/command-runner.js';

const bus = `const { Kafka } = require('kafkajs');
class Bus {
  constructor() { this.handlers = {}; this.kafka = new Kafka({ brokers: [] }); }
  on(topic, handle) { this.handlers[topic] = handle; }
  async start() {
    for (const topic of Object.keys(this.handlers)) {
      const handle = this.handlers[topic];
      await this.kafka.consumer({ groupId: topic }).run({ eachMessage: async ({ message }) => { await handle(message); } });
    }
  }
}
module.exports = { Bus };
`;

it('finds the handlers of a module that is given the object to register with', async () => {
  const files = {
    'bus.js': bus,
    'orders.js': `const { Pool } = require('pg');
const pool = new Pool();
module.exports = (app) => {
  app.bus.on('orders', async (message) => { await pool.query('DELETE FROM carts WHERE id = $1', [message.key]); });
  app.server.on('close', () => { pool.end(); });
};
`,
    'main.js': `const { Bus } = require('./bus');
const orders = require('./orders');
const server = require('our-server');
const app = { bus: new Bus(), server };
orders(app);
app.bus.start();
`,
  };
  const { out } = await call(project(files), ['--list']);
  expect(out).toContain('orders.js:4');
  expect(out).not.toContain('orders.js:5');
});
