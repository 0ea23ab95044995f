// Commits by the return, or by itself: before the write, or after it.
const { Kafka } = require('kafkajs');
const pg = require('pg');

const pool = new pg.Pool();
const kafka = new Kafka({ clientId: 'meters', brokers: ['kafka:9092'] });
const consumer = kafka.consumer({ groupId: 'meters' });

exports.setup = 'CREATE TABLE readings (id text PRIMARY KEY)';
exports.message = { id: 'r1', destination: 'readings', body: { id: 'r1' } };

const write = (message) =>
  pool.query('INSERT INTO readings VALUES ($1) ON CONFLICT (id) DO NOTHING', [JSON.parse(message.value.toString()).id]);

const modes = {
  eachMessage: { eachMessage: ({ message }) => write(message) },
  eachBatch: {
    eachBatch: async ({ batch, resolveOffset }) => {
      for (const message of batch.messages) {
        await write(message);
        resolveOffset(message.offset);
      }
    },
  },
  early: {
    autoCommit: false,
    eachMessage: async ({ topic, partition, message }) => {
      await consumer.commitOffsets([{ topic, partition, offset: String(Number(message.offset) + 1) }]);
      await write(message);
    },
  },
};

exports.start = async () => {
  await consumer.connect();
  await consumer.subscribe({ topics: ['readings'] });
  await consumer.run(modes[process.env.MODE]);
};
