-- 1 if `target` has no symbolic links: rows of before are resolved by the next start.
ALTER TABLE shares ADD COLUMN is_resolved BIGINT NOT NULL DEFAULT 0;
