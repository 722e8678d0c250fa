/// <reference lib="dom" />
import { equal, ok } from "../support/assert.ts";
import { longFile } from "../support/long.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { clickButton, openPage, seeText, startBrowser, whyNoBrowser } from "./support/browser.ts";

longFile();

const missing = whyNoBrowser();
const CLI = new URL("../../cli.ts", import.meta.url).href;
const PAGES = ["/", "/inbox", "/plans", "/schedules", "/experiments", "/explore", "/account", "/service"];

Deno.test({ name: "adsctl console --demo in an empty folder", ignore: missing !== undefined }, async (t) => {
  await using folder = await temporaryFolder();
  const env = { HOME: folder.path, PATH: Deno.env.get("PATH") ?? "", DENO_NO_UPDATE_CHECK: "1" };
  const denoDir = Deno.env.get("DENO_DIR");
  const adsctl = (args: readonly string[]): Deno.ChildProcess =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "-q", "--no-check", CLI, ...args],
      cwd: folder.path,
      env: denoDir === undefined ? env : { ...env, DENO_DIR: denoDir },
      clearEnv: denoDir !== undefined,
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  const server = adsctl(["console", "--demo", "--no-open"]);
  const errors = server.stderr.pipeTo(new WritableStream());
  const browser = await startBrowser();
  try {
    const address = await firstLine(server.stdout);
    const { origin } = new URL(address);
    const { page } = await openPage(browser, address);
    // Only ends a hang: these commands sync a whole account.
    page.setDefaultTimeout(900_000);
    await page.waitForSelector("main h1");

    /** Commands that the pages offer now, but the one that waits for a stream until it is interrupted. */
    const offered = async (): Promise<string[]> => {
      const found = new Set<string>();
      for (const path of PAGES) {
        await page.goto(origin + path);
        await page.waitForSelector("main h1");
        // In the place of a command within a sentence are dots until it is known.
        await page.waitForFunction(() =>
          document.querySelector("main .loading") === null &&
          !document.evaluate('//main//text()[. = "…"]', document, null, XPathResult.BOOLEAN_TYPE).booleanValue
        );
        const texts = await page.$$eval("code", (all) => all.map(({ innerText }) => innerText));
        texts.filter((one) => /^adsctl (?!store stream run)\w/.test(one)).forEach((one) => found.add(one));
      }
      return [...found];
    };

    /**
     * Runs a command as it is shown; a service is ended once it does something. Empty when it works: with code 3 a rule
     * of watch lacks days that the demo's reports do not have.
     */
    const failure = async (line: string): Promise<string> => {
      const child = adsctl(words(line));
      const message = new Response(child.stderr).text();
      if (line.startsWith("adsctl auto run")) {
        ok(await firstLine(child.stdout), line);
        child.kill("SIGTERM");
        await Promise.all([child.status, message]);
        return "";
      }
      await child.stdout.pipeTo(new WritableStream());
      const { code } = await child.status;
      return code === 0 || (code === 3 && line.startsWith("adsctl auto run watch"))
        ? ""
        : `${line} ended with ${code}: ${await message}`;
    };

    await t.step(
      "one button fills the empty store; a reload shows how far it is, and it can be stopped",
      async () => {
        await page.goto(origin);
        await clickButton(page, "Fetch all figures");
        // A page that is left at once would take its request along.
        await page.waitForSelector("section[aria-label=Sync]");
        await page.goto(`${origin}/explore?view=coverage`);
        await seeText(page, "reports fetched");
        await clickButton(page, "Stop");
        await seeText(page, "the next sync continues");
        await page.click(".sync .buttons button");
        await seeText(page, "Done: ");
        await seeText(page, "One strip per month");
        await page.goto(origin);
        await seeText(page, "Last 7 days");
      },
    );

    await t.step("every command that a page offers does its work as it is shown", async () => {
      const first = await offered();
      ok(first.length >= 6, first.join("\n"));
      for (const line of first) equal(await failure(line), "");
      // Files that were just written make other pages.
      await page.goto(`${origin}/schedules`);
      await seeText(page, "adsctl auto plan pacing");
      const texts = await page.$$eval(".command code", (all) => all.map(({ innerText }) => innerText));
      ok(texts.length > 0);
      for (const line of texts) equal(await failure(line), "");
    });

    await t.step("a console that stands still is told, takes no decision, and the page goes on", async () => {
      await page.goto(`${origin}/plans`);
      const link = await page.waitForSelector('main a[href^="/plans/"]');
      await link?.click();
      await page.waitForSelector(".stay .primary:not(:disabled)");
      server.kill("SIGSTOP");
      try {
        await seeText(page, "The console is not responding");
        ok(await page.$(".stay .primary:not(:disabled)") === null);
      } finally {
        server.kill("SIGCONT");
      }
      await page.waitForSelector(".stay .primary:not(:disabled)");
      equal(await page.$(".gone"), null);
    });
  } finally {
    await browser.close();
    server.kill("SIGTERM");
    await server.status;
    await errors;
  }
});

/** The first line of a stream; the rest is read and thrown away. */
async function firstLine(stream: Deno.ChildProcess["stdout"]): Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes("\n")) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  reader.releaseLock();
  void stream.pipeTo(new WritableStream());
  return text.split("\n", 1)[0] ?? "";
}

/** Words of a command as a shell splits it, without the name of the program. */
function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|\S+/g)].slice(1).map(([word, quoted]) => quoted ?? word);
}
