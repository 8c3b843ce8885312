-- All makers of a key or link, the nearest first, with a space between: its maker, that one's maker and so on. They stay when
-- one of them goes, so that what was made with it can be found.
DROP INDEX api_keys_by_maker;

ALTER TABLE api_keys RENAME COLUMN made_by TO makers;

UPDATE api_keys SET makers = (
  WITH RECURSIVE above (next, makers) AS (
    SELECT api_keys.makers, api_keys.makers
    UNION ALL
    SELECT k.makers, above.makers || ' ' || k.makers FROM above JOIN api_keys k ON k.id = above.next WHERE k.makers IS NOT NULL)
  SELECT makers FROM above ORDER BY length(makers) DESC LIMIT 1)
WHERE makers IS NOT NULL;
