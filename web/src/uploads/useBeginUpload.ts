import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { Problem, sentenceOf } from "~/api/problem";
import { useAccount } from "~/api/session";
import { loadSoon } from "~/controls/later";
import { showToast } from "~/controls/toast-store";
import { useMessages } from "~/messages";
import type { NoRoom } from "./account-uploads";
import type { Chosen } from "./chosen";

const load = () => import("./account-uploads");
void loadSoon(load);

function offline(cause: unknown): never {
  throw Problem.offline(cause);
}

/** Begins uploads, and says why one cannot begin: then it gives false. */
export function useBeginUpload() {
  const client = useQueryClient();
  const { userName } = useAccount();
  const { t } = useMessages();
  const [isLooking, setLooking] = useState(false);
  const [noRoom, setNoRoom] = useState<NoRoom | null>(null);
  const begin = useCallback(
    async (choosing: Chosen | Promise<Chosen>, destination: string): Promise<boolean> => {
      setLooking(true);
      try {
        const [{ activate }, chosen] = await Promise.all([load().catch(offline), choosing]);
        const uploads = await activate(userName, client);
        setLooking(false);
        const lack = await uploads.add(chosen, destination);
        setNoRoom(lack);
        return lack === null;
      } catch (error) {
        const text = error instanceof Problem ? sentenceOf(t, error) : t("uploads.readFailed");
        showToast({ text, tone: "danger" });
        return false;
      } finally {
        setLooking(false);
      }
    },
    [client, userName, t],
  );
  return { begin, isLooking, noRoom, closeNoRoom: () => setNoRoom(null) };
}
