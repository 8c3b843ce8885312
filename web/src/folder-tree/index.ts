// A tree of folders to choose from. It is apart from files/, whose own page does without what a tree takes.
export { FolderTree, type Forbids } from "./FolderTree";
