/// <reference lib="dom" />
import { deepEqual, equal, ok } from "../support/assert.ts";
import { longFile } from "../support/long.ts";
import {
  clickButton,
  openPage,
  problemsInBothSchemes,
  seeText,
  startBrowser,
  whyNoBrowser,
} from "./support/browser.ts";
import { consoleWorld } from "./support/console_world.ts";
import { fillStore } from "./support/fill_store.ts";
import { hiddenTexts } from "./support/hidden_text.ts";

longFile();

const missing = whyNoBrowser();

Deno.test({
  name: "the SQL page lists tables, runs an example, draws its result, and keeps queries across reloads",
  ignore: missing !== undefined,
}, async () => {
  await using world = await consoleWorld();
  await fillStore(world);
  const browser = await startBrowser();
  try {
    const { page, complaints } = await openPage(browser, world.console.signInUrl());
    await seeText(page, "Needs attention");
    const sql = `${world.console.url}/explore?view=sql`;
    await page.goto(sql);
    await seeText(page, "Spend and sales by day");
    const written = () => page.$eval("textarea", (one) => one.value);
    await clickButton(page, "Spend and sales by day");
    const example = await written();
    ok(example.startsWith("SELECT date"));
    await clickButton(page, "Save this query");
    await clickButton(page, "Run");
    await page.waitForSelector("section[aria-label='Chart of the result'] .chart");
    const choice = "section[aria-label='Chart of the result'] select";
    deepEqual(await page.$$eval(`${choice} option`, (all) => all.map(({ value }) => value)), [
      "none",
      "cost",
      "sales",
    ]);
    await page.select(choice, "sales");
    await page.waitForSelector("[aria-label='sales by day']");
    await page.type("input[placeholder='table or column']", "budget_used");
    await page.waitForFunction(() => document.querySelectorAll(".tables details").length === 1);
    await page.click(".tables summary");
    await clickButton(page, "Show rows");
    equal(await written(), "SELECT * FROM budget_pressure LIMIT 100");
    for (const width of [1440, 390]) {
      await page.setViewport({ width, height: 844 });
      ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width}`);
      deepEqual(await hiddenTexts(page), [], `${width}`);
      deepEqual(await problemsInBothSchemes(page), [], `${width}`);
    }
    await page.goto(sql);
    await seeText(page, "Run before");
    for (const list of ["Saved", "Run before"]) {
      const found = await page.$$eval(
        `section[aria-label='${list}'] .two-lines`,
        (all) => all.map((one) => one.getAttribute("title")),
      );
      deepEqual(found, [example], list);
    }
    await page.click("[aria-label^='Forget']");
    await page.waitForFunction(() => document.querySelector("[aria-label^='Forget']") === null);
    deepEqual(complaints, []);
  } finally {
    await browser.close();
  }
});
