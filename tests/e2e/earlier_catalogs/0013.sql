INSERT INTO api_keys (id, account_id, name, preview, scope, hash, created_at, last_used_at, is_link) VALUES
  ('99999999-9999-4999-8999-999999999999', 1, 'for others', 'earl', 'docs', '844cf6ea1f20bb210051372b35ed128b1a8b785b3d722ebc43124ca8125e74c7', 1700000000000000000, NULL, 1);
INSERT INTO links (id, mode, is_folder, sealed_token, password_hash) VALUES ('99999999-9999-4999-8999-999999999999', 'view', 1, '', '');
