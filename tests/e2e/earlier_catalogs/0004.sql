-- A server that did not stop cleanly.
INSERT INTO runs (node, started_at) VALUES ('0123456789abcdef', 1700000000000000000);
INSERT INTO reservations (account_id, node, bytes) VALUES (2, '0123456789abcdef', 1000);
