-- Sessions of the web interface. The cookie's secret is kept as a hash only.
CREATE TABLE web_sessions (
  id TEXT NOT NULL PRIMARY KEY,
  account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  hash TEXT NOT NULL UNIQUE,
  created_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  address TEXT NOT NULL,
  agent TEXT NOT NULL
);

CREATE INDEX web_sessions_by_account ON web_sessions (account_id, created_at, id);

-- Failed sign-ins in a row, by what they have in common: an account's name, or an address.
CREATE TABLE sign_in_failures (
  subject TEXT NOT NULL PRIMARY KEY,
  failures BIGINT NOT NULL,
  last_at BIGINT NOT NULL
);

CREATE INDEX sign_in_failures_by_time ON sign_in_failures (last_at);

-- The one token that makes the first administrator, as long as there is no account.
CREATE TABLE setup_token (
  id BIGINT NOT NULL PRIMARY KEY,
  hash TEXT NOT NULL,
  made_at BIGINT NOT NULL
);

-- A JSON object that the account's clients keep.
ALTER TABLE accounts ADD COLUMN preferences TEXT NOT NULL DEFAULT '{}';

-- A key that may only read, and one that ends by itself.
ALTER TABLE api_keys ADD COLUMN read_only BIGINT NOT NULL DEFAULT 0;

ALTER TABLE api_keys ADD COLUMN expires_at BIGINT;
