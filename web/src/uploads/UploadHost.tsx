import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useAccount } from "~/api/session";
import { mayBeUnfinished } from "./unfinished";
import { uploadCommands } from "./view";

/** Goes on with what an earlier page left unfinished, and stops when the session ends. */
export function UploadHost() {
  const client = useQueryClient();
  const { userName } = useAccount();
  useEffect(() => {
    if (mayBeUnfinished(userName)) void import("./active").then(({ activate }) => activate(userName, client));
    return () => {
      if (uploadCommands()) void import("./active").then(({ deactivate }) => deactivate());
    };
  }, [userName, client]);
  return null;
}
