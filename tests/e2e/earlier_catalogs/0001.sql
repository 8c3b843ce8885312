-- Rows of a catalog when migration 1 was the last. The secrets of the two keys are in test_earlier_catalogs.py.
INSERT INTO accounts (id, name, display_name, role, disabled, quota_bytes, password_hash, created_at) VALUES
  (1, 'ann', 'Ann', 'admin', 0, 0, '', 1700000000000000000),
  (2, 'bob', 'Bob', 'user', 0, 1000000, '', 1700000000000000001);
INSERT INTO quota_usage (account_id, used_bytes, reserved_bytes, version) VALUES (1, 16, 0, 1), (2, 5, 0, 1);
INSERT INTO api_keys (id, account_id, name, preview, scope, hash, created_at, last_used_at) VALUES
  ('11111111-1111-4111-8111-111111111111', 1, 'first', 'earl', NULL, '6d5d472c3e13245883de22a37eddce3c94a5f59a5e5591adb63aca502b66ecf2', 1700000000000000000, NULL),
  ('22222222-2222-4222-8222-222222222222', 1, 'docs', 'earl', 'docs', 'de9c6561d677f6c72969e7658f0c47de5266497190f95e01761bd216494d8f4c', 1700000000000000000, 1700000000000000002),
  ('33333333-3333-4333-8333-333333333333', 2, 'his', 'earl', NULL, '6750add19c4a2650c1b0446d4034e5f3325085fb4d4b199eb8736c75da5f2730', 1700000000000000000, NULL);
