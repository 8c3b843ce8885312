-- Whose an event is where the log has too many: the account that acted, the account that somebody tried to sign in to, or
-- empty for commands.
ALTER TABLE audit_events ADD COLUMN source TEXT NOT NULL DEFAULT '';

UPDATE audit_events SET source = CASE WHEN kind = 'session.refused' THEN 'refused ' || subject
  WHEN actor <> '' THEN 'account ' || actor ELSE '' END;

CREATE INDEX audit_events_by_source ON audit_events (source, at, id);

-- To count and delete an account's finished uploads, its own or those of its guests.
CREATE INDEX uploads_by_end ON uploads (account_id, state, link_id, touched_at, id);

DROP INDEX uploads_by_account;

CREATE INDEX api_keys_by_end ON api_keys (expires_at);
