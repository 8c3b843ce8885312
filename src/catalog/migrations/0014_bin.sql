-- What was deleted into a bin. The item lies in the hidden folder of its place under its id; `place` is the mount's
-- prefix, empty for own files, `path` where it was in that place. Without an account, that was removed since.
CREATE TABLE bin_items (
  id TEXT NOT NULL PRIMARY KEY,
  account_id BIGINT REFERENCES accounts (id) ON DELETE SET NULL,
  place TEXT NOT NULL,
  path TEXT NOT NULL,
  is_folder BIGINT NOT NULL,
  size_bytes BIGINT,
  deleted_at BIGINT NOT NULL,
  state TEXT NOT NULL
);

CREATE INDEX bin_items_by_account ON bin_items (account_id, deleted_at);
CREATE INDEX bin_items_by_time ON bin_items (deleted_at);
