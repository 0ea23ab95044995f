/** Words that end an expression or a name, so they are neither a column nor an alias. */
export const RESERVED = new Set(
  `ALL AND AS ASC BEGIN BETWEEN BY CASE COLLATE COMMIT CONFLICT CROSS DECLARE DELETE DESC DISTINCT DO ELSE END EXCEPT
  EXEC EXECUTE EXISTS FETCH FOR FROM FULL GROUP HAVING ILIKE IN INNER INSERT INTERSECT INTO IS JOIN LEFT LIKE LIMIT
  MERGE NATURAL NOT OFFSET ON OPTION OR ORDER OUTER OUTPUT RETURNING RIGHT ROLLBACK SELECT SET STRAIGHT_JOIN
  THEN UNION UPDATE USING VALUES WHEN WHERE WINDOW WITH RLIKE REGEXP SIMILAR`.split(/\s+/),
);

/** Words a new statement starts with; T-SQL needs no semicolon between two. */
export const STARTERS = new Set(
  `SELECT INSERT UPDATE DELETE MERGE REPLACE WITH BEGIN COMMIT ROLLBACK EXEC EXECUTE DECLARE IF ELSE END`.split(' '),
);

/** Functions whose answer is new at every call. */
const MINTED = new Set(
  `now current_timestamp current_date current_time localtime localtimestamp clock_timestamp statement_timestamp
  transaction_timestamp timeofday sysdate systimestamp getdate getutcdate sysdatetime sysutcdatetime sysdatetimeoffset
  utc_timestamp utc_date utc_time curdate curtime now64
  gen_random_uuid gen_random_bytes uuid_generate_v1 uuid_generate_v1mc uuid_generate_v4 uuid uuid_short uuidv4 uuidv7
  uuid_generate_v7 uuid_v7 generate_uuid generateuuidv4 gen_ulid ulid newid newsequentialid sys_guid unique_rowid
  random rand randomblob nextval lastval currval last_insert_rowid scope_identity
  txid_current pg_current_xact_id`.split(/\s+/),
);

/** SQLite's and MySQL's date functions read the clock when told 'now', or told nothing. */
const CLOCK_WHEN_BARE = new Set(['unix_timestamp', 'unixepoch', 'julianday', 'datetime', 'date', 'time', 'strftime']);

export function isMintedCall(name: string, args: readonly (string | undefined)[]): boolean {
  const plain = name.toLowerCase();
  // LAST_INSERT_ID(id) hands its argument back.
  if (plain === 'last_insert_id') return args.length === 0;
  if (MINTED.has(plain)) return true;
  if (!CLOCK_WHEN_BARE.has(plain)) return false;
  return args.length === 0 || args.some((arg) => arg?.toLowerCase() === 'now');
}

/** Clock words that need no parentheses. */
export const BARE_CLOCKS = new Set(
  'CURRENT_TIMESTAMP CURRENT_DATE CURRENT_TIME LOCALTIME LOCALTIMESTAMP SYSDATE SYSTIMESTAMP'.split(' '),
);

const ORDER_WORDS = new Set(
  `version ver versions v seq sequence sequenceno sequencenumber seqno rev revision revno generation gen epoch offset lsn
  etag xmin rowversion position pos cursor watermark clock ts time timestamp date datetime updated modified changed nonce
  tick ordinal serial checkpoint`.split(/\s+/),
);

/** Does the column look like a version, a sequence or a time: something that only grows from event to event? */
export function looksOrdered(column: string): boolean {
  const words = column
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
  const last = words.at(-1);
  // `shipped_at`, `changed_on`; but not `on_hand`.
  if (words.length > 1 && (last === 'at' || last === 'on')) return true;
  return words.some((word) => ORDER_WORDS.has(word) || /(?:version|revision|timestamp|sequence|seq)$/.test(word));
}
