-- Tasks on several items. sources and skipped have one item a line, the latter a tab between its path and why; in
-- front of both, skipped_count tells how many there were. A task that is forgotten is kept only to clear what it left.
ALTER TABLE tasks ADD COLUMN sources TEXT NOT NULL DEFAULT '';

ALTER TABLE tasks ADD COLUMN on_conflict TEXT NOT NULL DEFAULT '';

ALTER TABLE tasks ADD COLUMN bytes_per_second BIGINT NOT NULL DEFAULT 0;

ALTER TABLE tasks ADD COLUMN skipped_count BIGINT NOT NULL DEFAULT 0;

ALTER TABLE tasks ADD COLUMN skipped TEXT NOT NULL DEFAULT '';

ALTER TABLE tasks ADD COLUMN is_forgotten INTEGER NOT NULL DEFAULT 0;
