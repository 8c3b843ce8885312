import "./theme/tokens.css";
import "./theme/base.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { watchSessionEnd } from "./api/client";
import { newQueryClient } from "./api/query-client";
import { endSession } from "./api/session";
import { Confirmation } from "./confirmation/Confirmation";
import { loadMessages, MessagesProvider } from "./messages";
import { initialLanguage } from "./messages/languages";
import { installKeys } from "./platform/keys";
import { installTrustedTypes } from "./platform/trusted-types";
import { newRouter } from "./routes";
import { applyTheme, chosenTheme } from "./theme/theme";

async function start(): Promise<void> {
  installTrustedTypes();
  installKeys();
  applyTheme(chosenTheme());
  // The texts, the session and the page are requested at the same time.
  const texts = loadMessages(initialLanguage());
  const client = newQueryClient();
  const router = newRouter(client);
  void router.load();
  const messages = await texts;
  // The routes request the session again; they lead to the sign-in page and back.
  watchSessionEnd(() => {
    endSession(client);
    void router.invalidate();
  });
  const root = document.getElementById("root");
  if (!root) throw new Error("the document has no root");
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <MessagesProvider first={messages}>
          <RouterProvider router={router} />
          <Confirmation />
        </MessagesProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}

void start();
