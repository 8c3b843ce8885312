// node measure.mjs [ROUNDS]: prints a row for each form, and what was not perfect in the first round.
import { launch } from "chrome-launcher";
import lighthouse, { desktopConfig } from "lighthouse";
import { PASSWORD, Program } from "../../tests/web/program.ts";

const ROUNDS = Number(process.argv[2] ?? 5);
const FORMS = { phone: undefined, computer: desktopConfig };
const CATEGORIES = ["performance", "accessibility", "best-practices"];
const METRICS = ["first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "speed-index"];

const program = await new Program().start();
const account = program.addAccount();
const client = program.client(account);
for (let number = 0; number < 30; number += 1) await client.put(`file ${number}.txt`, "content");

async function sessionCookie() {
  const body = JSON.stringify({ userName: account, password: PASSWORD });
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${program.url}/api/v2/session`, { method: "POST", headers, body });
  return answer.headers.get("Set-Cookie").split(";")[0];
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const extraHeaders = { Cookie: await sessionCookie() };
const browser = await launch({
  chromePath: "/usr/bin/chromium-headless-shell",
  chromeFlags: ["--headless", "--no-sandbox", "--disable-gpu"],
});
try {
  for (const [form, config] of Object.entries(FORMS)) {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const options = { port: browser.port, extraHeaders, onlyCategories: CATEGORIES, logLevel: "error" };
      rounds.push((await lighthouse(`${program.url}/files/`, options, config)).lhr);
    }
    const scores = CATEGORIES.map((name) => {
      const all = rounds.map(({ categories }) => Math.round(categories[name].score * 100));
      return `${name} ${median(all)} (${Math.min(...all)} to ${Math.max(...all)})`;
    });
    const times = METRICS.map((name) => `${name} ${Math.round(median(rounds.map((r) => r.audits[name].numericValue)))} ms`);
    // Lighthouse slows the processor by a fixed factor: its figures compare only where this is alike.
    const speeds = rounds.map(({ environment }) => Math.round(environment.benchmarkIndex));
    console.log(`${form}: ${scores.join(", ")}`);
    console.log(`  machine's benchmark index ${median(speeds)} (${Math.min(...speeds)} to ${Math.max(...speeds)})`);
    console.log(`  ${times.join(", ")}`);
    const { audits, categories } = rounds[0];
    const weighed = CATEGORIES.flatMap((name) => categories[name].auditRefs).filter(({ weight }) => weight > 0);
    for (const { id } of weighed) {
      const { score, title } = audits[id];
      if (score !== null && score < 1) console.log(`  ${score.toFixed(2)} ${title}`);
    }
  }
} finally {
  await browser.kill();
  await program.remove();
}
