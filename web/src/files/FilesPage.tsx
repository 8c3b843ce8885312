import { useParams } from "@tanstack/react-router";
import { filesRoute } from "~/routes";
import { FolderView } from "./FolderView";
import { orderOf } from "./folder-query";
import { folderOf } from "./path";

/** A folder of any location; the address has one segment for each folder on the way. */
export function FilesPage() {
  const { _splat } = useParams({ strict: false });
  const { sort, order } = orderOf(filesRoute.useSearch());
  const path = folderOf(_splat);
  // Another folder begins anew: nothing selected, at its top.
  return <FolderView key={path} path={path} sort={sort} order={order} />;
}
