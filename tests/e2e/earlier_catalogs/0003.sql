-- A task that the server's end interrupted.
INSERT INTO tasks (id, account_id, kind, from_path, to_path, state, bytes_done, bytes_total, items_done, items_total, error, left_over, created_at, updated_at) VALUES
  ('66666666-6666-4666-8666-666666666666', 1, 'copy', 'docs', 'docs2', 'running', 1, 10, 0, 1, '', '', 1700000000000000000, 1700000000000000000);
