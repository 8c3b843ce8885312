-- Lists of items that one request cannot carry, or that a task works on. One without a task waits to be used.
CREATE TABLE selections (
  id TEXT NOT NULL PRIMARY KEY,
  account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  task_id TEXT REFERENCES tasks (id) ON DELETE CASCADE,
  item_count BIGINT NOT NULL,
  size_bytes BIGINT NOT NULL,
  touched_at BIGINT NOT NULL
);

CREATE INDEX selections_by_account ON selections (account_id, task_id, touched_at);

CREATE INDEX selections_by_task ON selections (task_id);

-- Each part has the folder that its items are in, on the first line, then an item a line, from that folder.
CREATE TABLE selection_parts (
  selection_id TEXT NOT NULL REFERENCES selections (id) ON DELETE CASCADE,
  number BIGINT NOT NULL,
  items TEXT NOT NULL,
  PRIMARY KEY (selection_id, number)
);

-- A task's row is written several times a second and read by each list: it has only the first of its sources, their
-- number, and the deepest folder that all are in. Without a number it is no task on several items.
ALTER TABLE tasks ADD COLUMN source_count BIGINT NOT NULL DEFAULT 0;

ALTER TABLE tasks ADD COLUMN source_root TEXT NOT NULL DEFAULT '';

UPDATE tasks SET source_count = length(sources) - length(replace(sources, '
', ''));

-- What has not ended, or was interrupted, keeps its items; those of restored ones were not noted.
INSERT INTO selections (id, account_id, task_id, item_count, size_bytes, touched_at)
  SELECT id, account_id, id, source_count, length(sources), updated_at FROM tasks
  WHERE source_count > 0 AND kind <> 'restore' AND state IN ('waiting', 'running', 'interrupted');

INSERT INTO selection_parts (selection_id, number, items)
  SELECT s.id, 0, '
' || t.sources FROM selections s JOIN tasks t ON t.id = s.task_id;

UPDATE tasks SET sources = substr(sources, 1, 4096);
