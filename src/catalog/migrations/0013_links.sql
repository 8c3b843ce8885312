-- A share link is a key that opens nothing as such: its scope, a folder or a file, its end and what it follows are a
-- key's. What guests may do by it, and what it takes, stands here.
ALTER TABLE api_keys ADD COLUMN is_link BIGINT NOT NULL DEFAULT 0;

CREATE TABLE links (
  id TEXT NOT NULL PRIMARY KEY REFERENCES api_keys (id) ON DELETE CASCADE,
  mode TEXT NOT NULL,
  is_folder BIGINT NOT NULL,
  sealed_token TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  most_downloads BIGINT,
  downloads BIGINT NOT NULL DEFAULT 0
);
