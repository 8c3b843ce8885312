-- Kind: breaking
-- Contents of files that others have replaced (storage/versions.h). `node` is the file, which is in the tree as long as the row is
-- there; `by_account` and `by_key` are who replaced it.
CREATE TABLE versions (
  id BIGINT NOT NULL PRIMARY KEY,
  tree BIGINT NOT NULL,
  node BIGINT NOT NULL,
  content BIGINT NOT NULL REFERENCES contents (id),
  size_bytes BIGINT NOT NULL,
  modified_at BIGINT NOT NULL,
  replaced_at BIGINT NOT NULL,
  by_account TEXT NOT NULL,
  by_key TEXT NOT NULL
);

CREATE INDEX versions_by_node ON versions (node, replaced_at, id);

CREATE INDEX versions_by_age ON versions (tree, replaced_at, id);

CREATE INDEX versions_by_content ON versions (content);

-- The number of a file's rows in `versions`, and the sum of their sizes.
ALTER TABLE nodes ADD COLUMN versions BIGINT NOT NULL DEFAULT 0;
ALTER TABLE nodes ADD COLUMN version_bytes BIGINT NOT NULL DEFAULT 0;
