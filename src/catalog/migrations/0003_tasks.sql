-- Long work. The paths are virtual, as the owner sees them; left_over is where an unfinished item
-- lies, empty if nowhere.
CREATE TABLE tasks (
  id TEXT NOT NULL PRIMARY KEY,
  account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  from_path TEXT NOT NULL,
  to_path TEXT NOT NULL,
  state TEXT NOT NULL,
  bytes_done BIGINT NOT NULL,
  bytes_total BIGINT NOT NULL,
  items_done BIGINT NOT NULL,
  items_total BIGINT NOT NULL,
  error TEXT NOT NULL,
  left_over TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE INDEX tasks_by_account ON tasks (account_id, created_at, id);
