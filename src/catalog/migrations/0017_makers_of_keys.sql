-- The key by which another, or a link, was made; none where a person made it, or before this. When that one goes, its own
-- maker takes its place: only the first of a chain may be gone.
ALTER TABLE api_keys ADD COLUMN made_by TEXT;

CREATE INDEX api_keys_by_maker ON api_keys (made_by);
