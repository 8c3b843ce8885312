-- Folders of the server's disk that an administrator shared: with everyone, or with the accounts in
-- share_accounts.
CREATE TABLE shares (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL,
  target TEXT NOT NULL,
  read_only BIGINT NOT NULL,
  everyone BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE share_accounts (
  share_id TEXT NOT NULL REFERENCES shares (id) ON DELETE CASCADE,
  account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  PRIMARY KEY (share_id, account_id)
);

CREATE INDEX share_accounts_by_account ON share_accounts (account_id);

-- Servers that an account mounted. Only who makes a backend of them reads settings and
-- sealed_secret.
CREATE TABLE connectors (
  id TEXT NOT NULL PRIMARY KEY,
  account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  target TEXT NOT NULL,
  settings TEXT NOT NULL,
  sealed_secret TEXT NOT NULL,
  read_only BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  UNIQUE (account_id, name)
);

-- As auth_generation, for what the mounts of an account are made of.
CREATE TABLE mounts_generation (
  value BIGINT NOT NULL
);

INSERT INTO mounts_generation (value) VALUES (1);
