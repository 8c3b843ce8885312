INSERT INTO shares (id, name, description, target, read_only, everyone, created_at) VALUES
  ('44444444444444444444444444444444', 'Photos', '', '@SHARED@', 0, 1, 1700000000000000000);
INSERT INTO connectors (id, account_id, kind, name, description, target, settings, sealed_secret, read_only, created_at) VALUES
  ('55555555555555555555555555555555', 1, 'ftp', 'Old server', '', 'ftp://127.0.0.1:1', '{"host":"127.0.0.1","port":1,"user":"ann"}', '', 0, 1700000000000000000);
