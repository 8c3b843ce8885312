-- Kind: adding
-- All names of a tree, for searches, which need not look at the rows themselves (catalog/object_search.h).
CREATE INDEX nodes_by_tree ON nodes (tree, id, folded);
