INSERT INTO bin_items (id, account_id, place, path, is_folder, size_bytes, deleted_at, state) VALUES
  ('aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', 1, '', 'deleted.txt', 0, 7, 4000000000000000000, 'kept');
UPDATE quota_usage SET used_bytes = 23 WHERE account_id = 1;
