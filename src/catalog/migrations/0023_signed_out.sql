-- When the session was signed out, while tasks that it began go on; 0 for one that can be used.
ALTER TABLE web_sessions ADD COLUMN signed_out_at BIGINT NOT NULL DEFAULT 0;
