-- Uploads that can be gone on with. Their bytes lie in a file of the spool that is called as the id, of which
-- received_bytes are safe. An upload that is receiving or interrupted has quota_bytes of reserved_bytes, over all
-- restarts; one that is finishing has given them to the run that finishes it.
CREATE TABLE uploads (
  id TEXT NOT NULL PRIMARY KEY,
  account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  folder TEXT NOT NULL,
  name TEXT NOT NULL,
  shown_name TEXT NOT NULL,
  on_conflict TEXT NOT NULL,
  metadata TEXT NOT NULL,
  modified_at BIGINT,
  length_bytes BIGINT NOT NULL,
  received_bytes BIGINT NOT NULL,
  quota_bytes BIGINT NOT NULL,
  state TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  touched_at BIGINT NOT NULL
);

CREATE INDEX uploads_by_account ON uploads (account_id, state);

CREATE INDEX uploads_by_time ON uploads (touched_at);
