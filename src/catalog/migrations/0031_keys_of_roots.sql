-- Keys and share links that were made for a link which led to the root of own files: they were above all others, and such a
-- link showed everything.
DELETE FROM api_keys WHERE scope = '';
