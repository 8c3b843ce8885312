// The page of the API's descriptions, where calls can be tried. Like the offline page it shares no script with the
// rest, so that the first load of the other pages has nothing of it.
import "swagger-ui-dist/swagger-ui.css";
import "./page.css";
import SwaggerUI, { type System } from "swagger-ui-dist/swagger-ui-es-bundle.js";

type Description = { components: { securitySchemes: Record<string, unknown> } };

const ADDRESS = location.pathname.replace(/docs$/, "openapi.json");

/** The viewer has a dark look of its own. */
function followTheme(): void {
  const { documentElement: root } = document;
  const theme = localStorage.getItem("coffer.theme") ?? "";
  const system = matchMedia("(prefers-color-scheme: dark)");
  const paint = () => root.classList.toggle("dark-mode", theme === "dark" || (theme !== "light" && system.matches));
  root.dataset.theme = theme;
  system.addEventListener("change", paint);
  paint();
}

/** The texts of the descriptions have names between backquotes, and no other Markdown. The viewer would make HTML of them. */
function asText({ createElement }: System["React"], { source = "" }: { source?: string }): object {
  const parts = source.split("`").map((part, at) => (at % 2 ? createElement("code", { key: at }, part) : part));
  return createElement("div", { className: "markdown" }, createElement("p", null, parts));
}

const plainTexts = ({ React }: System) => ({ components: { Markdown: asText.bind(null, React) } });

async function show(): Promise<void> {
  const description = (await (await fetch(ADDRESS)).json()) as Description;
  // The viewer would ask for the cookie, which no script can send.
  delete description.components.securitySchemes.session;
  SwaggerUI({
    dom_id: "#viewer",
    spec: description,
    deepLinking: true,
    validatorUrl: null,
    plugins: [plainTexts],
    // What is tried is what the key may do, not the person who looks at the page.
    requestInterceptor: (request) => ({ ...request, credentials: "omit" }),
  });
}

followTheme();
document.querySelector(`nav a[href="${location.pathname}"]`)?.setAttribute("aria-current", "page");
document.getElementById("description")?.setAttribute("href", ADDRESS);
show().catch(() => {
  document.getElementById("viewer")?.append("The description could not be loaded. Load the page again.");
});
