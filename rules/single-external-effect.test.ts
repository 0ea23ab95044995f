import { testRule } from '../fixtures/rule-tester.js';
import singleExternalEffect from './single-external-effect.js';

testRule(singleExternalEffect, {
  valid: [
    {
      name: 'one effect',
      filename: 'consumer.js',
      code: `
        import { Worker } from 'bullmq';
        import axios from 'axios';

        new Worker('notices', async (job) => {
          await axios.post('https://example.org/notices', job.data);
        });
      `,
    },
    {
      name: 'one or the other',
      filename: 'consumer.js',
      code: `
        import { Worker } from 'bullmq';
        import axios from 'axios';

        new Worker('notices', async (job) => {
          if (job.data.urgent) await axios.post('https://example.org/calls', job.data);
          else await axios.post('https://example.org/notices', job.data);
        });
      `,
    },
    {
      name: 'each with a key of its own',
      code: `
        import { Worker } from 'bullmq';
        import Stripe from 'stripe';
        const stripe = new Stripe('sk');

        new Worker('orders', async (job) => {
          await stripe.charges.create({ amount: job.data.amount, currency: 'eur' }, { idempotencyKey: \`\${job.data.orderId}:charge\` });
          await stripe.transfers.create({ amount: 1, currency: 'eur', destination: 'acct' }, { idempotencyKey: \`\${job.data.orderId}:transfer\` });
        });
      `,
    },
  ],
  invalid: [
    {
      name: 'a charge and a mail',
      code: `
        import { Worker } from 'bullmq';
        import Stripe from 'stripe';
        import nodemailer from 'nodemailer';
        const stripe = new Stripe('sk');
        const transport = nodemailer.createTransport('smtp://localhost');

        new Worker('orders', async (job) => {
          await stripe.charges.create({ amount: job.data.amount, currency: 'eur' }, { idempotencyKey: job.data.orderId });
          await transport.sendMail({ to: job.data.email, subject: 'Thank you' });
        });
      `,
      errors: [{ messageId: 'second', line: 10, column: 17, endLine: 10, endColumn: 81 }],
    },
    {
      name: 'one for each turn of a loop',
      filename: 'consumer.js',
      code: `
        import { Worker } from 'bullmq';
        import nodemailer from 'nodemailer';
        const transport = nodemailer.createTransport('smtp://localhost');

        new Worker('newsletters', async (job) => {
          for (const to of job.data.subscribers) {
            await transport.sendMail({ to, subject: job.data.subject });
          }
        });
      `,
      errors: [{ messageId: 'loop', line: 8, column: 19, endLine: 8, endColumn: 72 }],
    },
  ],
});
