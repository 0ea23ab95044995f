import { describe, expect, it } from 'vitest';
import { RolledBackError, RevokedHandleError, TransactionControlError, type Transaction } from '../src/index.js';
import { corner, credit, deferred, freshId } from './database.js';
import { startProxy } from './proxy.js';

const db = corner();
const add = (id: string) => (tx: Transaction) => tx.query(credit(db.schema, id));

describe('one message', () => {
  it('commits the effect and the record together, and gives the result of the handler', async () => {
    const id = freshId();
    const outcome = await db.inbox().process({ id }, async (tx) => {
      await add(id)(tx);
      return { invoice: 7 };
    });
    expect(outcome).toEqual({ status: 'processed', result: { invoice: 7 }, commit: 'confirmed' });
    expect(await db.balance(id)).toBe(1);
    expect(await db.recorded()).toContain(id);
  });

  it('never runs the handler of a duplicate', async () => {
    const id = freshId();
    const inbox = db.inbox();
    await inbox.process({ id }, add(id));
    let ran = false;
    const outcome = await inbox.process({ id }, () => {
      ran = true;
    });
    expect(outcome.status).toBe('duplicate');
    expect(ran).toBe(false);
    expect(Date.now() - (outcome as { processedAt: Date }).processedAt.getTime()).toBeLessThan(60_000);
  });

  it('leaves no record and no effect when the handler fails, and processes the redelivery', async () => {
    const id = freshId();
    const inbox = db.inbox();
    const failing = inbox.process({ id }, async (tx) => {
      await add(id)(tx);
      throw new Error('no stock');
    });
    await expect(failing).rejects.toThrow('no stock');
    expect(await db.balance(id)).toBe(0);
    expect(await db.recorded()).not.toContain(id);
    expect((await inbox.process({ id }, add(id))).status).toBe('processed');
    expect(await db.balance(id)).toBe(1);
  });

  it('keeps the ids of consumers and tenants apart', async () => {
    const id = freshId();
    const inboxes = [db.inbox(), db.inbox({ consumer: 'shipping' }), db.inbox({ tenant: 'acme' })];
    for (const inbox of inboxes) expect((await inbox.process({ id }, add(id))).status).toBe('processed');
    expect((await db.inbox().process({ id, tenant: 'acme' }, add(id))).status).toBe('duplicate');
    expect(await db.balance(id)).toBe(3);
  });

  it("makes the message of the broker's own by a function", async () => {
    const inbox = db.inbox<{ headers: { event: string } }>({ message: (raw) => ({ id: raw.headers.event }) });
    const event = freshId();
    expect((await inbox.process({ headers: { event } }, (_tx, message) => message.id)).status).toBe('processed');
    expect(await db.recorded()).toContain(event);
  });

  it('costs no space for a duplicate', async () => {
    const id = freshId();
    const inbox = db.inbox();
    await inbox.process({ id }, add(id));
    const size = async (): Promise<unknown> => (await db.sql('SELECT pg_relation_size($1) AS size', [`"${db.schema}".processed`]))[0]!.size;
    const before = await size();
    // Caught unique violations would leave as many dead rows, three pages of them.
    for (let i = 0; i < 300; i += 1) await inbox.process({ id }, add(id));
    expect(await size()).toBe(before);
    expect(await db.balance(id)).toBe(1);
  });
});

describe('round trips', () => {
  it('needs no more of them than the same transaction without an inbox', async () => {
    const proxy = await startProxy(db.url);
    try {
      const pool = db.newPool({ connectionString: proxy.url, max: 1 });
      const bare = async (id: string): Promise<void> => {
        const client = await pool.connect();
        await client.query('BEGIN');
        await client.query(credit(db.schema, id));
        await client.query('COMMIT');
        client.release();
      };
      const inbox = db.inbox({ pool });
      const count = async (work: () => Promise<unknown>): Promise<number> => {
        const before = proxy.roundTrips;
        await work();
        return proxy.roundTrips - before;
      };
      await pool.query('SELECT 1');
      const id = freshId();
      const without = await count(() => bare(freshId()));
      expect(without).toBe(3);
      expect(await count(() => inbox.process({ id }, add(id)))).toBe(without);
      expect(await count(() => inbox.process({ id }, add(id)))).toBe(2);
    } finally {
      await proxy.close();
    }
  });
});

describe('commit truth', () => {
  it('is an error when a swallowed SQL error makes PostgreSQL answer COMMIT with ROLLBACK', async () => {
    const id = freshId();
    const swallowing = db.inbox().process({ id }, async (tx) => {
      await add(id)(tx);
      await tx.query('SELECT 1/0').catch(() => 'never mind');
      return 'done';
    });
    await expect(swallowing).rejects.toThrow(RolledBackError);
    await expect(swallowing).rejects.toThrow(/division by zero/);
    expect(await db.balance(id)).toBe(0);
    expect(await db.recorded()).not.toContain(id);
  });

  it('is an error when the failing query was not awaited', async () => {
    const id = freshId();
    const floating = db.inbox().process({ id }, (tx) => {
      void tx.query('SELECT 1/0').catch(() => undefined);
    });
    await expect(floating).rejects.toThrow(RolledBackError);
    expect(await db.recorded()).not.toContain(id);
  });

  it('gives the error of a constraint that is checked at COMMIT, and keeps no record', async () => {
    const id = freshId();
    await db.sql(`CREATE TABLE "${db.schema}".parent (id int PRIMARY KEY)`);
    await db.sql(`CREATE TABLE "${db.schema}".child (parent int REFERENCES "${db.schema}".parent DEFERRABLE INITIALLY DEFERRED)`);
    const dangling = db.inbox().process({ id }, (tx) => tx.query(`INSERT INTO "${db.schema}".child VALUES (42)`));
    await expect(dangling).rejects.toMatchObject({ code: '23503' });
    expect(await db.recorded()).not.toContain(id);
  });

  it('leaves the connection fit for the next message after a failure', async () => {
    const pool = db.newPool({ max: 1 });
    const inbox = db.inbox({ pool });
    await expect(inbox.process({ id: freshId() }, (tx) => tx.query('SELECT nonsense'))).rejects.toThrow(/nonsense/);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect((await inbox.process({ id: freshId() }, () => undefined)).status).toBe('processed');
  });
});

describe('other constraints', () => {
  it('do not pass for a duplicate: only the key of the record does', async () => {
    const id = freshId();
    await db.sql(`CREATE UNIQUE INDEX too_narrow ON "${db.schema}".processed (id) WHERE consumer IN ('first', 'second')`);
    try {
      expect((await db.inbox({ consumer: 'first' }).process({ id }, () => 1)).status).toBe('processed');
      await expect(db.inbox({ consumer: 'second' }).process({ id }, () => 1)).rejects.toMatchObject({ code: '23505' });
    } finally {
      await db.sql(`DROP INDEX "${db.schema}".too_narrow`);
    }
  });
});

describe('a pipelining pool', () => {
  it('cannot commit a record whose BEGIN failed, and keeps no failed transaction', async () => {
    const pool = db.newPool({ max: 1, pipeline: true } as never);
    const inbox = db.inbox({ pool });
    const id = freshId();
    expect((await inbox.process({ id }, add(id))).status).toBe('processed');
    expect((await inbox.process({ id }, add(id))).status).toBe('duplicate');
    const failing = inbox.process({ id: `${id}b` }, (tx) => Promise.all([tx.query('SELECT nonsense'), tx.query(credit(db.schema, id))]));
    await expect(failing).rejects.toThrow(/nonsense/);
    expect(await db.recorded()).not.toContain(`${id}b`);
    expect(await db.balance(id)).toBe(1);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });
});

describe('savepoints', () => {
  it('refuses to commit after a part was undone and its error swallowed', async () => {
    const id = freshId();
    const half = db.inbox().process({ id }, async (tx) => {
      await tx.savepoint(async (part) => {
        await add(id)(part);
        throw new Error('half-way');
      }).catch(() => undefined);
    });
    await expect(half).rejects.toThrow(RolledBackError);
    expect(await db.recorded()).not.toContain(id);
  });

  it('refuses the same of a ROLLBACK TO by hand', async () => {
    const id = freshId();
    const half = db.inbox().process({ id }, async (tx) => {
      await tx.query('SAVEPOINT mine');
      await add(id)(tx);
      await tx.query('ROLLBACK TO SAVEPOINT mine');
    });
    await expect(half).rejects.toThrow(/savepoint/);
    expect(await db.recorded()).not.toContain(id);
  });

  it('commits the rest where the part was declared dispensable', async () => {
    const id = freshId();
    const outcome = await db.inbox().process({ id }, async (tx) => {
      await add(id)(tx);
      return tx.savepoint((part) => part.query('SELECT 1/0'), { optional: true });
    });
    expect(outcome).toMatchObject({ status: 'processed', result: { ok: false } });
    expect(await db.balance(id)).toBe(1);
  });

  it('gives the value of a part that succeeds', async () => {
    const id = freshId();
    const outcome = await db.inbox().process({ id }, (tx) =>
      tx.savepoint(async (part) => {
        await add(id)(part);
        return 'both';
      }),
    );
    expect(outcome).toMatchObject({ status: 'processed', result: 'both' });
    expect(await db.balance(id)).toBe(1);
  });
});

describe('the handle', () => {
  it('is revoked: a query by a promise that nobody awaited is refused and says why', async () => {
    const id = freshId();
    const committed = deferred();
    let late: Promise<unknown> | undefined;
    await db.inbox().process({ id }, (tx) => {
      late = committed.promise.then(() => add(id)(tx));
      late.catch(() => undefined);
    });
    committed.resolve();
    await expect(late).rejects.toThrow(RevokedHandleError);
    await expect(late).rejects.toThrow(/not awaited/);
    expect(await db.balance(id)).toBe(0);
  });

  it('is revoked after a failure as well', async () => {
    let kept: Transaction | undefined;
    const failing = db.inbox().process({ id: freshId() }, (tx) => {
      kept = tx;
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await expect(kept!.query('SELECT 1')).rejects.toThrow(RevokedHandleError);
    await expect(kept!.savepoint(async () => 1)).rejects.toThrow(RevokedHandleError);
    await expect(kept!.enqueue('mail', {})).rejects.toThrow(RevokedHandleError);
  });

  it.each(['COMMIT', 'rollback', ' BEGIN', 'END', 'START TRANSACTION', "PREPARE TRANSACTION 'x'"])(
    'refuses %s, which would split record and effect',
    async (text) => {
      const id = freshId();
      const splitting = db.inbox().process({ id }, async (tx) => {
        await tx.query(text);
      });
      await expect(splitting).rejects.toThrow(TransactionControlError);
      expect(await db.recorded()).not.toContain(id);
    },
  );

  it('notices a transaction that was ended in a disguised way', async () => {
    const id = freshId();
    const disguised = db.inbox().process({ id }, (tx) => tx.query('/* hidden */ COMMIT'));
    await expect(disguised).rejects.toThrow(TransactionControlError);
  });
});

describe('isolation', () => {
  it.each(['repeatable read', 'serializable'] as const)(
    'starts over at %s until concurrent updates of one row have all been applied',
    async (isolation) => {
      const account = freshId('account');
      await db.sql(credit(db.schema, account, 0).text, [account, 0]);
      const inbox = db.inbox({ isolation, retries: 50 });
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, () =>
          inbox.process({ id: freshId() }, async (tx) => {
            const { rows } = await tx.query<{ balance: string }>(`SELECT balance FROM "${db.schema}".accounts WHERE id = $1`, [account]);
            await tx.query(`UPDATE "${db.schema}".accounts SET balance = $1 WHERE id = $2`, [Number(rows[0]!.balance) + 1, account]);
          }),
        ),
      );
      expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 'processed'));
      expect(await db.balance(account)).toBe(8);
    },
  );

  it('skips a duplicate that committed while this delivery was on its way, at serializable', async () => {
    const id = freshId();
    const inboxes = Array.from({ length: 6 }, () => db.inbox({ isolation: 'serializable', retries: 20 }));
    const outcomes = await Promise.all(inboxes.map((inbox) => inbox.process({ id }, add(id))));
    expect(outcomes.filter(({ status }) => status === 'processed')).toHaveLength(1);
    expect(outcomes.filter(({ status }) => status === 'duplicate')).toHaveLength(5);
    expect(await db.balance(id)).toBe(1);
  });

  it('gives up after the bounded number of retries', async () => {
    let runs = 0;
    const hopeless = db.inbox({ retries: 2 }).process({ id: freshId() }, (tx) => {
      runs += 1;
      return tx.query(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`);
    });
    await expect(hopeless).rejects.toMatchObject({ code: '40001' });
    expect(runs).toBe(3);
  });

  it('retries a serialization failure that the handler swallowed', async () => {
    let runs = 0;
    const outcome = await db.inbox().process({ id: freshId() }, async (tx) => {
      runs += 1;
      if (runs === 1) {
        await tx.query(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`).catch(() => undefined);
      }
    });
    expect(outcome.status).toBe('processed');
    expect(runs).toBe(2);
  });

  it('retries deadlocks between handlers', async () => {
    const [a, b] = [freshId('a'), freshId('b')];
    for (const account of [a, b]) await db.sql(credit(db.schema, account, 0).text, [account, 0]);
    const bothIn = [deferred(), deferred()];
    const transfer = (first: string, second: string, me: number) => {
      let runs = 0;
      return db.inbox().process({ id: freshId() }, async (tx) => {
        await tx.query(credit(db.schema, first));
        if ((runs += 1) === 1) {
          bothIn[me]!.resolve();
          await bothIn[1 - me]!.promise;
        }
        await tx.query(credit(db.schema, second));
      });
    };
    await Promise.all([transfer(a, b, 0), transfer(b, a, 1)]);
    expect([await db.balance(a), await db.balance(b)]).toEqual([2, 2]);
  });
});
