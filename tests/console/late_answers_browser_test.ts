/// <reference lib="dom" />
import type { ChangePlan } from "../../mod.ts";
import type { HTTPRequest, HTTPResponse, Page } from "puppeteer-core";
import { deepEqual, equal, ok } from "../support/assert.ts";
import { longFile } from "../support/long.ts";
import { until } from "../support/until.ts";
import { anotherTab, clickButton, openPage, seeText, startBrowser, whyNoBrowser } from "./support/browser.ts";
import { type ConsoleWorld, consoleWorld } from "./support/console_world.ts";
import { interruptedPlan } from "./support/interrupted_plan.ts";
import { fillStore } from "./support/fill_store.ts";
import { FITS } from "../support/plan_words.ts";

longFile();

const missing = whyNoBrowser();

/** Requests of a page that are kept back until a test answers them, by a part of their address. */
async function keptBack(page: Page, part: string | RegExp): Promise<HTTPRequest[]> {
  const kept: HTTPRequest[] = [];
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    if (request.url().match(part)) kept.push(request);
    else void request.continue();
  });
  return kept;
}

/** Answers a request that the page may have given up. */
async function answer(request: HTTPRequest | undefined, data: unknown): Promise<void> {
  await request?.respond({ contentType: "application/json", body: JSON.stringify(data) }).catch(() => {});
}

Deno.test({
  name: "a preview of an earlier form never appears, and the changed form can be previewed at once",
  ignore: missing !== undefined,
}, async () => {
  await using world = await consoleWorld();
  const browser = await startBrowser();
  try {
    const { page, complaints } = await openPage(browser, world.console.signInUrl());
    await seeText(page, "Needs attention");
    const kept = await keptBack(page, "/preview");
    await page.goto(`${world.console.url}/jobs?job=negatives`);
    await seeText(page, "How it works");
    const preview = (changes: number) => ({
      changes,
      campaigns: [],
      left_out_counts: {},
      warnings: [],
      currency: "USD",
      decimals: 2,
    });
    await clickButton(page, "Preview");
    await until(() => kept.length === 1);
    await page.type("form input", "3");
    // The button works again, although the first preview is still being worked out.
    await clickButton(page, "Preview");
    await until(() => kept.length === 2);
    await answer(kept[1], preview(22));
    await seeText(page, "22 changes");
    await answer(kept[0], preview(11));
    await page.type("form input", "1");
    await clickButton(page, "Preview");
    await until(() => kept.length === 3);
    await page.type("form input", "2");
    await answer(kept[2], preview(33));
    await new Promise((done) => setTimeout(done, 300));
    const text = await page.$eval("main", (main) => main.innerText);
    ok(!/(11|22|33) changes/.test(text), text);
    deepEqual(complaints, []);
  } finally {
    await browser.close();
  }
});

Deno.test({
  name: "hours of the profile that was shown before never appear under another one",
  ignore: missing !== undefined,
}, async () => {
  await using world = await consoleWorld();
  await fillStore(world, 20);
  const ca = await world.ads.profile("CA");
  await fillStore({ ...world, us: ca }, 20);
  const browser = await startBrowser();
  try {
    const { page } = await openPage(browser, world.console.signInUrl());
    await seeText(page, "Needs attention");
    const kept = await keptBack(page, "/api/hours");
    await page.goto(`${world.console.url}/explore?profile=${world.us.profileId}`);
    await until(() => kept.length === 1);
    await seeText(page, "Profile");
    await page.select("main select", ca.profileId);
    await until(() => kept.length === 2);
    await answer(kept[1], { hours: null });
    await seeText(page, "No hourly figures are stored");
    const hour = { clicks: 1, cost: 1, orders: 1, sales: 1 };
    const cells = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => hour));
    await answer(kept[0], {
      hours: { from: "2026-01-01", to: "2026-01-02", mature: true, cells },
      currency: "USD",
      decimals: 2,
    });
    await new Promise((done) => setTimeout(done, 300));
    await seeText(page, "No hourly figures are stored");
  } finally {
    await browser.close();
  }
});

Deno.test({
  name: "no command is shown before the options are known by which this console reaches its account",
  ignore: missing !== undefined,
}, async () => {
  await using world = await consoleWorld();
  const browser = await startBrowser();
  try {
    const { page } = await openPage(browser, world.console.signInUrl());
    await seeText(page, "Needs attention");
    const kept = await keptBack(page, "/api/console");
    await page.goto(`${world.console.url}/service`);
    await seeText(page, "A service syncs every night");
    const commands = (): Promise<string[]> =>
      page.$$eval(
        "main code",
        (all) => all.map(({ innerText }) => innerText).filter((one) => /^adsctl/.test(one)),
      );
    deepEqual(await commands(), []);
    await until(() => kept.length === 1);
    // It asks again when the answer is an error.
    await kept[0]?.respond({ status: 500, contentType: "application/json", body: "{}" });
    await until(() => kept.length === 2);
    deepEqual(await commands(), []);
    await answer(kept[1], { command_options: { account: "--demo", store: "" } });
    await seeText(page, "adsctl auto init --demo");
    deepEqual(await commands(), ["adsctl auto init --demo", "adsctl auto run --demo"]);
  } finally {
    await browser.close();
  }
});

Deno.test({
  name:
    "until the console says what it serves, sentences have no command and the grid no rows, and later labels move none",
  ignore: missing !== undefined,
}, async () => {
  await using world = await consoleWorld();
  await fillStore(world, 20);
  const browser = await startBrowser();
  try {
    const { page } = await openPage(browser, world.console.signInUrl());
    await seeText(page, "Needs attention");
    const kept = await keptBack(page, /\/api\/console|\/labels/);
    await page.goto(`${world.console.url}/explore`);
    await seeText(page, "No hourly figures are stored");
    deepEqual(await page.$$eval("main code", (all) => all.map(({ innerText }) => innerText)), []);
    kept.length = 0;
    const answered = page.waitForResponse((response) => response.url().includes("/grid/campaigns"));
    await page.goto(`${world.console.url}/grid`);
    await (await answered).json();
    await until(() => kept.length === 2);
    const rows = (): Promise<number> => page.$$eval("tr.entity", ({ length }) => length);
    const places = (): Promise<number[]> =>
      page.$$eval(
        ".toolbar input, .toolbar select, .toolbar summary, tr.entity",
        (all) =>
          all.map((one) => one.getBoundingClientRect()).flatMap(({ left, right, top }) => [left, right, top]),
      );
    equal(await rows(), 0);
    const [about, labels] = ["/api/console", "/labels"].map((part) =>
      kept.find((one) => one.url().includes(part))
    );
    await answer(about, { read_only: false, command_options: { account: "", store: "" } });
    await page.waitForSelector("tr.entity");
    const before = await places();
    const label = { id: "1", name: "Season of 2026, all", campaigns: [], ad_groups: [] };
    await answer(labels, { labels: [label] });
    await page.waitForFunction(() =>
      [...document.querySelectorAll("option")].some(({ innerText }) => innerText === "Season of 2026, all")
    );
    deepEqual(await places(), before);
  } finally {
    await browser.close();
  }
});
async function seeApplied(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector(".head .badge")?.textContent?.includes("Applied"));
}

/** Kilobytes a second and milliseconds of a poor connection. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 60_000, uploadThroughput: 60_000 };

Deno.test({
  name: "on a slow network pages say that they load, nothing is sent twice, and two tabs agree",
  ignore: missing !== undefined,
}, async (t) => {
  await using world = await consoleWorld();
  await fillStore(world, 60);
  const browser = await startBrowser();
  try {
    const { page, complaints } = await openPage(browser, world.console.signInUrl());
    await seeText(page, "Needs attention");
    const plan = await planOf(world, "Slowly");
    await page.setCacheEnabled(false);

    await t.step("first screens, in requests, bytes, and milliseconds without the slowness", async () => {
      const pages: [path: string, text: string][] = [
        ["/", "Needs attention"],
        ["/inbox", "No alerts yet"],
        ["/plans", "Slowly"],
        [`/plans/${plan.id}`, FITS],
        ["/explore", "SQL behind the table"],
        ["/terms", "No search terms"],
        ["/jobs", "How it works"],
        ["/account", "amounts in USD"],
        ["/operations", "APIs"],
        ["/schedules", "There are no schedules"],
        ["/experiments", "No experiments yet"],
        ["/service", "A service syncs every night"],
      ];
      for (const [path, text] of pages) {
        const { count, bytes, took } = await measured(page, async () => {
          await page.goto(world.console.url + path, { waitUntil: "domcontentloaded" });
          await seeText(page, text);
        });
        console.log(`${path}: ${count} requests, ${Math.round(bytes / 1000)} KB, ${took} ms`);
        // Everything that a first screen needs, uncompressed; the clock is only printed.
        ok(count <= 60 && bytes < 700_000, `${path}: ${count} requests, ${bytes} bytes`);
      }
    });

    const session = await page.createCDPSession();
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", SLOW);

    await t.step("every page says that it loads, before it has anything to show", async () => {
      let kept: HTTPRequest[] | undefined;
      const keep = (request: HTTPRequest): void => {
        if (kept !== undefined && request.url().includes("/api/")) kept.push(request);
        else void request.continue().catch(() => {});
      };
      await page.setRequestInterception(true);
      page.on("request", keep);
      for (const path of ["/", "/plans", "/explore", "/account", "/inbox"]) {
        kept = [];
        await page.goto(world.console.url + path, { waitUntil: "domcontentloaded" });
        await page.waitForSelector("main .loading");
        for (const request of kept) void request.continue().catch(() => {});
        kept = undefined;
        await page.waitForFunction(() => document.querySelector("main .loading") === null);
      }
      await page.setRequestInterception(false);
      page.off("request", keep);
    });

    await t.step(
      "a second click while a plan is sent sends nothing, and the state says what happens",
      async () => {
        let sent = 0;
        page.on("request", (request) => void (request.url().endsWith("/apply") && sent++));
        await page.goto(`${world.console.url}/plans/${plan.id}`);
        await seeText(page, FITS);
        await clickButton(page, "Apply 1 change");
        await page.waitForSelector("dialog[open] button.primary:not(:disabled)");
        await page.$eval("dialog[open] button.primary", (button) => {
          const one = button as HTMLButtonElement;
          one.click();
          one.click();
        });
        // A person who sees no answer yet clicks and presses again.
        ok(await page.$(".stay .primary:not(:disabled)") === null, "the button is off at once");
        await page.keyboard.press("a");
        await seeApplied(page);
        equal(sent, 1);
      },
    );

    await t.step("of two tabs one applies a plan, and the other shows it and can send nothing", async () => {
      const both = await planOf(world, "In two tabs");
      const other = await anotherTab(page);
      for (const tab of [page, other]) {
        // What is not in sight is not drawn.
        await tab.bringToFront();
        await tab.goto(`${world.console.url}/plans/${both.id}`);
        await seeText(tab, FITS);
      }
      await clickButton(other, "Apply 1 change");
      await other.waitForSelector("dialog[open] button.primary:not(:disabled)");
      await page.bringToFront();
      await clickButton(page, "Apply 1 change");
      await page.waitForSelector("dialog[open] button.primary:not(:disabled)");
      await page.click("dialog[open] button.primary");
      await seeApplied(page);
      await other.bringToFront();
      await seeApplied(other);
      await other.waitForFunction(() => document.querySelector("dialog[open]") === null);
      const offered = await other.$$eval(".stay button", (all) => all.map((one) => one.textContent));
      deepEqual(offered, ["Undo …"]);
      await other.close();
    });

    await t.step("an interrupted plan is given up only in a dialog that says what is lost", async () => {
      const cut = await interruptedPlan(world);
      await page.bringToFront();
      const reviewed = page.waitForResponse((response) => response.url().endsWith("/review"));
      await page.goto(`${world.console.url}/plans/${cut.id}`);
      await reviewed;
      await seeText(page, "Finish sending");
      await clickButton(page, "Undo …");
      await seeText(page, "2 changes not sent");
      await clickButton(page, "Cancel");
      equal((await world.plans.status(cut.id)).state, "unfinished");
      await clickButton(page, "Undo …");
      await page.waitForSelector("dialog[open] button.primary:not(:disabled)");
      await page.click("dialog[open] button.primary");
      await page.waitForFunction((id) => location.pathname === `/plans/${id}-undo`, {}, cut.id);
      equal((await world.plans.status(cut.id)).state, "applied");
    });

    // A browser itself reports the refusal that the page turns into a question.
    deepEqual(complaints.filter((line) => !/409.*\/undo$/.test(line)), []);
  } finally {
    await browser.close();
  }
});

/** A saved plan that raises one bid. */
async function planOf({ us, plans }: ConsoleWorld, note: string): Promise<ChangePlan> {
  const keywords = (await us.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) => bid);
  const keyword = keywords[note.length % keywords.length];
  const bid = Math.round((keyword?.bid ?? 1) * 105) / 100;
  const plan = await us.sp.keywords.planUpdate([{ keywordId: String(keyword?.keywordId), bid }], { note });
  await plans.save(plan);
  return plan;
}

/** Requests and bytes of what a step loads, and how long it takes. */
async function measured(
  page: Page,
  step: () => Promise<void>,
): Promise<{ readonly count: number; readonly bytes: number; readonly took: number }> {
  let count = 0;
  let bytes = 0;
  const seen = (response: HTTPResponse): void => {
    // The stream of events never ends.
    if (response.url().endsWith("/api/events")) return;
    count++;
    void response.buffer().then((body) => void (bytes += body.length), () => {});
  };
  page.on("response", seen);
  const began = performance.now();
  await step();
  const took = Math.round(performance.now() - began);
  page.off("response", seen);
  return { count, bytes, took };
}
