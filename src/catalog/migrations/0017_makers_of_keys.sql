-- The key by which another, or a link, was made. That one may have been revoked since; none where a
-- person made it, or before this.
ALTER TABLE api_keys ADD COLUMN made_by TEXT;
