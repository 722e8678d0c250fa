/// <reference lib="dom" />
import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ChangePlan } from "../../mod.ts";
import { createApprovalKey } from "../../src/plans/review/approval_key.ts";
import { McpContext } from "../../src/interfaces/mcp/context/mcp_context.ts";
import { Agent } from "../mcp/support/agent.ts";
import { bigPlan } from "./support/big_plan.ts";
import {
  accessibilityProblems,
  anotherTab,
  clickButton,
  confirmDialog,
  openPage,
  problemsInBothSchemes,
  seeText,
  startBrowser,
  whyNoBrowser,
} from "./support/browser.ts";
import { type ConsoleWorld, consoleWorld } from "./support/console_world.ts";
import { fillStore } from "./support/fill_store.ts";
import { longFile } from "../support/long.ts";
import { FITS } from "../support/plan_words.ts";

longFile();

const MARKUP = `<img src=x onerror="document.title='owned'"> \u202egnp.exe`;
const missing = whyNoBrowser();
if (missing !== undefined) console.log(`Not tried in a browser: ${missing}`);

async function keywordPlan({ us }: ConsoleWorld, note: string, factor = 1.1): Promise<ChangePlan> {
  const keywords = (await us.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
    bid !== undefined
  );
  const changes = keywords.slice(0, 5).map(({ keywordId, bid = 1 }) => ({
    keywordId,
    bid: Math.round(bid * factor * 100) / 100,
  }));
  return await us.sp.keywords.planUpdate(changes, { note });
}

Deno.test({ name: "the console in a real browser", ignore: missing !== undefined }, async (t) => {
  await using world = await consoleWorld();
  await fillStore(world, 365);
  const browser = await startBrowser();
  try {
    const { page, complaints } = await openPage(browser, world.console.signInUrl());
    await page.setViewport({ width: 1280, height: 900 });
    const at = (path: string) => page.goto(world.console.url + path);
    const marked = await keywordPlan(world, MARKUP, 4);
    await world.plans.save(
      new ChangePlan({
        ...marked,
        changes: marked.changes.map((change) => ({ ...change, label: `${MARKUP} ${change.label}` })),
      }),
    );
    const pages: [string, string][] = [
      ["/", "Needs attention"],
      ["/plans", "Waiting for you"],
      [`/plans/${marked.id}`, FITS],
      ["/explore", "SQL behind the table"],
      ["/explore?view=sql&sql=SELECT date, clicks FROM sp_campaigns", "rows"],
      ["/explore?view=coverage", "One strip per month"],
      ["/account", "campaigns; amounts in USD"],
      ["/account?view=drift", "by others"],
      ["/operations", "APIs"],
      ["/operations?q=list campaigns", "operations"],
      ["/operations/sponsored-brands-v4:ListSponsoredBrandsCampaigns", "Fields of the body"],
      ["/operations/sponsored-brands-v4:CreateSponsoredBrandsCampaigns", "Make a plan"],
      ["/emulator", "Requests"],
      ["/inbox", "No alerts yet"],
      ["/schedules", "There are no schedules"],
      ["/experiments", "No experiments yet"],
      ["/service", "A service syncs every night"],
    ];

    await t.step("signing in takes the token out of the address", async () => {
      await seeText(page, "Needs attention");
      equal(page.url(), `${world.console.url}/`);
    });

    await t.step(
      "every page is drawn, in light and dark, without a complaint of the browser or of axe, and fits 360 px",
      async () => {
        for (const [path, text] of pages) {
          await at(path);
          await seeText(page, text);
          // The colours are the same on every page: four are tried in both schemes here.
          const inBoth = pages.findIndex(([one]) => one === path) < 4;
          deepEqual(await (inBoth ? problemsInBothSchemes : accessibilityProblems)(page), [], path);
          await page.setViewport({ width: 360, height: 740 });
          ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path);
          await page.setViewport({ width: 1280, height: 900 });
        }
        deepEqual(complaints, []);
      },
    );

    await t.step("nothing moves while a page fills", async () => {
      for (const path of ["/", "/plans", `/plans/${marked.id}`, "/account"]) {
        await at(path);
        await seeText(page, pages.find(([one]) => one === path)?.[1] ?? "");
        const moved = await page.evaluate(() =>
          new Promise<number>((done) => {
            new PerformanceObserver((list) => {
              done(
                list.getEntries().reduce((sum, entry) => sum + Number("value" in entry ? entry.value : 0), 0),
              );
            }).observe({ type: "layout-shift", buffered: true });
            setTimeout(() => done(0), 300);
          })
        );
        ok(moved < 0.1, `${path} moved by ${moved}`);
      }
    });

    await t.step(
      "names with markup are shown as text, and what turns the direction is spelt out",
      async () => {
        await at(`/plans/${marked.id}`);
        await seeText(page, "<img src=x onerror=");
        await seeText(page, "\\u202egnp.exe");
        equal(await page.evaluate(() => document.querySelectorAll("main img").length), 0);
        ok(!(await page.title()).includes("owned"));
      },
    );

    await t.step("a plan goes from its file to applied to undone", async () => {
      const plan = await keywordPlan(world, "Raise the winners");
      await world.plans.save(plan);
      await at("/plans");
      const link = await page.waitForSelector(`a[href="/plans/${plan.id}"]`);
      await link?.click();
      await seeText(page, "Fernpfad Outdoor (seller), US · amounts in USD");
      await clickButton(page, "Apply 5 changes");
      await confirmDialog(page);
      await seeText(page, "Applied");
      equal((await world.plans.status(plan.id)).state, "applied");
      await clickButton(page, "Undo");
      await seeText(page, "This plan undoes Raise the winners: it reverts 5 of 5 changes");
      await clickButton(page, "Apply 5 changes");
      await confirmDialog(page);
      await seeText(page, "Applied");
      await at(`/plans/${plan.id}`);
      await seeText(page, "Undone");
      await at("/plans");
      await seeText(page, "Undo:");
    });

    await t.step("drift is chosen by keyboard, names our plan, and fails in its section alone", async () => {
      await at("/account?view=drift");
      await seeText(page, "Raise the winners");
      const choose = async (word: string) => {
        const box = await page.waitForSelector(`section[aria-label=Changes] ::-p-aria([name="${word}"])`);
        await box?.focus();
        await page.keyboard.press("ArrowDown");
      };
      await choose("Show");
      await page.waitForFunction(() => location.search.includes("by=plan"));
      await page.waitForFunction(() =>
        !document.querySelector("main")?.textContent?.includes("someone else")
      );
      await choose("Last");
      await page.waitForFunction(() => location.search.includes("days=14"));
      await seeText(page, "Raise the winners");
      deepEqual(await accessibilityProblems(page), []);
      await at("/account?view=drift&days=400");
      await page.waitForSelector("section[aria-label=Changes] [role=alert]");
      equal(await page.evaluate(() => document.querySelectorAll("[role=alert]").length), 1);
      await clickButton(page, "Campaigns");
      await seeText(page, "campaigns; amounts in USD");
      await at("/");
      await page.waitForSelector("a[href^='/account?view=drift']");
    });

    await t.step("an agent's plan is approved by a click, and the waiting agent goes on", async () => {
      await createApprovalKey(world.key, { passphrase: "open sesame", iterations: 1000 });
      const context = new McpContext({
        settings: {
          approval: "console",
          approvalKey: world.key.public,
          demo: false,
          planFolder: world.agentPlans.path,
          policyFolder: `${world.agentPlans.path}/policy-days`,
          readOnly: false,
          rows: "both",
          toolsets: undefined,
          saveFolder: undefined,
          stateFolder: world.agentPlans.path,
        },
        connect: () => Promise.resolve(world.ads),
        now: world.time.now,
      });
      await using agent = await Agent.connect(context);
      const keywords = await world.us.sp.keywords.list({ states: ["ENABLED"] });
      const items = [{ keywordId: keywords[7]?.keywordId, bid: 0.66 }];
      const { data: plan } = await agent.call("plan_update", { market: "US", entity: "keywords", items });
      const applying = agent.call("apply_plan", { plan_id: plan.plan_id, fingerprint: plan.fingerprint }, {
        timeout: 600,
      });
      await at(`/plans/${plan.plan_id}`);
      await clickButton(page, "Approve 1 change");
      await page.waitForSelector("dialog[open] input[name=passphrase]");
      await page.type("input[name=passphrase]", "wrong");
      await confirmDialog(page);
      await seeText(page, "the passphrase is wrong");
      await page.$eval("input[name=passphrase]", (input) => ((input as HTMLInputElement).value = ""));
      await page.type("input[name=passphrase]", "open sesame");
      deepEqual(await accessibilityProblems(page), []);
      await confirmDialog(page);
      const { data } = await applying;
      deepEqual([data.approved_by, data.ok], ["signed_approval", true]);
      await context.stop();
    });

    await t.step("with the keyboard alone a change is left out, which makes another plan", async () => {
      const plan = await keywordPlan(world, "By keyboard");
      await world.plans.save(plan);
      await at(`/plans/${plan.id}`);
      await seeText(page, FITS);
      const focused = () =>
        page.evaluate(() =>
          document.activeElement?.getAttribute("role") ?? document.activeElement?.textContent
        );
      for (let tabs = 0; tabs < 40 && await focused() !== "grid"; tabs++) await page.keyboard.press("Tab");
      equal(await focused(), "grid");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Space");
      await seeText(page, "Make a plan with 4 changes");
      for (let tabs = 0; tabs < 40 && !(await focused())?.startsWith("Make a plan"); tabs++) {
        await page.keyboard.down("Shift");
        await page.keyboard.press("Tab");
        await page.keyboard.up("Shift");
      }
      await page.keyboard.press("Enter");
      await seeText(page, "without 1 of its 5 changes");
      const { id } = new URL(page.url()).pathname.match(/plans\/(?<id>[\w-]+)$/)?.groups ?? {};
      equal((await world.plans.get(id ?? "")).changes.length, 4);
    });

    await t.step("a plan of 20,000 changes is shown soon, with few rows in the document", async () => {
      const plan = bigPlan(20_000);
      await world.plans.save(plan);
      const began = performance.now();
      await at(`/plans/${plan.id}`);
      await page.waitForSelector("tr.field");
      console.log(`20,000 changes were shown after ${Math.round(performance.now() - began)} ms`);
      ok(await page.evaluate(() => document.querySelectorAll("tbody tr").length) < 80);
      await page.waitForFunction(() => Number(document.querySelector("[role=grid]")?.ariaRowCount) >= 20_101);
      await page.focus("[role=grid]");
      await page.keyboard.press("End");
      await page.waitForFunction(() => Number(document.querySelector("tr.active")?.ariaRowIndex) >= 20_101);
      ok(await page.evaluate(() => document.querySelectorAll("tbody tr").length) < 80);
      await page.type("main input[type=search]", "shoes 19999");
      await page.waitForFunction(() => Number(document.querySelector("[role=grid]")?.ariaRowCount) <= 4);
    });

    await t.step("a used address and another browser are asked to sign in", async () => {
      const used = world.console.signInUrl();
      const first = await openPage(browser, used);
      await seeText(first.page, "Needs attention");
      const second = await openPage(browser, used);
      await seeText(second.page, "already used or has expired");
      await seeText(second.page, "Press Enter");
    });

    await t.step("another site can neither frame nor read the console", async () => {
      const html =
        `<iframe src="${world.console.url}/"></iframe><img src="${world.console.url}/assets/app.css">`;
      const server = createServer((_, response) => response.setHeader("content-type", "text/html").end(html));
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
      try {
        const { port } = server.address() as AddressInfo;
        const foreign = await anotherTab(page);
        await foreign.goto(`http://127.0.0.1:${port}/`);
        const frame = foreign.frames()[1];
        ok(!(await frame?.content() ?? "").includes("Ads console"));
        const read = await foreign.evaluate(async (url) => {
          const tries = [
            fetch(`${url}/api/plans`, { credentials: "include" }),
            fetch(`${url}/api/plans`, { credentials: "include", headers: { "x-adsctl-console": "guess" } }),
            fetch(`${url}/api/plans/x/refuse`, { method: "POST", credentials: "include", body: "{}" }),
          ];
          return (await Promise.allSettled(tries)).map(({ status }) => status);
        }, world.console.url);
        deepEqual(read, ["rejected", "rejected", "rejected"]);
        await foreign.close();
      } finally {
        server.closeAllConnections();
        await new Promise((done) => server.close(done));
      }
    });

    await t.step(
      "a plan whose answer is lost is shown as it is, once the console is heard again",
      async () => {
        const plan = await keywordPlan(world, "Lost on its way");
        await world.plans.save(plan);
        await at(`/plans/${plan.id}`);
        await seeText(page, "Fernpfad Outdoor (seller), US · amounts in USD");
        await page.evaluate(() => {
          const own = globalThis.fetch;
          globalThis.fetch = async (...request) => {
            const response = await own(...request);
            if (!String(request[0]).endsWith("/apply")) return response;
            await response.text();
            throw new TypeError("Failed to fetch");
          };
        });
        await clickButton(page, "Apply 5 changes");
        await confirmDialog(page);
        await page.waitForFunction(() =>
          document.querySelector(".head .badge")?.textContent?.includes("Applied")
        );
        await page.waitForFunction(() => document.querySelector(".gone, .notice.bad") === null);
        equal((await world.plans.status(plan.id)).state, "applied");
      },
    );

    await t.step("the browser never saw an error that a person would not have caused", () => {
      for (const text of complaints) match(text, /400|401|409/);
    });
  } finally {
    await browser.close();
  }
});
