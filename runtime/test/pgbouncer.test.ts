/** Through PgBouncer in transaction mode, where the machine has one. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, writeFile, chmod } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RolledBackError } from '../src/index.js';
import { corner, credit, freshId } from './database.js';

const db = corner();
const installed = ((): boolean => {
  try {
    execFileSync('pgbouncer', ['--version']);
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!installed)('PgBouncer in transaction mode', () => {
  let stop: () => void = () => undefined;
  let pool: pg.Pool;

  beforeAll(async () => {
    const port = await freePort();
    const folder = await mkdtemp(join(tmpdir(), 'inbox-pgbouncer-'));
    const { hostname, port: serverPort, username, password, pathname } = new URL(db.url);
    const server = `host=${hostname} port=${serverPort || 5432} user=${username}${password ? ` password=${password}` : ''} dbname=${pathname.slice(1)}`;
    await writeFile(
      join(folder, 'pgbouncer.ini'),
      `[databases]
test = ${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
`,
    );
    await chmod(folder, 0o755);
    const asRoot = process.getuid?.() === 0;
    const bouncer = spawn('pgbouncer', [...(asRoot ? ['-u', 'postgres'] : []), join(folder, 'pgbouncer.ini')], { stdio: 'ignore' });
    stop = () => bouncer.kill();
    pool = new pg.Pool({ host: '127.0.0.1', port, user: 'anyone', database: 'test', max: 20 });
    pool.on('error', () => undefined);
    await vi.waitFor(() => pool.query('SELECT 1'), { timeout: 10_000 });
  });
  afterAll(async () => {
    await pool?.end();
    stop();
  });

  it('processes once under concurrent deliveries over three server connections', async () => {
    const account = freshId('account');
    const inbox = [1, 2, 3].map(() => db.inbox({ pool }));
    const ids = Array.from({ length: 30 }, () => freshId());
    await Promise.all(
      [...ids, ...ids, ...ids].map((id, n) => inbox[n % 3]!.process({ id }, (tx) => tx.query(credit(db.schema, account)))),
    );
    expect(await db.balance(account)).toBe(30);
  });

  it('leaks no setting and no lock to the next client of the connection', async () => {
    const id = freshId();
    await db.inbox({ pool }).process({ id }, () => 1);
    const shown = await Promise.all(
      Array.from({ length: 6 }, () =>
        pool.query(`SELECT current_setting('lock_timeout') AS l, current_setting('idle_in_transaction_session_timeout') AS i,
          (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS n`),
      ),
    );
    for (const { rows } of shown) expect(rows).toEqual([{ l: '0', i: '0', n: 0 }]);
  });

  it('serves every form of the inbox', async () => {
    const inbox = db.inbox({ pool });
    const id = freshId();
    expect((await inbox.processBatch([{ id: `${id}b` }, { id: `${id}b` }], (tx) => tx.query(credit(db.schema, id)))).map(({ status }) => status)).toEqual(['processed', 'duplicate']);
    const effect = { text: `UPDATE "${db.schema}".accounts SET balance = balance + 1 WHERE id = $1 AND EXISTS (SELECT FROM recorded)`, values: [id] };
    for (let n = 0; n < 10; n += 1) expect((await inbox.processStatement({ id: `${id}s${n}` }, effect)).status).toBe('processed');
    expect(await db.balance(id)).toBe(11);
    await expect(inbox.process({ id: `${id}x` }, async (tx) => void (await tx.query('SELECT 1/0').catch(() => 0)))).rejects.toThrow(RolledBackError);
    expect(await inbox.step({ id }, 'call', async () => 'ok')).toBe('ok');
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
