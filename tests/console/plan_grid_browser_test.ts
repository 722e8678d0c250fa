/// <reference lib="dom" />
import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { longFile } from "../support/long.ts";
import {
  accessibilityProblems,
  anotherTab,
  clickButton,
  confirmDialog,
  openPage,
  seeText,
  startBrowser,
  whyNoBrowser,
} from "./support/browser.ts";
import { consoleWorld } from "./support/console_world.ts";
import { hiddenTexts, joinedWords } from "./support/hidden_text.ts";
import { FITS } from "../support/plan_words.ts";

longFile();

const missing = whyNoBrowser();
if (missing !== undefined) console.log(`Not tried in a browser: ${missing}`);

Deno.test(
  { name: "an agent's plan is worked through in the grid, in a real browser", ignore: missing !== undefined },
  async (t) => {
    await using world = await consoleWorld();
    const keywords = (await world.us.sp.keywords.list()).filter(({ bid }) => bid !== undefined).slice(0, 6);
    const [first] = keywords;
    if (first === undefined) throw new Error("the demo account is smaller");
    const draft = world.us.plan();
    for (const { keywordId } of keywords) draft.update("sp.keywords", { keywordId, bid: 0.66 });
    draft.create("sp.keywords", {
      campaignId: first.campaignId,
      adGroupId: first.adGroupId,
      keywordText: "wind shelter",
      matchType: "EXACT",
      bid: 0.5,
      state: "ENABLED",
    });
    const plan = await draft.build({ note: "Lower what loses" });
    await world.agentPlans.save(plan);
    const browser = await startBrowser();
    try {
      const { page, complaints } = await openPage(browser, world.console.signInUrl());
      await page.setViewport({ width: 1440, height: 900 });
      await seeText(page, "Needs attention");
      let second = page;
      const counts = () =>
        page.$$eval(
          "section.stay dl div",
          (all) =>
            Object.fromEntries(
              all.map((one) => [one.children[0]?.textContent, one.children[1]?.textContent]),
            ),
        );
      /** The console has what a step changed: until then a reload would lose it. */
      const saved = (body: RegExp) =>
        page.waitForResponse((response) => {
          const request = response.request();
          return request.method() === "POST" && request.url().endsWith("/draft") &&
            body.test(request.postData() ?? "");
        });
      const decided = (kept: number, changed: number, rejected: number, at = page) =>
        at.waitForFunction(
          (wanted) =>
            [...document.querySelectorAll("section.stay dd")].slice(0, 3).map(({ textContent }) =>
              textContent
            ).join() ===
              wanted,
          { polling: 50 },
          [kept, changed, rejected].join(),
        );

      await t.step(
        "the page of the plan leads there, and each row has the old and the new value",
        async () => {
          await page.goto(`${world.console.url}/plans/${plan.id}`);
          await seeText(page, FITS);
          await (await page.$("::-p-xpath(//a[contains(., 'Edit in the grid')])"))?.click();
          await page.waitForSelector("tr.entity");
          await decided(7, 0, 0);
          equal((await page.$$("td.edited")).length, 6);
          const texts = await page.$$eval(
            'tr.entity td[data-label="Bid"]',
            (all) => all.map(({ innerText }) => innerText),
          );
          deepEqual(
            texts.slice(0, 6),
            keywords.map(({ bid }) => `${bid?.toFixed(2)}\n0.66`),
          );
          deepEqual(await accessibilityProblems(page), []);
          deepEqual([await hiddenTexts(page), await joinedWords(page)], [[], []]);
          match(await page.evaluate(() => document.body.innerText), /Review 7 changes …/);
        },
      );

      await t.step(
        "with keys alone: one is changed, two are rejected, one is kept again, and undone",
        async () => {
          await page.focus("[role=grid]");
          const heads = await page.$$eval(
            "thead tr:first-child th",
            (all) => all.map(({ innerText }) => innerText),
          );
          for (
            let at = heads.findIndex((one) => one.startsWith("Bid")) - 1;
            at > 0;
            at--
          ) await page.keyboard.press("ArrowRight");
          await page.keyboard.type("0.7");
          await page.keyboard.press("Enter");
          await decided(6, 1, 0);
          await page.keyboard.down("Shift");
          await page.keyboard.press("ArrowDown");
          await page.keyboard.up("Shift");
          await page.keyboard.press("x");
          await decided(4, 1, 2);
          await page.keyboard.press("Home");
          await page.keyboard.press("ArrowDown");
          await page.keyboard.press("x");
          await decided(5, 1, 1);
          await page.keyboard.down("Control");
          await page.keyboard.press("z");
          await page.keyboard.up("Control");
          await decided(4, 1, 2);
          await page.keyboard.press("x");
          await decided(5, 1, 1);
        },
      );

      await t.step("the new keyword gets another bid and is then rejected with the mouse", async () => {
        const cell = await page.$(`::-p-xpath(//tr[contains(., "wind shelter")]/td[@data-label="Bid"])`);
        await cell?.click({ count: 2 });
        await page.waitForSelector("tr.entity input[type=text]");
        await page.keyboard.type("0.45");
        const edited = saved(/0\.45/);
        await page.keyboard.press("Enter");
        await decided(4, 2, 1);
        await edited;
        await (await page.$(`::-p-xpath(//tr[contains(., "wind shelter")]/td[@data-label="Campaign"])`))
          ?.click();
        const rejected = saved(/"discard":\[\{/);
        await clickButton(page, "Reject");
        await decided(4, 1, 2);
        await rejected;
        await page.reload();
        await page.waitForSelector("tr.entity");
        await decided(4, 1, 2);
        await page.select("select:has(option[value=rejected])", "rejected");
        await page.waitForFunction(() => document.querySelectorAll("tr.entity").length === 2);
        await page.select("select:has(option[value=rejected])", "");
      });

      await t.step("on a phone nothing is wider than the screen, and a row is kept by a touch", async () => {
        await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
        await page.reload();
        await page.waitForSelector("tr.entity");
        ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        deepEqual(await hiddenTexts(page), []);
        deepEqual(await accessibilityProblems(page), []);
        await page.setViewport({ width: 1440, height: 900 });
        await page.reload();
        await page.waitForSelector("tr.entity");
      });

      await t.step("a second tab on the draft of the plan is told", async () => {
        const other = await anotherTab(page);
        await other.goto(page.url());
        await decided(4, 1, 2, other);
        await page.bringToFront();
        await page.focus("[role=grid]");
        await page.keyboard.press("End");
        await page.keyboard.press("x");
        await decided(5, 1, 1);
        await seeText(other, "These edits were changed in another tab");
        await decided(5, 1, 1, other);
        second = other;
      });

      await t.step("Check and Review make the plan that is left, and close the first", async () => {
        await clickButton(page, "Check");
        await seeText(page, "Spend a day");
        deepEqual((await counts())["Kept"], "5");
        await clickButton(page, "Review 6 changes");
        await page.type("dialog input[name=note]", "Not so low");
        await confirmDialog(page);
        await seeText(page, FITS);
        await seeText(page, "Not so low");
        // The second tab is told that the plan is closed, and can no longer edit it.
        await seeText(second, "a person replaced it");
        equal(await second.$("section[aria-label=Edits]"), null);
        await second.close();
        const [next = ""] = /[^/]+$/.exec(await page.evaluate(() => location.pathname)) ?? [];
        const made = await world.agentPlans.get(next);
        deepEqual(made.changes.map(({ after }) => after["bid"]).sort(), [0.5, 0.66, 0.66, 0.66, 0.66, 0.7]);
        await page.goto(`${world.console.url}/plans/${plan.id}`);
        await seeText(page, "replaced");
        await seeText(page, `plan ${next} replaces it`);
        await page.goto(`${world.console.url}/grid?plan=${plan.id}`);
        await seeText(page, "a person replaced it");
        equal(await page.$("section[aria-label=Edits]"), null);
      });

      await t.step("the browser never saw an error", () => deepEqual(complaints, []));
    } finally {
      await browser.close();
    }
  },
);
