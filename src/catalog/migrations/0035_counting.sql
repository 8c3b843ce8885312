-- 0 since a server that did not stop cleanly may have left a wrong figure, until the account's files were counted.
ALTER TABLE quota_usage ADD COLUMN is_counted BIGINT NOT NULL DEFAULT 1;
