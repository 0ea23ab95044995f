import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { classifySql, joinSql, readTableKeys, type SqlColumn, type SqlOperand, type SqlStatement } from './classify.js';

/** A text and what each of its statements comes to, as `summary` tells it. */
type Case = [sql: string, ...expected: string[]];

const CASES: Record<string, Case[]> = {
  deltas: [
    [
      'UPDATE accounts SET balance = balance + $1 WHERE id = $2',
      'update accounts | delta | delta of balance | balance={balance, ?0} | where id = ?1',
    ],
    [
      `update accounts
   set balance = balance - $1,
       updated_at = now()
 where id = $2
returning balance;`,
      'update accounts | delta | delta of balance | balance={balance, ?0}, updated_at=minted | where id = ?1 | returning',
    ],
    [
      'UPDATE accounts SET balance = $1 + balance WHERE id = $2',
      'update accounts | delta | delta of balance | balance={?0, balance} | where id = ?1',
    ],
    [
      'UPDATE stock SET on_hand = COALESCE(on_hand, 0) + 1 WHERE sku = ?',
      'update stock | delta | delta of on_hand | on_hand={on_hand, 0, 1} | where sku = ?0',
    ],
    [
      'UPDATE stock SET on_hand = IFNULL(on_hand, 0) + ? WHERE sku = ?',
      'update stock | delta | delta of on_hand | on_hand={on_hand, 0, ?0} | where sku = ?1',
    ],
    [
      'UPDATE `users` SET `points` = `points` + ? WHERE `id` = ? LIMIT 1',
      'update users | delta | delta of points | points={points, ?0} | where id = ?1',
    ],
    [
      'UPDATE [dbo].[Counters] SET [Hits] += @hits WHERE [Id] = @id',
      'update counters | delta | delta of Hits | Hits={Hits, :hits} | where Id = :id',
    ],
    [
      'UPDATE wallet SET cents = cents - :cents WHERE owner = :owner',
      'update wallet | delta | delta of cents | cents={cents, :cents} | where owner = :owner',
    ],
    ['UPDATE totals SET n = n + ?1 WHERE day = ?2', 'update totals | delta | delta of n | n={n, ?0} | where day = ?1'],
    [
      'UPDATE prices SET cents = ROUND(cents * 1.1) WHERE sku = $1',
      'update prices | delta | delta of cents | cents={cents, 1.1} | where sku = ?0',
    ],
    [
      'UPDATE accounts SET credit = GREATEST(credit - $1, 0) WHERE id = $2',
      'update accounts | delta | delta of credit | credit={credit, ?0, 0} | where id = ?1',
    ],
    [
      'UPDATE carts SET items = array_append(items, $1) WHERE id = $2',
      'update carts | delta | delta of items | items={items, ?0} | where id = ?1',
    ],
    [
      'UPDATE carts SET items = items || $1 WHERE id = $2',
      'update carts | delta | delta of items | items={items, ?0} | where id = ?1',
    ],
    [
      `UPDATE carts SET items = COALESCE(items, '[]'::jsonb) || $1::jsonb WHERE id = $2`,
      'update carts | delta | delta of items | items={items, "[]", ?0} | where id = ?1',
    ],
    [
      'UPDATE carts SET items = items || jsonb_build_array($1) WHERE id = $2',
      'update carts | delta | delta of items | items={items, ?0} | where id = ?1',
    ],
    [
      'UPDATE notes SET body = CONCAT(body, ?) WHERE id = ?',
      'update notes | delta | delta of body | body={body, ?0} | where id = ?1',
    ],
    [
      `UPDATE logs SET events = JSON_ARRAY_APPEND(events, '$', CAST(? AS JSON)) WHERE id = ?`,
      'update logs | delta | delta of events | events={events, "$", ?0} | where id = ?1',
    ],
    [
      'UPDATE flags SET enabled = NOT enabled WHERE name = $1',
      'update flags | delta | delta of enabled | enabled={enabled} | where name = ?0',
    ],
    [
      `UPDATE t SET data = jsonb_set(data, '{count}', ((COALESCE(data->>'count', '0'))::int + 1)::text::jsonb) WHERE id = $1`,
      'update t | delta | delta of data | data={data, "{count}", data, "count", "0", 1} | where id = ?0',
    ],
    [
      `UPDATE subscriptions SET ends_at = ends_at + interval '1 month' WHERE id = $1`,
      'update subscriptions | delta | delta of ends_at | ends_at={ends_at, "1 month"} | where id = ?0',
    ],
    [
      'UPDATE subs SET ends_at = DATE_ADD(ends_at, INTERVAL ? DAY) WHERE id = ?',
      'update subs | delta | delta of ends_at | ends_at={ends_at, ?0} | where id = ?1',
    ],
    [
      'UPDATE accounts a SET balance = a.balance + t.amount FROM transfers t WHERE t.account_id = a.id AND t.id = $1',
      'update accounts | delta | delta of balance | balance={a.balance, t.amount} | where id = t.account_id',
    ],
    [
      'UPDATE accounts a JOIN transfers t ON t.account_id = a.id SET a.balance = a.balance + t.amount WHERE t.id = ?',
      'update accounts | delta | delta of balance | balance={a.balance, t.amount} | where id = t.account_id',
    ],
    [
      'UPDATE a SET a.balance = a.balance + @amount FROM dbo.accounts AS a WHERE a.id = @id',
      'update accounts | delta | delta of balance | balance={a.balance, :amount} | where id = :id',
    ],
    [
      'UPDATE stock SET on_hand = stock.on_hand + v.qty FROM (VALUES ($1, $2::int), ($3, $4::int)) AS v(sku, qty) WHERE stock.sku = v.sku',
      'update stock | delta | delta of on_hand | on_hand={stock.on_hand, ?1, ?3} | where sku = {?0, ?2}',
    ],
    [
      'UPDATE stock s SET on_hand = s.on_hand + v.qty FROM unnest($1::text[], $2::int[]) AS v(sku, qty) WHERE s.sku = v.sku',
      'update stock | delta | delta of on_hand | on_hand={s.on_hand, ?1} | where sku = ?0',
    ],
    [
      'UPDATE t SET n = (SELECT n + 1 FROM t WHERE id = $1) WHERE id = $1',
      'update t | delta | delta of n | n={t.n, 1, id, ?0} | where id = ?0',
    ],
    [
      'UPDATE t SET (a, b) = (a + 1, $1) WHERE id = $2',
      'update t | delta | delta of a | a={a, 1}, b=?0 | where id = ?1',
    ],
    [
      'UPDATE flags SET enabled = CASE WHEN enabled THEN false ELSE true END WHERE name = $1',
      'update flags | delta | delta of enabled | enabled={enabled, false, true} | where name = ?0',
    ],
    [
      `UPDATE t SET data = JSON_SET(data, '$.n', JSON_EXTRACT(data, '$.n') + 1) WHERE id = ?`,
      'update t | delta | delta of data | data={data, "$.n", data, "$.n", 1} | where id = ?0',
    ],
    ['UPDATE ?? SET ?? = ?? + ? WHERE id = ?', 'update | delta | delta of ?? | ??={?2, ?3} | where id = ?4'],
    [
      'UPDATE jobs SET attempts = attempts + 1 WHERE id = $1 AND attempts < 5',
      'update jobs | delta | delta of attempts | attempts={attempts, 1} | where id = ?0 and attempts < 5',
    ],
  ],
  'absolute updates': [
    [
      'UPDATE orders SET status = $1, shipped_at = $2 WHERE id = $3',
      'update orders | absolute | status=?0, shipped_at=?1 | where id = ?2',
    ],
    [
      'UPDATE "Order" SET "totalCents" = $1::int, meta = $2::jsonb WHERE "Order"."id" = ANY($3::uuid[])',
      'update order | absolute | totalCents=?0, meta=?1 | where id in ?2',
    ],
    [
      `UPDATE shop.orders SET note = 'it''s; done -- really' WHERE id = 7 -- seven
`,
      `update orders | absolute | note="it's; done -- really" | where id = 7`,
    ],
    [
      'UPDATE t SET high = GREATEST(high, $1), low = LEAST(low, $1), flags = flags | 4 WHERE id = $2',
      'update t | absolute | high={high, ?0}, low={low, ?0}, flags={flags, 4} | where id = ?1',
    ],
    [
      'UPDATE t SET flags = flags || :flagsJson WHERE id = :id',
      'update t | absolute | flags={flags, :flagsJson} | where id = :id',
    ],
    [
      `UPDATE t SET data = jsonb_set(data, '{a}', $1::jsonb) WHERE id = $2`,
      'update t | absolute | data={data, "{a}", ?0} | where id = ?1',
    ],
    [
      `UPDATE t SET data = data || '{"seen": true}'::jsonb, meta = meta || jsonb_build_object('by', $1::text) WHERE id = $2`,
      `update t | absolute | data={data, "{\\"seen\\": true}"}, meta={meta, "by", ?0} | where id = ?1`,
    ],
    [
      `UPDATE t SET data = data - 'draft', tags = array_remove(tags, $1) WHERE id = $2`,
      'update t | absolute | data={data, "draft"}, tags={tags, ?0} | where id = ?1',
    ],
    [
      'UPDATE t SET name = COALESCE($1, name), email = lower(email) WHERE id = $2',
      'update t | absolute | name={?0, name}, email={email} | where id = ?1',
    ],
    [
      'UPDATE t SET total = price * quantity WHERE id = $1',
      'update t | absolute | total={price, quantity} | where id = ?0',
    ],
    [
      'UPDATE orders SET total = (SELECT sum(cents) + 1 FROM order_lines l WHERE l.order_id = orders.id) WHERE id = $1',
      'update orders | absolute | total={order_lines.cents, 1, l.order_id, orders.id} | where id = ?0',
    ],
    [
      'UPDATE t SET tags = ARRAY(SELECT DISTINCT unnest(tags || $1::text[])) WHERE id = $2',
      'update t | absolute | tags={tags, ?0} | where id = ?1',
    ],
    [
      'UPDATE t SET tags = CASE WHEN $1 = ANY(tags) THEN tags ELSE array_append(tags, $1) END WHERE id = $2',
      'update t | absolute | tags={?0, tags, tags, tags, ?0} | where id = ?1',
    ],
    ['UPDATE users SET ? WHERE id = ?', 'update users | absolute | *=?0 | where id = ?1'],
    ['UPDATE t SET late = due_at < now() WHERE id = $1', 'update t | absolute | late={due_at, minted} | where id = ?0'],
    [
      'UPDATE t SET tags = (SELECT array_agg(DISTINCT e) FROM unnest(tags || $1) e) WHERE id = $2',
      'update t | absolute | tags={tags, ?0} | where id = ?1',
    ],
  ],
  'guarded updates': [
    [
      'UPDATE orders SET status = $1, seq = $2 WHERE id = $3 AND seq < $2',
      'update orders | guarded | status=?0, seq=?1 | where id = ?2 and seq < ?1 | order gate seq <',
    ],
    [
      'UPDATE orders SET status = $1, seq = $2 WHERE id = $3 AND $2 >= seq',
      'update orders | guarded | status=?0, seq=?1 | where id = ?2 and seq <= ?1 | order gate seq <=',
    ],
    [
      'UPDATE profiles SET name = ?, updated_at = ? WHERE id = ? AND (updated_at IS NULL OR updated_at < ?)',
      'update profiles | guarded | name=?0, updated_at=?1 | where id = ?2 and updated_at < ?3 | order gate updated_at <',
    ],
    [
      `UPDATE profiles SET name = $1, "lastEventAt" = $2 WHERE id = $3 AND COALESCE("lastEventAt", 'epoch') < $2`,
      'update profiles | guarded | name=?0, lastEventAt=?1 | where id = ?2 and lastEventAt < ?1 | order gate lastEventAt <',
    ],
    [
      'UPDATE profiles SET name = $1 WHERE id = $2 AND version < $3',
      'update profiles | guarded | name=?0 | where id = ?1 and version < ?2 | order gate version <',
    ],
    [
      'UPDATE docs SET body = $1, version = version + 1 WHERE id = $2 AND version = $3',
      'update docs | guarded | body=?0, version={version, 1} | where id = ?1 and version = ?2 | version gate version =',
    ],
    [
      'UPDATE docs SET body = $1, version = $2 WHERE id = $3 AND version = $4',
      'update docs | guarded | body=?0, version=?1 | where id = ?2 and version = ?3 | version gate version =',
    ],
    [
      `UPDATE orders SET status = 'paid' WHERE id = $1 AND status = 'pending'`,
      'update orders | guarded | status="paid" | where id = ?0 and status = "pending" | state gate status =',
    ],
    [
      `UPDATE orders SET status = $2 WHERE id = $1 AND status IN ('new', 'pending')`,
      'update orders | guarded | status=?1 | where id = ?0 and status in {"new", "pending"} | state gate status in',
    ],
    [
      'UPDATE orders SET paid_at = now() WHERE id = $1 AND paid_at IS NULL',
      'update orders | guarded | paid_at=minted | where id = ?0 and paid_at is null | state gate paid_at is',
    ],
    [
      'UPDATE orders SET done = true WHERE id = $1 AND NOT done',
      'update orders | guarded | done=true | where id = ?0 and done = false | state gate done =',
    ],
    [
      `UPDATE orders SET status = 'shipped' WHERE id = $1 AND status <> 'cancelled'`,
      'update orders | guarded | status="shipped" | where id = ?0 and status <> "cancelled" | state gate status <>',
    ],
    [
      `UPDATE jobs SET state = 'running' WHERE id = (SELECT id FROM jobs WHERE state = 'queued' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING *`,
      'update jobs | guarded | state="running" | where id = {jobs.id, state, "queued"} | state gate state = | locking | returning',
    ],
    [
      `WITH next AS (SELECT id FROM jobs WHERE state = 'queued' FOR UPDATE SKIP LOCKED LIMIT $1) UPDATE jobs SET state = 'running' FROM next WHERE jobs.id = next.id`,
      'update jobs | guarded | state="running" | where id = jobs.id | state gate state = | locking',
    ],
    [
      'UPDATE bids SET high = $1 WHERE lot = $2 AND high < $1',
      'update bids | guarded | high=?0 | where lot = ?1 and high < ?0 | order gate high <',
    ],
    [
      'UPDATE t SET a = $1 WHERE id = $2 AND xmin = $3',
      'update t | guarded | a=?0 | where id = ?1 and xmin = ?2 | version gate xmin =',
    ],
    [
      'UPDATE users SET email = $1, synced_at = to_timestamp($3) WHERE id = $2 AND (synced_at IS NULL OR synced_at < to_timestamp($3))',
      'update users | guarded | email=?0, synced_at={?2} | where id = ?1 and synced_at < {?2} | order gate synced_at <',
    ],
  ],
  'deltas with a gate': [
    [
      'UPDATE accounts SET balance = balance + $1, last_seq = $2 WHERE id = $3 AND last_seq < $2',
      'update accounts | delta | delta of balance | balance={balance, ?0}, last_seq=?1 | where id = ?2 and last_seq < ?1 | order gate last_seq <',
    ],
    [
      'UPDATE accounts SET balance = balance + $1, last_seq = $2 WHERE id = $3 AND last_seq <= $2',
      'update accounts | delta | delta of balance | balance={balance, ?0}, last_seq=?1 | where id = ?2 and last_seq <= ?1 | order gate last_seq <=',
    ],
    [
      `UPDATE accounts SET balance = balance - $1, state = 'charged' WHERE id = $2 AND state = 'reserved'`,
      'update accounts | delta | delta of balance | balance={balance, ?0}, state="charged" | where id = ?1 and state = "reserved" | state gate state =',
    ],
    [
      'UPDATE t SET n = n + 1, seen = array_append(seen, $1) WHERE id = $2 AND NOT ($1 = ANY(seen))',
      'update t | delta | delta of n, seen | n={n, 1}, seen={seen, ?0} | where id = ?1 and seen not contains ?0 | state gate seen not contains',
    ],
    [
      'UPDATE t SET n = CASE WHEN seq < $1 THEN n + $2 ELSE n END, seq = GREATEST(seq, $1) WHERE id = $3',
      'update t | delta | delta of n | n={seq, ?0, n, ?1, n}, seq={seq, ?0} | where id = ?2 | order gate seq <',
    ],
    [
      'WITH fresh AS (INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING message_id) UPDATE accounts SET balance = balance + $2 WHERE id = $3 AND EXISTS (SELECT 1 FROM fresh)',
      'update accounts | delta | delta of balance | balance={balance, ?1} | where id = ?2 | state gate message_id exists | parts [insert inbox | insert-or-ignore | message_id=?0 | on conflict () | returning]',
    ],
    [
      'WITH fresh AS (INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING message_id) UPDATE accounts SET balance = balance + $2 FROM fresh WHERE id = $3',
      'update accounts | delta | delta of balance | balance={balance, ?1} | where id = ?2 | state gate message_id exists | parts [insert inbox | insert-or-ignore | message_id=?0 | on conflict () | returning]',
    ],
    [
      'UPDATE t SET stock = stock - 1, last_message_id = ? WHERE id = ? AND (last_message_id IS NULL OR last_message_id <> ?)',
      'update t | delta | delta of stock | stock={stock, 1}, last_message_id=?0 | where id = ?1 and last_message_id <> ?2 | state gate last_message_id <>',
    ],
    [
      `UPDATE orders SET status = 'shipped', version = version + 1 WHERE id = $1 AND status = 'paid'`,
      'update orders | delta | delta of version | status="shipped", version={version, 1} | where id = ?0 and status = "paid" | state gate status =',
    ],
    [
      'WITH taken AS (DELETE FROM pending WHERE id = $1 RETURNING amount) UPDATE accounts SET balance = balance + taken.amount FROM taken WHERE accounts.id = $2',
      'update accounts | delta | delta of balance | balance={balance, pending.amount} | where id = ?1 | state gate id exists | parts [delete pending | where id = ?0 | returning]',
    ],
  ],
  'conditions that keep no duplicate out': [
    [
      'UPDATE accounts SET balance = balance + $1 WHERE id = $2 AND seq < $3',
      'update accounts | delta | delta of balance | balance={balance, ?0} | where id = ?1 and seq < ?2',
    ],
    [
      'UPDATE accounts SET balance = balance - $1 WHERE id = $2 AND balance >= $1',
      'update accounts | delta | delta of balance | balance={balance, ?0} | where id = ?1 and balance >= ?0',
    ],
    [
      `UPDATE accounts SET balance = balance - $1 WHERE id = $2 AND status = 'active'`,
      'update accounts | delta | delta of balance | balance={balance, ?0} | where id = ?1 and status = "active"',
    ],
    [
      `UPDATE accounts SET balance = balance + 1, status = 'open' WHERE id = $1 AND status = 'open'`,
      'update accounts | delta | delta of balance | balance={balance, 1}, status="open" | where id = ?0 and status = "open"',
    ],
    [
      `UPDATE accounts SET balance = balance + 1, status = 'open' WHERE id = $1 AND status <> 'closed'`,
      'update accounts | delta | delta of balance | balance={balance, 1}, status="open" | where id = ?0 and status <> "closed"',
    ],
    [
      'UPDATE stock SET on_hand = on_hand + 1 WHERE sku = $1 AND on_hand < $2',
      'update stock | delta | delta of on_hand | on_hand={on_hand, 1} | where sku = ?0 and on_hand < ?1',
    ],
    [
      'UPDATE leases SET owner = $1, expires_at = $2 WHERE name = $3 AND expires_at < now()',
      'update leases | absolute | owner=?0, expires_at=?1 | where name = ?2 and expires_at < minted',
    ],
    [
      'UPDATE tokens SET revoked = true WHERE tenant = $1 AND expires_at < $2',
      'update tokens | absolute | revoked=true | where tenant = ?0 and expires_at < ?1',
    ],
    [
      'UPDATE t SET a = $1 WHERE kind = $2 AND created_at > $3 AND created_at < $4',
      'update t | absolute | a=?0 | where kind = ?1 and created_at > ?2 and created_at < ?3',
    ],
    ['UPDATE t SET n = n + 1 WHERE id = $1 OR seq < $2', 'update t | delta | delta of n | n={n, 1}'],
  ],
  inserts: [
    [
      'INSERT INTO payments (id, order_id, cents) VALUES ($1, $2, $3)',
      'insert payments | id=?0, order_id=?1, cents=?2',
    ],
    ['INSERT INTO payments VALUES (DEFAULT, $1, now())', 'insert payments | #1=minted, #2=?0, #3=minted'],
    [
      'insert into events (id, payload, created_at) values (gen_random_uuid(), $1::jsonb, CURRENT_TIMESTAMP) returning id',
      'insert events | id=minted, payload=?0, created_at=minted | returning',
    ],
    [
      `INSERT INTO public."OutboxEvent" ("eventId", topic) VALUES ($1, 'orders'), ($2, 'orders')`,
      'insert outboxevent | eventId={?0, ?1}, topic="orders"',
    ],
    ['INSERT INTO audit SET ?', 'insert audit | *=?0'],
    ['INSERT INTO audit SET who = ?, what = ?', 'insert audit | who=?0, what=?1'],
    ['INSERT INTO events (id, at) VALUES ?', 'insert events | id=?0, at=?0'],
    [`INSERT INTO t (id, name) OUTPUT inserted.id VALUES (@id, N'x')`, 'insert t | id=:id, name="x" | returning'],
    ['INSERT INTO t DEFAULT VALUES', 'insert t'],
    [
      'INSERT INTO payments (id, cents) SELECT $1, $2 WHERE NOT EXISTS (SELECT 1 FROM payments WHERE id = $1)',
      'insert payments | id=?0, cents=?1',
    ],
    [
      'INSERT INTO ledger (account, balance) SELECT account, balance + $1 FROM ledger WHERE account = $2 ORDER BY id DESC LIMIT 1',
      'insert ledger | delta of balance | account=ledger.account, balance={ledger.balance, ?0}',
    ],
    [
      'INSERT INTO lines (id, qty) SELECT x.id, x.qty FROM jsonb_to_recordset($1) AS x(id uuid, qty int)',
      'insert lines | id={?0}, qty={?0}',
    ],
    ['INSERT INTO lines (id, qty) SELECT * FROM unnest($1::uuid[], $2::int[])', 'insert lines | id=?0, qty=?1'],
    ['COPY events (id, at) FROM STDIN', 'insert events'],
    ['SELECT * INTO backup FROM orders', 'insert backup'],
    [
      'WITH moved AS (DELETE FROM queue WHERE id = $1 RETURNING payload) INSERT INTO archive (payload) SELECT payload FROM moved',
      'insert archive | payload=queue.payload | state gate id exists | parts [delete queue | where id = ?0 | returning]',
    ],
    [
      `INSERT INTO t (id, k) VALUES (md5($1 || now()::text), encode(sha256($2::bytea), 'hex'))`,
      'insert t | id={?0, minted}, k={?1, "hex"}',
    ],
  ],
  'upserts and inserts that ignore': [
    [
      'INSERT INTO processed_messages (message_id) VALUES ($1) ON CONFLICT (message_id) DO NOTHING',
      'insert processed_messages | insert-or-ignore | message_id=?0 | on conflict (message_id)',
    ],
    [
      'INSERT INTO processed_messages (message_id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING message_id',
      'insert processed_messages | insert-or-ignore | message_id=?0 | on conflict () | returning',
    ],
    [
      'INSERT INTO t (a) VALUES ($1) ON CONFLICT ON CONSTRAINT t_a_key DO NOTHING',
      'insert t | insert-or-ignore | a=?0',
    ],
    ['INSERT IGNORE INTO processed (id) VALUES (?)', 'insert processed | insert-or-ignore | id=?0 | on conflict ()'],
    ['INSERT OR IGNORE INTO processed (id) VALUES (?)', 'insert processed | insert-or-ignore | id=?0 | on conflict ()'],
    [
      'INSERT INTO processed (id) VALUES (?) ON DUPLICATE KEY UPDATE id = id',
      'insert processed | insert-or-ignore | id=?0 | on conflict () | set id=id',
    ],
    [
      'INSERT INTO tags (name) VALUES (?) ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id)',
      'insert tags | insert-or-ignore | name=?0 | on conflict () | set id={id}',
    ],
    ['REPLACE INTO profiles (id, name) VALUES (?, ?)', 'insert profiles | upsert | id=?0, name=?1 | on conflict ()'],
    [
      'INSERT OR REPLACE INTO profiles (id, name) VALUES (?, ?)',
      'insert profiles | upsert | id=?0, name=?1 | on conflict ()',
    ],
    [
      'INSERT INTO prices (sku, cents) VALUES ($1, $2) ON CONFLICT (sku) DO UPDATE SET cents = EXCLUDED.cents, updated_at = now()',
      'insert prices | upsert | sku=?0, cents=?1 | on conflict (sku) | set cents=excluded.cents, updated_at=minted',
    ],
    [
      'INSERT INTO prices (sku, cents) VALUES (?, ?) ON DUPLICATE KEY UPDATE cents = VALUES(cents)',
      'insert prices | upsert | sku=?0, cents=?1 | on conflict () | set cents=excluded.cents',
    ],
    [
      'INSERT INTO prices AS p (sku, cents, version) VALUES ($1, $2, $3) ON CONFLICT (sku) DO UPDATE SET cents = EXCLUDED.cents, version = EXCLUDED.version WHERE p.version < EXCLUDED.version',
      'insert prices | guarded | sku=?0, cents=?1, version=?2 | on conflict (sku) | set cents=excluded.cents, version=excluded.version | order gate version <',
    ],
    [
      'INSERT INTO prices (sku, cents, version) VALUES ($1, $2, $3) ON CONFLICT (sku) DO UPDATE SET cents = EXCLUDED.cents, version = EXCLUDED.version WHERE EXCLUDED.version > prices.version',
      'insert prices | guarded | sku=?0, cents=?1, version=?2 | on conflict (sku) | set cents=excluded.cents, version=excluded.version | order gate version <',
    ],
    [
      'INSERT INTO users (email, name) VALUES ($1, $2) ON CONFLICT (lower(email)) WHERE deleted_at IS NULL DO UPDATE SET name = EXCLUDED.name WHERE users.name IS DISTINCT FROM EXCLUDED.name RETURNING (xmax = 0) AS inserted',
      'insert users | upsert | email=?0, name=?1 | on conflict (email) | set name=excluded.name | returning',
    ],
    [
      'INSERT INTO totals (day, n) VALUES ($1, 1) ON CONFLICT (day) DO UPDATE SET n = totals.n + EXCLUDED.n',
      'insert totals | delta | delta of n | day=?0, n=1 | on conflict (day) | set n={totals.n, excluded.n}',
    ],
    [
      'INSERT INTO totals (day, n) VALUES (?, ?) ON DUPLICATE KEY UPDATE n = n + VALUES(n)',
      'insert totals | delta | delta of n | day=?0, n=?1 | on conflict () | set n={n, excluded.n}',
    ],
    [
      'INSERT INTO totals (day, n) VALUES (?, ?) AS new ON DUPLICATE KEY UPDATE n = totals.n + new.n',
      'insert totals | delta | delta of n | day=?0, n=?1 | on conflict () | set n={totals.n, excluded.n}',
    ],
    [
      'INSERT INTO totals (day, n, seq) VALUES ($1, $2, $3) ON CONFLICT (day) DO UPDATE SET n = totals.n + EXCLUDED.n, seq = EXCLUDED.seq WHERE totals.seq < EXCLUDED.seq',
      'insert totals | delta | delta of n | day=?0, n=?1, seq=?2 | on conflict (day) | set n={totals.n, excluded.n}, seq=excluded.seq | order gate seq <',
    ],
    [
      'INSERT INTO profiles (id, name, seq) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE name = IF(VALUES(seq) > seq, VALUES(name), name), seq = GREATEST(seq, VALUES(seq))',
      'insert profiles | guarded | id=?0, name=?1, seq=?2 | on conflict () | set name={excluded.seq, seq, excluded.name, name}, seq={seq, excluded.seq} | order gate seq <',
    ],
    [
      'MERGE INTO stock WITH (HOLDLOCK) AS t USING (SELECT @sku AS sku, @qty AS qty) AS s ON t.sku = s.sku WHEN MATCHED THEN UPDATE SET qty = s.qty WHEN NOT MATCHED THEN INSERT (sku, qty) VALUES (s.sku, s.qty);',
      'insert stock | upsert | sku=:sku, qty=:qty | on conflict (sku) | set qty=:qty',
    ],
    [
      'MERGE stock AS t USING (VALUES (@sku, @qty)) AS s(sku, qty) ON t.sku = s.sku WHEN MATCHED THEN UPDATE SET t.qty = t.qty + s.qty WHEN NOT MATCHED BY TARGET THEN INSERT (sku, qty) VALUES (s.sku, s.qty) OUTPUT $action;',
      'insert stock | delta | delta of qty | sku=:sku, qty=:qty | on conflict (sku) | set qty={t.qty, :qty} | returning',
    ],
    [
      'MERGE INTO stock t USING incoming s ON t.sku = s.sku WHEN MATCHED AND t.version < s.version THEN UPDATE SET qty = s.qty, version = s.version WHEN NOT MATCHED THEN INSERT (sku, qty) VALUES (s.sku, s.qty)',
      'insert stock | guarded | sku=s.sku, qty=s.qty | on conflict (sku) | set qty=s.qty, version=s.version | order gate version <',
    ],
    [
      'MERGE INTO seen t USING (SELECT $1::uuid AS id) s ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)',
      'insert seen | insert-or-ignore | id=?0 | on conflict (id)',
    ],
    [
      `INSERT INTO t (id, meta) VALUES ($1, jsonb_build_object('a', $2::text)) ON CONFLICT (id) DO UPDATE SET meta = t.meta || EXCLUDED.meta`,
      'insert t | upsert | id=?0, meta={"a", ?1} | on conflict (id) | set meta={t.meta, excluded.meta}',
    ],
    [
      'INSERT INTO snapshots (id, state, ver) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET state = CASE WHEN snapshots.ver < EXCLUDED.ver THEN EXCLUDED.state ELSE snapshots.state END, ver = GREATEST(snapshots.ver, EXCLUDED.ver)',
      'insert snapshots | guarded | id=?0, state=?1, ver=?2 | on conflict (id) | set state={snapshots.ver, excluded.ver, excluded.state, snapshots.state}, ver={snapshots.ver, excluded.ver} | order gate ver <',
    ],
    [
      'MERGE INTO t USING dual ON (t.id = :id) WHEN MATCHED THEN UPDATE SET t.n = t.n + :n WHEN NOT MATCHED THEN INSERT (id, n) VALUES (:id, :n)',
      'insert t | delta | delta of n | id=:id, n=:n | on conflict (id) | set n={t.n, :n}',
    ],
  ],
  'reads, locks and deletes': [
    [
      `SELECT 1 FROM processed WHERE message_id = $1 AND consumer = 'billing'`,
      'select processed | where message_id = ?0 and consumer = "billing"',
    ],
    [
      'SELECT * FROM orders o JOIN lines l ON l.order_id = o.id WHERE o.id = $1 FOR UPDATE OF o NOWAIT',
      'select orders | where id = ?0 | locking',
    ],
    ['SELECT * FROM orders WITH (UPDLOCK, ROWLOCK) WHERE id = @id', 'select orders | where id = :id | locking'],
    ['SELECT pg_advisory_xact_lock(hashtext($1))', 'select | locking'],
    ['SELECT charge_account($1, $2)', 'select'],
    [
      'WITH ins AS (INSERT INTO t (a) VALUES ($1) ON CONFLICT DO NOTHING RETURNING a) SELECT * FROM ins',
      'select t | parts [insert t | insert-or-ignore | a=?0 | on conflict () | returning]',
    ],
    [
      `DELETE FROM inbox WHERE received_at < now() - interval '14 days'`,
      'delete inbox | where received_at < {minted, "14 days"}',
    ],
    ['DELETE FROM queue WHERE id = $1 RETURNING *', 'delete queue | where id = ?0 | returning'],
    ['DELETE FROM a USING b WHERE a.id = b.a_id AND b.x = $1', 'delete a | where id = b.a_id'],
    ['TRUNCATE TABLE staging', 'delete staging'],
    [
      `SELECT data ? 'key', data->>'a' FROM t WHERE data @> $1 AND tags && $2 AND id BETWEEN 1 AND 5 AND (a, b) = ($3, $4)`,
      'select t | where data @> ?0 and tags && ?1 and id between {1, 5} and a = ?2 and b = ?3',
    ],
    [
      'SELECT EXISTS (SELECT 1 FROM processed WHERE message_id = $1) AS seen',
      'select processed | where message_id = ?0',
    ],
    [
      'WITH upd AS (UPDATE accounts SET balance = balance - $1 WHERE id = $2 RETURNING *), log AS (INSERT INTO ledger (id, cents) VALUES ($3, $1)) SELECT * FROM upd',
      'select accounts | parts [update accounts | delta | delta of balance | balance={balance, ?0} | where id = ?1 | returning] [insert ledger | id=?2, cents=?0]',
    ],
  ],
  'transactions and the rest': [
    ['BEGIN', 'begin'],
    ['BEGIN IMMEDIATE;', 'begin'],
    ['BEGIN TRANSACTION ISOLATION LEVEL SERIALIZABLE', 'begin'],
    ['BEGIN TRAN', 'begin'],
    ['start transaction read write', 'begin'],
    ['SET autocommit = 0', 'begin'],
    ['COMMIT', 'commit'],
    ['commit transaction', 'commit'],
    ['END', 'commit'],
    ['ROLLBACK', 'rollback'],
    ['ROLLBACK TRANSACTION', 'rollback'],
    ['ROLLBACK TO SAVEPOINT sp1', 'savepoint'],
    ['SAVEPOINT sp1', 'savepoint'],
    ['RELEASE SAVEPOINT sp1', 'savepoint'],
    ['CALL refresh_totals($1)', 'call'],
    ['EXEC dbo.AddPayment @id, @cents', 'call'],
    ['SET TRANSACTION ISOLATION LEVEL READ COMMITTED', 'other'],
    ['CREATE TABLE IF NOT EXISTS app.t (id int)', 'ddl t'],
    ['LOCK TABLE t IN EXCLUSIVE MODE', 'other | locking'],
    [`NOTIFY orders, 'x'`, 'other'],
    ['EXPLAIN ANALYZE UPDATE t SET a = 1', 'other | parts [update t | absolute | a=1]'],
    ['BEGIN; UPDATE t SET n = n + 1; COMMIT;', 'begin', 'update t | delta | delta of n | n={n, 1}', 'commit'],
    [
      `UPDATE t SET a = @a WHERE id = @id
IF @@ROWCOUNT = 0 INSERT INTO t (id, a) VALUES (@id, @a)`,
      'update t | absolute | a=:a | where id = :id',
      'other | parts [insert t | id=:id, a=:a]',
    ],
    [
      'IF NOT EXISTS (SELECT 1 FROM seen WHERE id = @id) BEGIN INSERT INTO seen (id) VALUES (@id) END',
      'other | parts [select seen | where id = :id] [insert seen | id=:id]',
    ],
  ],
  'placeholders and quirks of dialects and libraries': [
    ['UPDATE $1:name SET n = n + $2 WHERE id = $3', 'update | delta | delta of n | n={n, ?1} | where id = ?2'],
    ['INSERT INTO ${table:name}(${this:name}) VALUES(${this:csv})', 'insert | *=:this'],
    [
      'UPDATE t SET a = $<a>, b = $(b), c = $/c/ WHERE id = ${id}',
      'update t | absolute | a=:a, b=:b, c=:c | where id = :id',
    ],
    ['UPDATE ?? SET ?? = ? WHERE id = ?', 'update | absolute | ??=?2 | where id = ?3'],
    ['INSERT INTO %I (a) VALUES (%L)', 'insert | a=?'],
    ['INSERT INTO t (a, b) VALUES ({a:UInt64}, {b:Array(String)})', 'insert t | a=:a, b=:b'],
    ['UPDATE t SET a = :1 WHERE id = :2', 'update t | absolute | a=?0 | where id = ?1'],
    [`UPDATE t SET a = 'x\\'y' WHERE id = ?`, `update t | absolute | a="x'y" | where id = ?0`],
    [`UPDATE t SET note = '\\' WHERE id = 1`, `update t | absolute | note="\\\\" | where id = 1`],
    [
      `UPDATE t SET note = $$it's$$, kind = E'a\\'b' WHERE id = 1`,
      `update t | absolute | note="it's", kind="a'b" | where id = 1`,
    ],
    ['/* app */ UPDATE t SET a = 1 /* all */ ; -- done', 'update t | absolute | a=1'],
    [
      'UPDATE t SET a = xs[1], b[2] = $1, c = ARRAY[$2, 3] WHERE id = $3',
      'update t | absolute | a={xs, 1}, b=?0, c={?1, 3} | where id = ?2',
    ],
    ['UPDATE t SET status = "done" WHERE `id` = ?', 'update t | absolute | status="done" | where id = ?0'],
    [
      `UPDATE t SET n = n + 1 WHERE data ? 'key' AND id = $1`,
      'update t | delta | delta of n | n={n, 1} | where data ? "key" and id = ?0',
    ],
    [
      `SELECT a."B"::text[], CAST(c AS numeric(10, 2)), d AT TIME ZONE 'UTC', count(*) FILTER (WHERE x) OVER (PARTITION BY y) FROM s.t a WHERE e IS NOT TRUE ORDER BY 1 DESC NULLS LAST LIMIT 5 OFFSET $1`,
      'select t | where e is not true',
    ],
    [
      'SELECT DISTINCT ON (a) * FROM t LEFT JOIN LATERAL (SELECT 1) x ON true WHERE extract(epoch FROM b) > 1 GROUP BY GROUPING SETS ((a), (b)) HAVING count(*) > 1 UNION ALL SELECT 2',
      'select t',
    ],
    ['INSERT INTO t (id, n) VALUES ($1, (SELECT max(n) FROM t)) RETURNING *', 'insert t | id=?0, n={t.n} | returning'],
    [
      'UPDATE t SET name = $1 FROM (SELECT id FROM u WHERE x = $2) s WHERE t.id = s.id',
      'update t | absolute | name=?0 | where id = u.id',
    ],
    ['DELETE t FROM t JOIN u ON u.id = t.u_id WHERE u.x = ?', 'delete t | where u_id = u.id'],
    ['UPDATE ONLY t SET a = DEFAULT WHERE CURRENT OF c', 'update t | absolute | a=minted'],
  ],
};

const HOLES: [parts: string[], ...expected: string[]][] = [
  [
    ['UPDATE accounts SET balance = balance + ', ' WHERE id = ', ''],
    'update accounts | delta | delta of balance | balance={balance, ${0}} | where id = ${1}',
  ],
  [['UPDATE ', ' SET n = n + $1 WHERE id = $2'], 'update | delta | delta of n | n={n, ?0} | where id = ?1'],
  [['UPDATE ', '.', ' SET n = n + 1'], 'update | delta | delta of n | n={n, 1}'],
  [['UPDATE "', '".orders SET a = ', ''], 'update orders | absolute | a=${1}'],
  [['UPDATE orders_', ' SET a = 1'], 'update | absolute | a=1'],
  [
    ['UPDATE t SET ', ' = ', ' + 1 WHERE id = ', ''],
    'update t | delta | delta of ${0} | ${0}={${1}, 1} | where id = ${2}',
  ],
  [
    ['UPDATE t SET "', '" = COALESCE("', '", 0) + 1 WHERE id = $1'],
    'update t | delta | delta of ${0} | ${0}={${1}, 0, 1} | where id = ?0',
  ],
  [['UPDATE t SET ', ' WHERE id = ', ''], 'update t | absolute | *=${0} | where id = ${1}'],
  [['UPDATE t SET a = 1 WHERE ', ' AND id = ', ''], 'update t | absolute | a=1 | where id = ${1} | open'],
  [['UPDATE t SET a = 1 ', ''], 'update t | absolute | a=1 | open'],
  [['INSERT INTO t ', ' ON CONFLICT DO NOTHING'], 'insert t | insert-or-ignore | *=${0} | on conflict ()'],
  [['INSERT INTO t (a, b) VALUES ', ''], 'insert t | a=${0}, b=${0}'],
  [['INSERT INTO t (a, b) VALUES (', ')'], 'insert t | a=${0}, b=${0}'],
  [['INSERT INTO t (', ') VALUES (', ')'], 'insert t | *=${1}'],
  [['INSERT INTO t (a, ', ') VALUES (1, ', ')'], 'insert t | a=1, ${0}=${1} | open'],
  [['INSERT INTO t (a) VALUES ($1) ', ''], 'insert t | a=?0 | open'],
  [['INSERT INTO t (a) VALUES ($1) ON CONFLICT ', ''], 'insert t | a=?0 | open'],
  [['INSERT INTO t (a) VALUES ($1) ON CONFLICT (a) DO ', ''], 'insert t | a=?0 | open'],
  [['INSERT INTO t (a) VALUES ($1) ON CONFLICT (', ') DO UPDATE SET ', ''], 'insert t | upsert | a=?0 | set *=${1}'],
  [['DELETE FROM t WHERE id IN (', ') AND kind IN ', ''], 'delete t | where id in ${0} and kind in ${1}'],
  [[`DELETE FROM t WHERE id = '`, `' AND name LIKE '%`, `%'`], 'delete t | where id = ${0} and name like {${1}}'],
  [['SELECT * FROM ', ' WHERE id = $', ''], 'select | where id = ?'],
  [['SELECT ', ' FROM t a WHERE a.x = ', '::uuid FOR ', ''], 'select t | where x = ${1}'],
  [['WITH x AS (', ') DELETE FROM t USING x WHERE t.id = x.id'], 'delete t | where id = x.id | open'],
];

describe.each(Object.entries(CASES))('%s', (_, cases) => {
  it.each(cases)('%s', (sql, ...expected) => {
    const result = classifySql(sql);
    expect(result.statements.map(summary)).toEqual(expected);
    expect(result.parsed).toBe(true);
  });
});

describe('holes of a template', () => {
  it.each(HOLES)('%j', (parts, ...expected) => {
    const result = classifySql(joinSql(parts));
    expect(result.statements.map(summary)).toEqual(expected);
    expect(result.parsed).toBe(true);
  });
});

describe('the whole answer', () => {
  it('tells verb, columns, operands and conditions', () => {
    expect(classifySql("UPDATE t SET n = n + $2, m = $1::int WHERE id = $3 AND kind = 'x' RETURNING n")).toEqual({
      parsed: true,
      statements: [
        {
          verb: 'update',
          table: 't',
          writeKind: 'delta',
          deltaColumns: ['n'],
          columns: [
            {
              name: 'n',
              value: {
                kind: 'expression',
                operands: [
                  { kind: 'column', name: 'n' },
                  { kind: 'placeholder', index: 1 },
                ],
                text: 'n + $2',
              },
            },
            { name: 'm', value: { kind: 'placeholder', index: 0 } },
          ],
          where: [
            { column: 'id', operator: '=', value: { kind: 'placeholder', index: 2 } },
            { column: 'kind', operator: '=', value: { kind: 'literal', value: 'x' } },
          ],
          locking: false,
          returning: true,
          parts: [],
        },
      ],
    });
  });

  it('numbers question marks in their order, and tells holes from placeholders of the text', () => {
    const text = joinSql(['INSERT INTO t (a, b, c) VALUES (', ', $1, ', ')']);
    expect(classifySql(text).statements[0]?.columns).toEqual([
      { name: 'a', value: { kind: 'placeholder', index: 0, hole: true } },
      { name: 'b', value: { kind: 'placeholder', index: 0 } },
      { name: 'c', value: { kind: 'placeholder', index: 1, hole: true } },
    ]);
    expect(classifySql('UPDATE t SET a = ? WHERE b = ?').statements[0]?.where[0]?.value).toEqual({
      kind: 'placeholder',
      index: 1,
    });
  });

  it('prints expressions for people, holes as in the template', () => {
    const text = joinSql(['UPDATE t SET a = lower( "b" )||', ", c = CASE WHEN d>1 THEN 'x' END, e = (f+1)*2"]);
    expect(
      classifySql(text).statements[0]?.columns.map(({ value }) => (value.kind === 'expression' ? value.text : '')),
    ).toEqual(['lower(b) || ${0}', "case when d > 1 then 'x' end", '(f + 1) * 2']);
  });

  it('is kept for the next caller', () => {
    expect(classifySql('SELECT 1 FROM a')).toBe(classifySql('SELECT 1 FROM a'));
  });
});

describe('the dialect settles what the text leaves open', () => {
  it('double quotes are a string in MySQL', () => {
    const sql = 'UPDATE t SET a = "done" WHERE b = 1 && c = 2';
    expect(classifySql(sql, 'mysql').statements.map(summary)).toEqual([
      'update t | absolute | a="done" | where b = 1 and c = 2',
    ]);
    expect(classifySql('UPDATE t SET a = "done"', 'postgresql').statements.map(summary)).toEqual([
      'update t | absolute | a=done',
    ]);
  });

  it('# is a comment in MySQL', () => {
    expect(classifySql('UPDATE t SET a = 1 # all\n WHERE b = 2', 'mysql').statements.map(summary)).toEqual([
      'update t | absolute | a=1 | where b = 2',
    ]);
  });
});

describe('text that is not understood', () => {
  it.each<Case>([
    ['', ...[]],
    ['   -- nothing\n', ...[]],
    ['hello world', 'other'],
    ["UPDATE t SET n = n + 1 WHERE name = 'O", 'update t | delta'],
    ['UPDATE t SET n = n + 1 WHERE (a = 1', 'update t | delta'],
    ['UPDATE t SET n = n + 1 WHERE a = 1 FROBNICATE b', 'update t | delta'],
    ['UPDATE accounts SET', 'update accounts | absolute'],
    ['INSERT INTO t (a, b)', 'insert t'],
    ['insert or update on table "t" violates foreign key constraint', 'insert | upsert'],
    ['DELETE FROM', 'delete'],
    ['SELECT * FROM t WHERE AND', 'select t'],
    ['/* open', ...[]],
  ])('%s', (sql, ...expected) => {
    const result = classifySql(sql);
    expect(result.parsed).toBe(false);
    expect(result.statements.map(summary).map((line) => line.split(' | ').slice(0, 2).join(' | '))).toEqual(expected);
  });

  it.each([
    ['parentheses', '('],
    ['subqueries', '(SELECT '],
    ['brackets', '['],
    ['cases', 'CASE WHEN '],
    ['quotes', '"\'`'],
    ['tags', '$a$ $b$ '],
    ['negations', 'NOT '],
    ['conditions', 'a = 1 AND '],
    ['sums', 'n + '],
    ['common tables', 'WITH a AS ('],
    ['blocks', 'BEGIN '],
    ['question marks', '? '],
    ['holes', '⟦0⟧'],
    ['unions', 'SELECT 1 UNION '],
  ])('100 kB of %s is soon done with', (_, unit) => {
    const text = unit.repeat(100_000 / unit.length);
    const start = performance.now();
    for (const sql of [text, `UPDATE t SET n = n + 1 WHERE a = ${text}`, `SELECT ${text}`]) {
      expect(() => classifySql(sql)).not.toThrow();
      expect(() => readTableKeys(sql)).not.toThrow();
    }
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('reads the head of a dump', () => {
    const rows = "(1, 'abc', now())";
    const dump = `INSERT INTO t (a, b, c) VALUES ${Array.from({ length: 50_000 }, () => rows).join(',')}`;
    const result = classifySql(dump);
    expect(result.parsed).toBe(false);
    expect(result.statements[0]).toMatchObject({ verb: 'insert', table: 't', writeKind: 'insert' });
  });

  it('survives any damage to a statement', () => {
    const texts = [...Object.values(CASES).flat(), ...HOLES.map(([parts]) => [joinSql(parts)])].map(
      ([text]) => text as string,
    );
    const random = generator(7);
    const signs = '()[]{}\'"`;,.$?:@=<>+-*/|&#\\ \n⟦⟧0a_';
    for (let round = 0; round < 2_000; round += 1) {
      let sql = texts[random(texts.length)] ?? '';
      for (let change = random(5); change >= 0; change -= 1) {
        const at = random(sql.length + 1);
        sql =
          random(2) === 0
            ? sql.slice(0, at) + sql.slice(at + random(12))
            : sql.slice(0, at) + signs.charAt(random(signs.length)) + sql.slice(at);
      }
      expect(() => [classifySql(sql), readTableKeys(sql)], sql).not.toThrow();
    }
  });
});

function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
}

describe('another parser agrees', () => {
  const dialects = ['postgresql', 'mysql', 'sqlite', 'transactsql'].map((dialect) => {
    const module = createRequire(import.meta.url)(`node-sql-parser/build/${dialect}.js`) as {
      Parser: new () => { astify(sql: string): unknown };
    };
    return new module.Parser();
  });
  const texts = Object.values(CASES)
    .flat()
    .map(([sql]) => sql);
  const compared = texts.filter((sql) => {
    const statements = classifySql(sql).statements;
    const [statement] = statements;
    const ast = dialects.map((parser) => tryParse(parser, sql)).find((tree) => tree !== undefined);
    if (ast === undefined || statement === undefined || statements.length > 1 || !VERBS.has(ast.type)) return false;
    if (SEEN_DEEPER.has(sql)) return false;
    it(`on ${sql}`, () => {
      expect(VERBS.get(ast.type)).toBe(statement.verb);
      const table = ast.type === 'select' ? undefined : ast.table?.[0]?.table;
      if (table !== undefined && table !== null && statement.table !== undefined)
        expect(table.toLowerCase()).toBe(statement.table);
      const assigned =
        ast.type === 'update' ? (ast.set ?? []).map((entry) => nameOf(entry.column)) : (ast.columns ?? []).map(nameOf);
      if (ast.type !== 'select' && assigned.length > 0)
        expect(assigned).toEqual(statement.columns.map(({ name }) => name));
    });
    return true;
  });

  it('on enough statements to mean something', () => {
    expect(compared.length).toBeGreaterThan(60);
  });
});

/** The tree names the alias as the table; and knows no SELECT that writes. */
const SEEN_DEEPER = new Set([
  'UPDATE a SET a.balance = a.balance + @amount FROM dbo.accounts AS a WHERE a.id = @id',
  'SELECT * INTO backup FROM orders',
]);

interface Tree {
  type: string;
  table?: { table: string | null }[];
  set?: { column: unknown }[];
  columns?: unknown[];
}

const VERBS = new Map([
  ['select', 'select'],
  ['insert', 'insert'],
  ['replace', 'insert'],
  ['update', 'update'],
  ['delete', 'delete'],
]);

function tryParse(parser: { astify(sql: string): unknown }, sql: string): Tree | undefined {
  try {
    const tree = parser.astify(sql);
    return (Array.isArray(tree) ? tree[0] : tree) as Tree;
  } catch {
    return undefined;
  }
}

/** Some grammars wrap a column's name. */
function nameOf(column: unknown): unknown {
  if (typeof column !== 'object' || column === null) return column;
  const { expr, value, column: inner } = column as { expr?: unknown; value?: unknown; column?: unknown };
  return nameOf(expr ?? value ?? inner);
}

/** One statement in one line: what tests compare. */
function summary(statement: SqlStatement): string {
  const { verb, table, writeKind, deltaColumns, columns, conflictSet, where, conflictColumns, gate, parts } = statement;
  const facts: (string | false | undefined)[] = [
    table === undefined ? verb : `${verb} ${table}`,
    writeKind !== undefined && writeKind !== verb && writeKind,
    deltaColumns.length > 0 && `delta of ${deltaColumns.join(', ')}`,
    columns.length > 0 && assignments(columns),
    conflictColumns && `on conflict (${conflictColumns.join(', ')})`,
    conflictSet && `set ${assignments(conflictSet)}`,
    where.length > 0 &&
      `where ${where.map(({ column, operator, value }) => `${column} ${operator} ${operand(value)}`).join(' and ')}`,
    gate && `${gate.kind} gate ${gate.column} ${gate.operator}`,
    statement.locking && 'locking',
    statement.returning && 'returning',
    statement.open && 'open',
    parts.length > 0 && `parts [${parts.map(summary).join('] [')}]`,
  ];
  return facts.filter((fact) => typeof fact === 'string').join(' | ');
}

function assignments(columns: readonly SqlColumn[]): string {
  return columns.map(({ name, value }) => `${name}=${operand(value)}`).join(', ');
}

function operand(value: SqlOperand): string {
  switch (value.kind) {
    case 'placeholder':
      if (value.hole) return `\${${value.index ?? ''}}`;
      return value.name === undefined ? `?${value.index ?? ''}` : `:${value.name}`;
    case 'column':
      return value.table === undefined ? value.name : `${value.table}.${value.name}`;
    case 'literal':
      return JSON.stringify(value.value);
    case 'minted':
      return 'minted';
    case 'excluded':
      return `excluded.${value.name}`;
    case 'expression':
      return `{${value.operands.map(operand).join(', ')}}`;
  }
}
