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
    let isOver = false;
    const goOn = async () => {
      if (!(await mayBeUnfinished(userName)) || isOver) return;
      const { activate } = await import("./account-uploads");
      if (!isOver) await activate(userName, client);
    };
    void goOn();
    return () => {
      isOver = true;
      if (uploadCommands()) void import("./account-uploads").then(({ deactivate }) => deactivate());
    };
  }, [userName, client]);
  return null;
}
