-- Integers are BIGINT and times are nanoseconds since 1970 on both databases; the program draws the
-- ids, since identity columns are written differently on each.
CREATE TABLE accounts (
  id BIGINT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  display_name TEXT NOT NULL,
  role TEXT NOT NULL,
  disabled BIGINT NOT NULL,
  quota_bytes BIGINT NOT NULL,
  password_hash TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

-- A key without a scope has full access.
CREATE TABLE api_keys (
  id TEXT NOT NULL PRIMARY KEY,
  account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  preview TEXT NOT NULL,
  scope TEXT,
  hash TEXT NOT NULL UNIQUE,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT
);

CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at, id);

-- One row that grows in the transaction of every change that a cached grant must not outlive.
CREATE TABLE auth_generation (
  value BIGINT NOT NULL
);

INSERT INTO auth_generation (value) VALUES (1);

-- The quota ledger. reserved_bytes is the sum of the account's rows in reservations.
CREATE TABLE quota_usage (
  account_id BIGINT NOT NULL PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  used_bytes BIGINT NOT NULL,
  reserved_bytes BIGINT NOT NULL,
  version BIGINT NOT NULL
);

-- The servers that run now; a row that stays behind is an unclean stop.
CREATE TABLE runs (
  node TEXT NOT NULL PRIMARY KEY,
  started_at BIGINT NOT NULL
);

-- What each node has promised, so that one node's end voids its own promises alone.
CREATE TABLE reservations (
  account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  node TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  PRIMARY KEY (account_id, node)
);
