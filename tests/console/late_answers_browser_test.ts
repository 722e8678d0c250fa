/// <reference lib="dom" />
import type { HTTPRequest, Page } from "puppeteer-core";
import { deepEqual, ok } from "../support/assert.ts";
import { longFile } from "../support/long.ts";
import { clickButton, openPage, seeText, startBrowser, whyNoBrowser } from "./support/browser.ts";
import { consoleWorld } from "./support/console_world.ts";
import { fillStore } from "./support/fill_store.ts";

longFile();

const missing = whyNoBrowser();

/** Requests of a page that are kept back until a test answers them, by a part of their address. */
async function keptBack(page: Page, part: string): Promise<HTTPRequest[]> {
  const kept: HTTPRequest[] = [];
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    if (request.url().includes(part)) kept.push(request);
    else void request.continue();
  });
  return kept;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((done) => setTimeout(done, 20));
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
      left_out: {},
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
    await seeText(page, "No hourly figures are stored", 1000);
  } finally {
    await browser.close();
  }
});
