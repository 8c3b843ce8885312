-- Kind: adding
-- Locks of files and folders (catalog/file_locks.h). `root` and `place` say what is locked, as core/namespace/file_locks.h does.
CREATE TABLE file_locks (
  token TEXT NOT NULL PRIMARY KEY,
  root TEXT NOT NULL,
  place TEXT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  account_name TEXT NOT NULL,
  key_id TEXT NOT NULL,
  is_deep BIGINT NOT NULL,
  is_shared BIGINT NOT NULL,
  owner TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX file_locks_by_root ON file_locks (root);

CREATE INDEX file_locks_by_account ON file_locks (account_id);

-- As auth_generation, for the locks.
CREATE TABLE lock_generation (
  value BIGINT NOT NULL
);

INSERT INTO lock_generation (value) VALUES (1);
