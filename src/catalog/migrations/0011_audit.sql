-- Who changed what of accounts, keys, shares, connectors and sessions, by the names that they had
-- then. Without an actor it was the command line, or one who is not known.
CREATE TABLE audit_events (
  at BIGINT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  actor TEXT NOT NULL,
  key_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  address TEXT NOT NULL,
  subject TEXT NOT NULL,
  details TEXT NOT NULL,
  PRIMARY KEY (at, id)
);

CREATE INDEX audit_events_by_actor ON audit_events (actor, at, id);

CREATE INDEX audit_events_by_subject ON audit_events (subject, at, id);
