import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { loadMessages, MessagesProvider, withPageTexts } from "~/messages";

/** Where a test renders components: a place in the document, with English texts and queries of its own. */
export class TestPage {
  readonly client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  readonly place = document.body.appendChild(document.createElement("div"));
  private readonly root = createRoot(this.place);

  async show(shown: ReactNode): Promise<void> {
    await withPageTexts(async () => {});
    const first = await loadMessages("en");
    this.root.render(
      <QueryClientProvider client={this.client}>
        <MessagesProvider first={first}>{shown}</MessagesProvider>
      </QueryClientProvider>,
    );
  }

  close(): void {
    this.root.unmount();
    this.place.remove();
    this.client.clear();
  }
}
