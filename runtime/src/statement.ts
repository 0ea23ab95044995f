/** Record and effect in one statement: one round trip, one commit, no transaction block. */
import { createHash } from 'node:crypto';
import { resolveCommit } from './commit.js';
import { InboxConfigError, hasCode, isDefinite } from './errors.js';
import type { InFlight } from './in-flight.js';
import type { Checked } from './message.js';
import type { Settings } from './options.js';
import type { Outcome } from './outcome.js';
import { simpleQuery, withClient, type QueryResult } from './pool.js';
import { countingFailures } from './process.js';
import { Parameters } from './sql.js';
import { check, explainRecordError, gateSql, insertSql, lookupSql, unrecorded, type Gate, type Lookup } from './record.js';

export interface Effect {
  /**
   * One INSERT, UPDATE, DELETE or MERGE that takes effect only while `recorded` has a row, e.g.
   * `UPDATE accounts SET balance = balance + $1 WHERE id = $2 AND EXISTS (SELECT FROM recorded)` or
   * `INSERT INTO payments (id, amount) SELECT $1, $2 FROM recorded`.
   */
  text: string;
  values?: readonly unknown[];
  /** The statement has a RETURNING clause, whose rows are wanted as the result. */
  returning?: boolean;
  /**
   * Prepares the statement once per connection, which saves planning it for each message. Not for PgBouncer in
   * transaction mode before its version 1.21, which does not know prepared statements.
   */
  prepare?: boolean;
}

export async function processStatement<In, Row>(
  settings: Settings<In>,
  inFlight: InFlight,
  input: In,
  effect: Effect,
  options: { gate?: Gate } = {},
): Promise<Outcome<Row[]>> {
  checkEffect(settings, effect);
  const checked = check(settings, settings.message(input));
  const key = JSON.stringify([checked.tenant, checked.id, checked.fingerprint?.toString('hex')]);
  return inFlight.run(key, settings.inFlight, () =>
    countingFailures(settings, input, checked, () => attempt<In, Row>(settings, checked, effect, options.gate)),
  );
}

function checkEffect<In>(settings: Settings<In>, effect: Effect): void {
  if (!/\brecorded\b/.test(effect.text)) {
    throw new InboxConfigError(
      'The effect does not mention recorded, so it would be applied to duplicates as well. Add: AND EXISTS (SELECT FROM recorded).',
    );
  }
  if (/;\s*\S/.test(effect.text.replace(/'(?:[^']|'')*'/g, ''))) {
    throw new InboxConfigError('The effect must be one statement. Use inbox.process() for several.');
  }
  if (settings.poison?.count === 'starts') {
    throw new InboxConfigError("processStatement cannot count starts. Use poison.count: 'failures', or process().");
  }
}

async function attempt<In, Row>(
  settings: Settings<In>,
  checked: Checked,
  effect: Effect,
  gate: Gate | undefined,
): Promise<Outcome<Row[]>> {
  const query = statement(settings, checked, effect, gate);
  let result: QueryResult | { lost: unknown };
  try {
    result = await withClient(settings.pool, async (client) => {
      try {
        return (await client.query(query)) as QueryResult;
      } catch (error) {
        if (isDefinite(error)) throw error;
        return { lost: error };
      }
    });
  } catch (error) {
    if (hasCode(error, '55P03')) return { status: 'in-flight' };
    throw explainRecordError(settings, error);
  }
  if ('lost' in result) {
    await resolveCommit(settings, checked, result.lost);
    // The rows went down with the connection.
    return { status: 'processed', result: [], commit: 'looked-up' };
  }
  const [first] = result.rows;
  if (Number(first?.__record) === 1) {
    if (Number(first?.__fresh) !== 1) return { status: 'stale' };
    return { status: 'processed', result: effectRows<Row>(result.rows), commit: 'confirmed' };
  }
  const [found] = await withClient(settings.pool, (client) => simpleQuery(client, lookupSql(settings, checked)));
  return unrecorded(checked, found?.rows[0] as Lookup | undefined);
}

/**
 * `recorded` has one row if the record was written and the gate, if any, was passed. All parts of one statement commit
 * together. A stale message leaves its record, for a statement of its own cannot roll back; no effect is lost by that,
 * since a stale message never has one.
 */
function statement<In>(
  settings: Settings<In>,
  checked: Checked,
  effect: Effect,
  gate: Gate | undefined,
): { text: string; values: unknown[]; name?: string } {
  const write = new Parameters(effect.values ?? []);
  const insert = insertSql(settings, checked, write, '1');
  const parts = [
    ...(gate
      ? [`record AS (${insert})`, `recorded AS (${gateSql(settings, checked.tenant, gate, 'record', write)})`]
      : [`recorded AS (${insert})`]),
    `effect AS (${effect.text.replace(/;\s*$/, '')})`,
  ].join(',\n');
  const record = gate ? '(SELECT count(*) FROM record)' : 'fresh';
  const rows = effect.returning ? ' LEFT JOIN (SELECT true AS __row, * FROM effect) AS effect ON true' : '';
  const text = `WITH ${parts}
SELECT ${record} AS __record, fresh AS __fresh${rows ? ', effect.*' : ''}
FROM (SELECT count(*) AS fresh FROM recorded) AS recorded${rows}`;
  const query = { text, values: write.values };
  return effect.prepare ? { ...query, name: `inbox_${createHash('sha256').update(text).digest('hex').slice(0, 32)}` } : query;
}

function effectRows<Row>(rows: QueryResult['rows']): Row[] {
  return rows
    .filter((row) => row.__row === true)
    .map(({ __record, __fresh, __row, ...row }) => row as Row);
}
