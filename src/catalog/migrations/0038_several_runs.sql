-- Several servers may use one catalog. `beats` counts the signs of life of a run's server, `home` is the id of its data folder.
ALTER TABLE runs ADD COLUMN beats BIGINT NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN home TEXT NOT NULL DEFAULT '';
-- The run that works on a row; a run that is not in `runs` has ended.
ALTER TABLE tasks ADD COLUMN run TEXT NOT NULL DEFAULT '';
ALTER TABLE uploads ADD COLUMN run TEXT NOT NULL DEFAULT '';
ALTER TABLE scope_changes ADD COLUMN run TEXT NOT NULL DEFAULT '';
ALTER TABLE bin_items ADD COLUMN run TEXT NOT NULL DEFAULT '';
ALTER TABLE setup_token ADD COLUMN run TEXT NOT NULL DEFAULT '';
ALTER TABLE parked_items ADD COLUMN run TEXT NOT NULL DEFAULT '';
-- Work that one of the servers does at a time, and when it is due.
CREATE TABLE jobs (
  name TEXT NOT NULL PRIMARY KEY,
  due_at BIGINT NOT NULL
);
-- What all servers must have alike, such as the fingerprint of secret.key.
CREATE TABLE shared_facts (
  name TEXT NOT NULL PRIMARY KEY,
  fact TEXT NOT NULL
);
-- The folders that the clients of each server watch, and what other servers saw change in them.
CREATE TABLE watched_folders (
  run TEXT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  PRIMARY KEY (run, account_id, path)
);
CREATE TABLE folder_events (
  id TEXT NOT NULL PRIMARY KEY,
  run TEXT NOT NULL,
  account_id BIGINT NOT NULL,
  path TEXT NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX folder_events_by_time ON folder_events (at);
