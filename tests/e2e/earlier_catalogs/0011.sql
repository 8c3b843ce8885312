INSERT INTO audit_events (at, id, kind, actor, key_id, session_id, address, subject, details) VALUES
  (1700000000000000000, '88888888-8888-4888-8888-888888888888', 'account.added', '', '', '', '', 'ann', '{}');
