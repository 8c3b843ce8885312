-- Changes under way of the name or place of folders that keys are limited to. Such a key has the
-- change's id and opens nothing meanwhile. A row that stays behind is a change that a crash cut off.
CREATE TABLE scope_changes (
  id TEXT NOT NULL PRIMARY KEY,
  account_id BIGINT NOT NULL,
  from_path TEXT NOT NULL,
  from_identity TEXT NOT NULL,
  to_path TEXT,
  to_identity TEXT NOT NULL,
  started_at BIGINT NOT NULL
);

ALTER TABLE api_keys ADD COLUMN change_id TEXT;
