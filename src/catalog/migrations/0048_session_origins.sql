-- Kind: adding
-- How a session began (catalog/web_sessions.h), and when its person last showed who they are: 0 is never.
ALTER TABLE web_sessions ADD COLUMN method TEXT NOT NULL DEFAULT 'password';
ALTER TABLE web_sessions ADD COLUMN issuer TEXT NOT NULL DEFAULT '';
ALTER TABLE web_sessions ADD COLUMN subject TEXT NOT NULL DEFAULT '';
ALTER TABLE web_sessions ADD COLUMN sid TEXT NOT NULL DEFAULT '';
ALTER TABLE web_sessions ADD COLUMN confirmed_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX web_sessions_by_subject ON web_sessions (issuer, subject) WHERE issuer <> '';
