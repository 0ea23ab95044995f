/** Creating the tables, and looking whether the database keeps what the inbox promises. */
import type { SchemaSettings, Settings } from './options.js';
import { autocommit, rowOf, simpleQuery, withClient, type Pool } from './pool.js';
import { lockKey } from './record.js';
import { recordKey, statements } from './schema.js';
import { literal } from './sql.js';

/** Creates what is missing. Safe to run by several instances at once, and again at every start. */
export async function migrate(pool: Pool, settings: SchemaSettings): Promise<void> {
  await withClient(pool, async (client) => {
    try {
      const lock = `SELECT pg_advisory_xact_lock(${lockKey('migrate', settings.schema)})`;
      await simpleQuery(client, ['BEGIN', lock, ...statements(settings), 'COMMIT'].join(';\n'));
    } catch (error) {
      await simpleQuery(client, 'ROLLBACK').catch(() => undefined);
      throw error;
    }
  });
}

export interface Problem {
  severity: 'error' | 'warning';
  message: string;
}

interface Facts {
  exists: boolean;
  persistence: string;
  kind: string;
  key: string[] | null;
  row_security: boolean;
  synchronous_commit: string;
  fsync: string;
}

/**
 * What in this database breaks the promise of the inbox, as a list of problems; empty if nothing does. Reads the
 * session that the pool gives, so run it with the credentials and through the pooler that the application uses.
 */
export async function checkDatabase<In>(settings: Settings<In>): Promise<Problem[]> {
  const results = await autocommit(
    settings.pool,
    `SELECT c.oid IS NOT NULL AS exists, c.relpersistence AS persistence, c.relkind AS kind, c.relrowsecurity AS row_security,
  (SELECT array_agg(a.attname::text ORDER BY a.attname) FROM pg_index AS i
    JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
    WHERE i.indrelid = c.oid AND i.indisprimary) AS key,
  current_setting('synchronous_commit') AS synchronous_commit, current_setting('fsync') AS fsync
FROM (SELECT 1) AS one LEFT JOIN pg_class AS c ON c.oid = to_regclass(${literal(settings.names.processed)})`,
  );
  const facts = rowOf(results) as unknown as Facts;
  const problems: Problem[] = [];
  const add = (severity: Problem['severity'], message: string): void => void problems.push({ severity, message });
  if (!facts.exists) {
    add('error', `Table ${settings.names.processed} is missing. Run inbox.migrate(), or apply the SQL files of the package.`);
    return problems;
  }
  const wanted = [...recordKey(settings)].sort();
  if (JSON.stringify(facts.key) !== JSON.stringify(wanted)) {
    add('error', `The primary key of ${settings.names.processed} must be (${recordKey(settings).join(', ')}); it is (${facts.key?.join(', ') ?? 'none'}).`);
  }
  if (facts.persistence === 'u') {
    add('error', `Table ${settings.names.processed} is UNLOGGED: it is emptied by a crash, and all messages count as new. ALTER TABLE … SET LOGGED.`);
  }
  if ((facts.kind === 'p') !== (settings.retention?.mode === 'partition')) {
    add('error', `Table ${settings.names.processed} is ${facts.kind === 'p' ? '' : 'not '}partitioned, other than retention.mode says. Make the two agree.`);
  }
  if (facts.row_security) {
    add('warning', `Table ${settings.names.processed} has row security: a policy that hides a record makes a duplicate look in flight for ever. Let the policy show all rows of the consumer.`);
  }
  if (facts.synchronous_commit === 'off') {
    add('warning', 'synchronous_commit is off: a crash can lose commits that were acknowledged to the broker. Set it to on for this role.');
  }
  if (facts.fsync === 'off') add('warning', 'fsync is off: a crash of the machine can lose or corrupt everything. Use it for tests only.');
  if (!settings.retention) add('warning', 'No retention is set: records are kept for ever. Set retention, or accept the growth.');
  return problems;
}
