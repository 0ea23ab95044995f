import { testRule } from '../fixtures/rule-tester.js';
import requireIdempotencyKey from './require-idempotency-key.js';

const worker = (head: string, body: string): string => `
import { Worker } from 'bullmq';
${head}
new Worker('rents', async (job) => {
  ${body}
}, { connection: {} });
`;

const stripe = `
import Stripe from 'stripe';
const stripe = new Stripe('sk');`;

const mailer = `
import nodemailer from 'nodemailer';
const mailer = nodemailer.createTransport('smtp://localhost');`;

const producer = `
import { Kafka } from 'kafkajs';
const producer = new Kafka({ brokers: ['kafka:9092'] }).producer();`;

const pool = `
import { Pool } from 'pg';
const pool = new Pool();`;

const charge = "await stripe.charges.create({ amount: job.data.cents, currency: 'eur' });";
const mail = "await mailer.sendMail({ to: job.data.email, subject: 'Paid' });";
const claim = "const claim = await pool.query('INSERT INTO paid (event_id) VALUES ($1) ON CONFLICT DO NOTHING', [job.data.eventId]);\n  if (claim.rowCount === 0) return;";
const strict = [{ preset: 'strict' }];

testRule(requireIdempotencyKey, {
  valid: [
    { name: 'a request that asks whether something is valid', code: worker('', "await fetch('https://phones.example/validate-batch', { method: 'POST', body: JSON.stringify({ phones: job.data.phones }) });"), options: strict },
    {
      name: 'a key of the message',
      code: worker(stripe, 'await stripe.charges.create({ amount: 1 }, { idempotencyKey: `${job.data.rentId}-charge` });'),
      options: strict,
    },
    {
      name: 'a minted key, which is for no-delivery-id-dedupe to judge',
      code: worker(stripe, 'await stripe.charges.create({ amount: 1 }, { idempotencyKey: crypto.randomUUID() });'),
      options: strict,
    },
    {
      name: 'a commit status of GitHub, which a repeat sets to the same',
      code: worker('function clientFor(id) { return globalThis.clients.get(id); }', "const client = await clientFor(job.data.installation);\n  await client.repos.createCommitStatus({ owner: job.data.owner, repo: job.data.repo, sha: job.data.sha, state: 'pending' });"),
      options: strict,
    },
    {
      name: 'an object that only has the method names of GitHub',
      code: worker('function clientFor(id) { return globalThis.clients.get(id); }', "const client = await clientFor(job.data.shop);\n  await client.issues.createComment({ body: 'Thanks' });"),
      options: strict,
    },
    { name: 'options that cannot be seen', code: worker(stripe, 'await stripe.charges.create({ amount: 1 }, optionsFor(job));') },
    { name: 'a mail, of which only strict speaks', code: worker(mailer, mail) },
    { name: 'a mail behind a record that is committed before it', code: worker(`${mailer}${pool}`, `${claim}\n  ${mail}`), options: strict },
    {
      name: 'a mail behind a check whose record is committed before it: that two deliveries at once pass it belongs to atomic-inbox',
      code: worker(
        `${mailer}${pool}`,
        `const { rows } = await pool.query('SELECT 1 FROM paid WHERE event_id = $1', [job.data.eventId]);
  if (rows.length > 0) return;
  await pool.query('INSERT INTO paid (event_id) VALUES ($1)', [job.data.eventId]);
  ${mail}`,
      ),
      options: strict,
    },
    { name: 'a published message with an id of its subject', code: worker(producer, "await producer.send({ topic: 'paid', messages: [{ value: JSON.stringify({ rentId: job.data.rentId }) }] });"), options: strict },
    { name: 'a published message without an id, of which only strict speaks', code: worker(producer, "await producer.send({ topic: 'paid', messages: [{ value: 'one more' }] });") },
    {
      name: 'a request with an idempotency header',
      code: worker('', "await fetch('https://bank.example.com/payments', { method: 'POST', body: 'x', headers: { 'Idempotency-Key': job.data.rentId } });"),
      options: strict,
    },
    { name: 'a request that is idempotent by its verb', code: worker('', "await fetch(`https://bank.example.com/payments/${job.data.rentId}`, { method: 'PUT', body: 'paid' });"), options: strict },
    { name: 'a request for a token', code: worker('', "await fetch('https://bank.example.com/oauth/token', { method: 'POST', body: 'grant_type=client_credentials' });"), options: strict },
    { name: 'what is done because something failed', code: worker(mailer, `try { await rent(job.data); } catch (error) { ${mail} throw error; }`), options: strict },
    { name: 'no handler', code: `${stripe}\nexport const pay = (amount) => stripe.charges.create({ amount });`, filename: 'pay.js' },
  ],
  invalid: [
    {
      name: 'a row that must be there, found by an optional condition that nobody gives',
      code: worker(
        "import { eq, and } from 'drizzle-orm';\nimport { drizzle } from 'drizzle-orm/node-postgres';\nimport { rents } from './schema';\nimport Stripe from 'stripe';\nconst stripe = new Stripe('sk');\nconst db = drizzle('postgres://localhost');\nasync function rentOf(id, team) { const [rent] = await db.select().from(rents).where(and(eq(rents.id, id), team !== undefined ? eq(rents.team, team) : undefined)); return rent ?? null; }",
        "const rent = await rentOf(job.data.rentId);\n  if (!rent) throw new Error('gone');\n  await stripe.charges.create({ amount: 1 });",
      ),
      errors: [{ messageId: 'missing' }],
    },
    {
      name: 'a comment by a client that is named after GitHub, wherever it comes from',
      code: worker('function clientFor(id) { return globalThis.clients.get(id); }', "const octokit = await clientFor(job.data.installation);\n  await octokit.issues.createComment({ owner: 'a', repo: 'b', issue_number: job.data.number, body: 'Thanks' });"),
      options: strict,
      errors: [{ messageId: 'keyless', line: 6, column: 9 }],
    },
    {
      name: 'a workflow of GitHub, by a client that a helper gives',
      code: worker('function clientFor(id) { return globalThis.clients.get(id); }', "const client = await clientFor(job.data.installation);\n  await client.actions.createWorkflowDispatch({ owner: 'acme', repo: 'shop', workflow_id: 'ship.yml', ref: 'main' });"),
      options: strict,
      errors: 1,
    },
    { name: 'a charge without a key', code: worker(stripe, charge), errors: [{ messageId: 'missing', line: 7, column: 9, endLine: 7, endColumn: 75 }] },
    {
      name: 'a record in the same transaction is not committed when the charge is done',
      code: worker(
        `${stripe}${pool}`,
        `const client = await pool.connect();
  await client.query('BEGIN');
  const claim = await client.query('INSERT INTO paid (event_id) VALUES ($1) ON CONFLICT DO NOTHING', [job.data.eventId]);
  if (claim.rowCount === 0) return;
  ${charge}
  await client.query('COMMIT');`,
      ),
      errors: [{ messageId: 'missing' }],
    },
    {
      name: 'a request to an API that acts on a header',
      code: worker('', "await fetch('https://api.mollie.com/v2/payments', { method: 'POST', body: JSON.stringify({ id: job.data.rentId }) });"),
      errors: [{ messageId: 'missing' }],
    },
    {
      name: 'a request with no id, to an API of which nothing is known',
      code: worker('', "await fetch('https://bank.example.com/payments', { method: 'POST', body: JSON.stringify({ text: 'paid' }) });"),
      options: strict,
      errors: [{ messageId: 'header' }],
    },
    {
      name: 'a published message with no id',
      code: worker(producer, "await producer.send({ topic: 'paid', messages: [{ value: 'one more' }] });"),
      options: strict,
      errors: [{ messageId: 'content' }],
    },
    {
      name: 'an object under a name that is new on each run',
      code: worker(
        `
        import { S3Client, PutObjectCommand } from '@aws-sdk/client-s3';
        const s3 = new S3Client({});`,
        "await s3.send(new PutObjectCommand({ Bucket: 'receipts', Key: `${Date.now()}.pdf`, Body: job.data.receipt }));",
      ),
      options: strict,
      errors: [{ messageId: 'name' }],
    },
    {
      name: 'an event that starts mails, with no key',
      code: worker("\n  import { LoopsClient } from 'loops';\n  const loops = new LoopsClient('k');", "await loops.sendEvent({ email: job.data.email, eventName: 'paid' });"),
      errors: [{ messageId: 'missing' }],
    },
    {
      name: 'a message to a channel, by the route of the API',
      code: worker("\n  import { API } from '@discordjs/core/http-only';\n  import { REST } from '@discordjs/rest';\n  const discord = new API(new REST().setToken('t'));", "await discord.channels.createMessage('42', { content: 'paid' });"),
      options: strict,
      errors: [{ messageId: 'keyless' }],
    },
    {
      name: "a mail by the application's own sender",
      code: worker("\n  import { emailSender } from 'wasp/server/email';", "await emailSender.send({ to: job.data.email, subject: 'paid', text: '', html: '' });"),
      options: strict,
      errors: [{ messageId: 'keyless' }],
    },
    { name: 'a mail that nothing guards', code: worker(mailer, mail), options: strict, errors: [{ messageId: 'keyless' }] },
    {
      name: 'a record that is written behind the mail',
      code: worker(
        `${mailer}${pool}`,
        `const { rows } = await pool.query('SELECT 1 FROM paid WHERE event_id = $1', [job.data.eventId]);
  if (rows.length > 0) return;
  ${mail}
  await pool.query('INSERT INTO paid (event_id) VALUES ($1)', [job.data.eventId]);`,
      ),
      options: strict,
      errors: [{ messageId: 'keyless' }],
    },
  ],
});
