-- What an earlier version interrupted did not note how many of its items were over. Copies beside what is there would
-- be made twice, so that these are not started again.
DELETE FROM selections WHERE task_id IN (
  SELECT id FROM tasks WHERE kind IN ('copy', 'unpack') AND on_conflict = 'keepBoth' AND sources_done = 0
  AND state IN ('running', 'interrupted'));

UPDATE tasks SET state = 'interrupted', sources_done = source_count WHERE kind IN ('copy', 'unpack')
  AND on_conflict = 'keepBoth' AND sources_done = 0 AND state IN ('running', 'interrupted');
