/// <reference lib="dom" />
import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { longFile } from "../support/long.ts";
import {
  accessibilityProblems,
  clickButton,
  confirmDialog,
  openPage,
  seeText,
  startBrowser,
  whyNoBrowser,
} from "./support/browser.ts";
import { consoleWorld } from "./support/console_world.ts";
import { fillStore } from "./support/fill_store.ts";
import { hiddenTexts, joinedWords } from "./support/hidden_text.ts";
import { FITS } from "../support/plan_words.ts";

longFile();

const missing = whyNoBrowser();
if (missing !== undefined) console.log(`Not tried in a browser: ${missing}`);

const LONG = "Ein sehr langer Name ".repeat(13).slice(0, 255);
const NAMES = [LONG, "حملة الخيام الصيفية", "夏のテント・キャンペーン"];

Deno.test(
  {
    name: "views, labels, placements and copies in the grid, in a real browser",
    ignore: missing !== undefined,
  },
  async (t) => {
    await using world = await consoleWorld();
    await fillStore(world, 60);
    const campaigns = (await world.us.sp.campaigns.list()).slice(0, 3);
    const ids = campaigns.map(({ campaignId }) => campaignId);
    for (const [at, name] of NAMES.entries()) {
      await world.us.sp.campaigns.update([{ campaignId: ids[at] ?? "", name: name.slice(0, 128) }]);
    }
    const browser = await startBrowser();
    try {
      const { page, complaints } = await openPage(browser, world.console.signInUrl());
      await page.setViewport({ width: 1440, height: 900 });
      await seeText(page, "Needs attention");
      const open = async (more: string) => {
        await page.goto(`${world.console.url}/grid?${more}`);
        await page.waitForSelector("tr.entity");
      };
      const rows = () => page.$eval("main [role=grid]", (grid) => Number(grid.ariaRowCount) - 1);
      const edited = (count: number) =>
        page.waitForFunction((wanted) => document.querySelectorAll("td.edited").length === wanted, {
          polling: 50,
        }, count);
      const cell = async (at: number, title: string) =>
        (await page.$$(`tr.entity td[data-label="${title}"]`))[at];

      await t.step("a view is saved by name, opened, renamed and deleted", async () => {
        await open("table=campaigns&where=clicks+%3E+1+and+cost+%3E+1&sort=-cost");
        const count = await rows();
        ok(count > 0 && count < 1000, String(count));
        await page.click("details.views summary");
        await page.type("details.views input[name=name]", "Losers");
        await page.keyboard.press("Enter");
        await seeText(page, "View: Losers");
        deepEqual(await accessibilityProblems(page), []);
        await open("table=ad_groups");
        await page.click("details.views summary");
        await (await page.waitForSelector("::-p-xpath(//details//a[contains(., 'Losers')])"))?.click();
        await page.waitForFunction(() =>
          new URLSearchParams(location.search).get("where") === "clicks > 1 and cost > 1"
        );
        await page.waitForSelector("tr.entity");
        equal(await rows(), count);
        await page.evaluate(() => document.querySelector("details.views")?.setAttribute("open", ""));
        await clickButton(page, "Rename");
        await page.waitForSelector("details.views input[name=to]");
        await page.keyboard.type(" of the week");
        await page.keyboard.press("Enter");
        await seeText(page, "Losers of the week");
        await clickButton(page, "Delete");
        await seeText(page, "No views are saved yet");
      });

      await t.step("a label shows what carries it", async () => {
        await open("table=campaigns");
        const all = await rows();
        const option = await page.waitForSelector("::-p-xpath(//select/option[. = 'Core range'])");
        const value = await option?.evaluate((one) => (one as HTMLOptionElement).value) ?? "";
        await page.select(`select:has(option[value="${value}"])`, value);
        await page.waitForFunction(
          (before) => Number(document.querySelector("main [role=grid]")?.ariaRowCount) - 1 < before,
          {},
          all,
        );
        ok(page.url().includes("label="));
      });

      await t.step("a placement is typed and filled down, and a portfolio and a day are set", async () => {
        await open("table=campaigns&cols=state,budget,portfolio,top,end");
        await (await cell(0, "Top of search"))?.click({ count: 2 });
        await page.waitForSelector("tr.entity input[type=text]");
        await page.keyboard.type("40");
        await page.keyboard.press("Enter");
        await edited(1);
        await (await cell(0, "Top of search"))?.click();
        await page.keyboard.down("Shift");
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("ArrowDown");
        await page.keyboard.up("Shift");
        await clickButton(page, "Fill down");
        await edited(3);
        await (await cell(0, "Portfolio"))?.click({ count: 2 });
        await page.waitForSelector("tr.entity td select");
        const value = await page.$eval(
          "tr.entity td select",
          (select) =>
            [...(select as HTMLSelectElement).options].find((one) => !one.selected && one.value !== "")
              ?.value ?? "",
        );
        await page.select("tr.entity td select", value);
        await edited(4);
        await (await cell(1, "End"))?.click({ count: 2 });
        await page.waitForSelector("tr.entity input[type=text]");
        await page.keyboard.down("Control");
        await page.keyboard.press("a");
        await page.keyboard.up("Control");
        await page.keyboard.type("2031-05-01");
        await page.keyboard.press("Enter");
        await edited(5);
        deepEqual(await accessibilityProblems(page), []);
        deepEqual([await hiddenTexts(page), await joinedWords(page)], [[], []]);
        await clickButton(page, "Check");
        await seeText(page, "Spend a day");
      });

      await t.step(
        "the handle of a cell is dragged down, up again, and Escape leaves all as it was",
        async () => {
          await open("table=keywords&sort=-bid");
          const drag = async (from: number, to: number) => {
            const [first, last] = [await cell(from, "Bid"), await cell(to, "Bid")];
            await first?.click();
            const handle = await page.waitForSelector("td.chosen .handle");
            const [start, end] = [await handle!.boundingBox(), await last!.boundingBox()];
            await page.mouse.move(start!.x + 4, start!.y + 4);
            await page.mouse.down();
            await page.mouse.move(end!.x + 8, end!.y + end!.height / 2, { steps: 5 });
          };
          const bids = () =>
            page.$$eval(
              'tr.entity td[data-label="Bid"]',
              (all) => all.slice(0, 5).map((one) => one.innerText),
            );
          await (await cell(1, "Bid"))?.click({ count: 2 });
          await page.waitForSelector("tr.entity input[type=text]");
          await page.keyboard.type("0.41");
          await page.keyboard.press("Enter");
          // The campaigns of the step before are in the draft too, and not in this table.
          await edited(1);
          await drag(1, 4);
          equal((await page.$$("td.filling")).length, 4);
          await page.mouse.up();
          await edited(4);
          ok(
            (await bids()).slice(1).every((text) => text.endsWith("0.41")),
          );
          await drag(1, 0);
          await page.keyboard.press("Escape");
          await page.mouse.up();
          await edited(4);
          await drag(1, 0);
          await page.mouse.up();
          await edited(5);
          await clickButton(page, "Undo");
          await clickButton(page, "Undo");
          await clickButton(page, "Undo");
          await edited(0);
        },
      );

      await t.step(
        "long, right-to-left and Japanese names stay readable, at 200 % zoom and with forced colours",
        async () => {
          for (const [width, height, scale] of [[1440, 900, 1], [640, 450, 2], [390, 844, 2]] as const) {
            await page.setViewport({ width, height, deviceScaleFactor: scale });
            await open("table=campaigns");
            ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width}`);
            deepEqual(await hiddenTexts(page), [], `${width}`);
            for (const name of NAMES) await seeText(page, name.slice(0, 18));
          }
          await page.setViewport({ width: 1440, height: 900 });
          const session = await page.createCDPSession();
          await session.send("Emulation.setEmulatedMedia", {
            features: [{ name: "forced-colors", value: "active" }],
          });
          await open("table=campaigns&cols=state,budget,top");
          const lines = await page.evaluate(() => {
            const chosen = document.querySelector("td.chosen");
            const changed = document.querySelector("td.edited");
            return [chosen, changed].map((one) =>
              one !== null &&
              (getComputedStyle(one).outlineStyle !== "none" ||
                getComputedStyle(one).borderLeftStyle !== "none")
            );
          });
          deepEqual(
            lines,
            [true, true],
            "the chosen cell and the edited ones have lines where colours are forced",
          );
          await session.send("Emulation.setEmulatedMedia", { features: [] });
        },
      );

      await t.step("ticked campaigns are copied to another profile", async () => {
        await page.setViewport({ width: 1440, height: 900 });
        await open("table=campaigns&q=Trail");
        await (await page.$("tr.entity input[type=checkbox]"))?.click();
        await clickButton(page, "Copy");
        await page.waitForSelector("dialog[open]");
        const ca = (await world.ads.profile("CA")).profileId;
        await page.select(`dialog select:has(option[value="${ca}"])`, ca);
        await page.type('dialog input[inputmode="decimal"]', "1.37");
        deepEqual(await accessibilityProblems(page), []);
        await confirmDialog(page);
        await page.waitForFunction(() => location.pathname.startsWith("/plans/"));
        const plan = await world.plans.get(/[^/]+$/.exec(page.url())?.[0] ?? "");
        equal(plan.profileId, ca);
      });

      await t.step("two profiles are one table, and their edits become a plan of each", async () => {
        const ca = (await world.ads.profile("CA")).profileId;
        const us = world.us.profileId;
        await open("table=ad_groups");
        await page.click("details.choose summary");
        await (await page.waitForSelector("::-p-xpath(//label[contains(., 'CA ·')]/input)"))?.click();
        await seeText(page, "CAD: ");
        ok(page.url().includes(`profile=${us}%2C${ca}`), page.url());
        equal((await page.$$("tr.sums")).length, 2);
        await page.waitForSelector("tr.entity");
        deepEqual([await hiddenTexts(page), await joinedWords(page)], [[], []]);
        deepEqual(await accessibilityProblems(page), []);
        const before = (await page.$$("td.edited")).length;
        const bidOf = async (market: string) => {
          const found = await page.waitForSelector(
            `::-p-xpath(//tr[contains(@class, "entity")][td[@data-label="Profile"][starts-with(., "${market}")]]/td[@data-label="Bid"])`,
          );
          await found?.click({ count: 2 });
          await page.waitForSelector("tr.entity input[type=text]");
          await page.keyboard.type("0.61");
          await page.keyboard.press("Enter");
        };
        await bidOf("US");
        await edited(before + 1);
        await page.select('select:has(option[value="edited"])', "");
        await page.type("main input[type=search]", "CA");
        await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
        await bidOf("CA");
        // Only the edit of Canada is in this view; it was the last.
        await edited(1);
        await clickButton(page, "Undo");
        await edited(0);
        await clickButton(page, "Redo");
        await edited(1);
        await clickButton(page, "Check");
        await seeText(page, "Spend a day");
        await clickButton(page, "Review");
        await seeText(page, "One plan per profile, 2 in all");
        await confirmDialog(page);
        await seeText(page, "Plans were made");
        const links = await page.$$eval("dialog a", (all) => all.map(({ pathname }) => pathname.slice(7)));
        const plans = await Promise.all(links.map((id) => world.plans.get(id)));
        deepEqual(plans.map(({ profileId }) => profileId).sort(), [us, ca].sort());
        for (const { changes } of plans) ok(changes.some(({ after }) => after["defaultBid"] === 0.61));
        await page.setViewport({ width: 390, height: 844 });
        await page.goto(`${world.console.url}/grid?table=campaigns&profile=all`);
        await page.waitForSelector("tr.entity");
        ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        deepEqual(await hiddenTexts(page), []);
      });

      await t.step("the browser never saw an error", () => deepEqual(complaints, []));
    } finally {
      await browser.close();
    }
  },
);

Deno.test(
  { name: "a week of edits with keys alone, on the desk and at 390 px", ignore: missing !== undefined },
  async (t) => {
    await using world = await consoleWorld();
    await fillStore(world, 60);
    const browser = await startBrowser();
    try {
      const { page, complaints } = await openPage(browser, world.console.signInUrl());
      await seeText(page, "Needs attention");
      for (const [width, height] of [[1280, 800], [390, 844]] as const) {
        await t.step(`at ${width} px: bids, a budget, a list pasted, check, plan, apply`, async () => {
          await page.setViewport({ width, height });
          await page.goto(`${world.console.url}/grid?table=keywords&sort=-bid`);
          await page.waitForSelector("tr.entity");
          const column = async (word: string) => {
            await focusGrid();
            const keys = await page.$$eval(
              "thead tr:first-child th",
              (all) => all.map(({ textContent }) => textContent ?? ""),
            );
            for (let at = 0; at < keys.length; at++) await page.keyboard.press("ArrowLeft");
            for (let at = keys.findIndex((one) => one.startsWith(word)) - 1; at > 0; at--) {
              await page.keyboard.press("ArrowRight");
            }
          };
          /** Goes to the table as a person without a mouse does. */
          const focusGrid = async () => {
            for (let at = 0; at < 80; at++) {
              if (await page.evaluate(() => document.activeElement?.getAttribute("role") === "grid")) return;
              await page.keyboard.press("Tab");
            }
            throw new Error("Tab never reaches the grid");
          };
          /** Tabs to a button of the page or of the dialog, and presses it. */
          const press = async (word: string) => {
            for (let at = 0; at < 80; at++) {
              const text = await page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
              const name = await page.evaluate(() => document.activeElement?.tagName);
              if (name === "BUTTON" && text.startsWith(word)) return await page.keyboard.press("Enter");
              await page.keyboard.press("Tab");
            }
            throw new Error(`Tab never reaches "${word}"`);
          };
          await column("Bid");
          await page.keyboard.press("Home");
          await page.keyboard.type("+10%");
          await page.keyboard.press("Enter");
          await page.keyboard.type("0.52");
          await page.keyboard.press("Enter");
          await page.waitForFunction(() => document.querySelectorAll("td.edited").length === 2, {
            polling: 50,
          });
          await page.keyboard.press("v");
          await page.waitForSelector("dialog textarea");
          const names = await page.$$eval(
            "tr.entity td.name",
            (all) => all.slice(3, 5).map(({ textContent }) => textContent ?? ""),
          );
          await page.keyboard.type(`nobody\t1`);
          await seeText(page, 'no row in this view has the id or name "nobody"');
          await page.keyboard.press("Escape");
          ok(names.length === 2);
          await page.waitForFunction(() => document.querySelector("dialog") === null);
          await page.keyboard.press("c");
          await seeText(page, "Findings");
          await page.waitForFunction(() =>
            document.body.innerText.includes("Checked") ||
            document.querySelector("section.stay dd.warn") !== null
          );
          deepEqual(await hiddenTexts(page), []);
          await focusGrid();
          await page.keyboard.press("r");
          await page.waitForSelector("dialog input[name=note]");
          await page.keyboard.type(`Week at ${width}`);
          await page.keyboard.press("Enter");
          await seeText(page, FITS);
          await page.keyboard.press("a");
          await page.waitForSelector("dialog[open]");
          for (const box of await page.$$("dialog[open] input[type=checkbox]")) {
            await box.focus();
            await page.keyboard.press("Space");
          }
          await press("Apply");
          await seeText(page, "Applied");
          const status = await world.plans.status(/[^/?]+$/.exec(new URL(page.url()).pathname)?.[0] ?? "");
          deepEqual([status.state, status.state === "applied" && status.ok], ["applied", true]);
        });
      }
      await t.step("the browser never saw an error", () => {
        // A plan that was just applied has no days after it to compare.
        for (const text of complaints) match(text, /409/);
      });
    } finally {
      await browser.close();
    }
  },
);
