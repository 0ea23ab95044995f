/** The harness's own database: made for one proof, brought back to its first rows before each run, and dropped. */
import pg from 'pg';

export type Row = Record<string, unknown>;

/** Rows of each table, by `schema.table` without `public.`. */
export type Tables = Map<string, Row[]>;

export interface TableFacts {
  primaryKey: string[];
  /** Columns that a sequence fills, and those that refer to one. */
  numbered: string[];
}

interface Table {
  /** As in the report. */
  name: string;
  /** Quoted, for SQL. */
  sql: string;
  oid: number;
  columns: string[];
}

/** Where the first rows are kept. */
const memory = '"harness first rows"';

export class Database {
  private first: { table: Table; copy: string }[] = [];
  private sequences: { sql: string; value: string; called: boolean }[] = [];

  private constructor(
    readonly url: string,
    private readonly admin: pg.Client,
    private readonly client: pg.Client,
    private readonly name: string,
  ) {}

  /** Creates a database on the server of this URL. The role must be a superuser, or one that may do the same. */
  static async create(serverUrl: string): Promise<Database> {
    const admin = new pg.Client({ connectionString: serverUrl, application_name: ownName });
    await admin.connect();
    const name = `idempotence_${process.pid}_${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;
    await admin.query(`CREATE DATABASE "${name}"`);
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    const client = new pg.Client({ connectionString: url.href, application_name: ownName });
    await client.connect();
    return new Database(url.href, admin, client, name);
  }

  async drop(): Promise<void> {
    await this.client.end();
    await this.endOthers();
    await this.admin.query(`DROP DATABASE IF EXISTS "${this.name}"`);
    await this.admin.end();
  }

  /** Keeps what is there as the state that each run begins with. */
  async remember(): Promise<void> {
    await this.client.query(`CREATE SCHEMA ${memory}`);
    this.first = [];
    for (const [i, table] of (await this.tables()).entries()) {
      const copy = `${memory}."${i}"`;
      await this.client.query(`CREATE TABLE ${copy} AS TABLE ${table.sql}`);
      this.first.push({ table, copy });
    }
    const { rows } = await this.client.query<{ sql: string; value: string; called: boolean }>(
      `SELECT format('%I.%I', schemaname, sequencename) AS sql,
  COALESCE(last_value, start_value)::text AS value, last_value IS NOT NULL AS called FROM pg_sequences`,
    );
    this.sequences = rows;
  }

  /** Ends what the last run left, and brings the first rows back. */
  async reset(): Promise<void> {
    await this.endOthers();
    const kept = new Set(this.first.map(({ table }) => table.oid));
    const added = (await this.tables()).filter(({ oid }) => !kept.has(oid));
    const statements = [
      'BEGIN',
      // No triggers and no foreign keys while the rows are put back.
      'SET LOCAL session_replication_role = replica',
      ...added.map(({ sql }) => `DROP TABLE IF EXISTS ${sql} CASCADE`),
      ...this.first.map(({ table }) => `DELETE FROM ${table.sql}`),
      ...this.first
        .filter(({ table }) => table.columns.length > 0)
        .map(({ table, copy }) => {
          const columns = table.columns.join(', ');
          return `INSERT INTO ${table.sql} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM ${copy}`;
        }),
      ...this.sequences.map(({ sql, value, called }) => `SELECT setval('${sql.replaceAll("'", "''")}', ${value}, ${String(called)})`),
      'COMMIT',
    ];
    await this.client.query(statements.join(';\n'));
  }

  /** Ends every session but the harness's own, and waits until their transactions are rolled back. */
  async endOthers(): Promise<void> {
    for (let tries = 0; tries < 500; tries += 1) {
      const { rows } = await this.admin.query<{ pid: number }>(
        `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name <> $2 AND backend_type = 'client backend'`,
        [this.name, ownName],
      );
      if (rows.length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`Sessions in the database ${this.name} could not be ended.`);
  }

  /** True if a session waits for a lock that another one holds. */
  async someoneWaits(): Promise<boolean> {
    const { rows } = await this.admin.query(`SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'`, [this.name]);
    return rows.length > 0;
  }

  async rows(): Promise<Tables> {
    const tables = await this.tables();
    const found: Tables = new Map(tables.map(({ name }) => [name, []]));
    if (tables.length === 0) return found;
    const selects = tables.map(({ sql }, i) => `SELECT ${i} AS n, to_jsonb(t) AS row FROM ${sql} AS t`);
    const { rows } = await this.client.query<{ n: number; row: Row }>(selects.join('\nUNION ALL\n'));
    for (const { n, row } of rows) found.get(tables[n]?.name ?? '')?.push(row);
    return found;
  }

  async facts(): Promise<Map<string, TableFacts>> {
    const { rows } = await this.client.query<{ oid: number; primary_key: string[]; numbered: string[] }>(factsSql);
    const byOid = new Map(rows.map((row) => [row.oid, { primaryKey: row.primary_key, numbered: row.numbered }]));
    return new Map((await this.tables()).map(({ name, oid }) => [name, byOid.get(oid) ?? { primaryKey: [], numbered: [] }]));
  }

  private async tables(): Promise<Table[]> {
    const { rows } = await this.client.query<Table & { schema: string; plain: string }>(
      `SELECT c.oid, n.nspname AS schema, c.relname AS plain, format('%I.%I', n.nspname, c.relname) AS sql,
  ARRAY(SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum) AS columns
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence <> 't'
  AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' AND quote_ident(n.nspname) <> $1
ORDER BY 2, 3`,
      [memory],
    );
    return rows.map(({ schema, plain, sql, oid, columns }) => ({ name: schema === 'public' ? plain : `${schema}.${plain}`, sql, oid, columns }));
  }
}

/** Sessions of the harness, which must not be ended: their default name is empty, and clients may share it. */
const ownName = `idempotence harness ${process.pid}`;

const factsSql = `WITH RECURSIVE numbered AS (
  SELECT attrelid AS rel, attnum AS col FROM pg_attribute AS a
  LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attnum > 0 AND (a.attidentity <> '' OR pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%')
  UNION
  SELECT f.conrelid, f.conkey[1] FROM pg_constraint AS f JOIN numbered AS n ON n.rel = f.confrelid AND n.col = f.confkey[1]
  WHERE f.contype = 'f' AND array_length(f.conkey, 1) = 1
)
SELECT c.oid,
  ARRAY(SELECT a.attname::text FROM pg_constraint AS k JOIN pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = ANY(k.conkey)
    WHERE k.conrelid = c.oid AND k.contype = 'p' ORDER BY array_position(k.conkey, a.attnum)) AS primary_key,
  ARRAY(SELECT a.attname::text FROM numbered AS n JOIN pg_attribute AS a ON a.attrelid = n.rel AND a.attnum = n.col WHERE n.rel = c.oid) AS numbered
FROM pg_class AS c WHERE c.relkind IN ('r', 'p')`;
