CREATE SCHEMA IF NOT EXISTS "inbox";

-- One row per message that was processed. Written once, never updated.
CREATE TABLE IF NOT EXISTS "inbox"."processed" (
  consumer text COLLATE "C" NOT NULL,
  tenant text COLLATE "C" NOT NULL DEFAULT '',
  id text COLLATE "C" NOT NULL,
  processed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  fingerprint bytea,
  PRIMARY KEY (consumer, tenant, id)
);

-- For pruning.
CREATE INDEX IF NOT EXISTS "processed_by_age"
  ON "inbox"."processed" (consumer, processed_at);

-- Failed attempts and parked messages. Written outside the message's transaction.
CREATE TABLE IF NOT EXISTS "inbox"."attempts" (
  consumer text COLLATE "C" NOT NULL,
  tenant text COLLATE "C" NOT NULL DEFAULT '',
  id text COLLATE "C" NOT NULL,
  attempts integer NOT NULL,
  first_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_error text,
  parked_at timestamptz,
  message text,
  PRIMARY KEY (consumer, tenant, id)
);

-- Highest version seen of each entity.
CREATE TABLE IF NOT EXISTS "inbox"."gates" (
  consumer text COLLATE "C" NOT NULL,
  tenant text COLLATE "C" NOT NULL DEFAULT '',
  entity text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (consumer, tenant, entity)
);

-- Results of external effects, as JSON text.
CREATE TABLE IF NOT EXISTS "inbox"."steps" (
  consumer text COLLATE "C" NOT NULL,
  tenant text COLLATE "C" NOT NULL DEFAULT '',
  id text COLLATE "C" NOT NULL,
  step text COLLATE "C" NOT NULL,
  result text NOT NULL,
  finished_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (consumer, tenant, id, step)
);

-- Messages to send. Written in the transaction that causes them, deleted once sent.
CREATE TABLE IF NOT EXISTS "inbox"."outbox" (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  destination text NOT NULL,
  key text COLLATE "C" NOT NULL,
  payload text NOT NULL,
  headers text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  available_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  attempts integer NOT NULL DEFAULT 0,
  last_error text
);

CREATE INDEX IF NOT EXISTS "outbox_by_key"
  ON "inbox"."outbox" (destination, key, position);
