/// <reference lib="dom" />
import { Warehouse } from "../../src/store/mod.ts";
import { deepEqual, equal, ok } from "../support/assert.ts";
import { longFile } from "../support/long.ts";
import {
  accessibilityProblems,
  clickButton,
  openPage,
  problemsInBothSchemes,
  seeText,
  startBrowser,
  whyNoBrowser,
} from "./support/browser.ts";
import { consoleWorld } from "./support/console_world.ts";
import { doWeek, Person, prepareWeek } from "./support/guide_week.ts";
import { hiddenTexts, joinedWords } from "./support/hidden_text.ts";

longFile();

const missing = whyNoBrowser();

Deno.test({ name: "search terms are ticked and become plans", ignore: missing !== undefined }, async (t) => {
  await using world = await consoleWorld({ emulator: { quirks: { reportSeconds: 0 } } });
  {
    await using store = await Warehouse.open(world.storePlace, { now: world.time.now });
    (await store.sync(world.us, { reports: ["sp_search_terms"] })).raiseForErrors();
  }
  const browser = await startBrowser();
  try {
    const { page, complaints } = await openPage(browser, world.console.signInUrl());
    await seeText(page, "Needs attention");
    const at = async (path: string) => {
      await page.goto(world.console.url + path);
      await seeText(page, "Tick terms to plan for exactly those");
    };
    /** Changes of the plan that the page shows, by kind. */
    const planned = async (): Promise<Record<string, unknown>[]> => {
      await page.waitForFunction(() => location.pathname.startsWith("/plans/"));
      const id = (await page.evaluate(() => location.pathname)).split("/").at(-1) ?? "";
      for (const store of [world.plans, world.rolloutPlans, world.agentPlans]) {
        const plan = await store.get(id).catch(() => undefined);
        if (plan !== undefined) return plan.changes.map(({ kind, after }) => ({ kind, ...after }));
      }
      throw new Error(`There is no plan ${id}`);
    };
    /** Ticks the first terms that are shown, and gives them. */
    const tick = async (count: number): Promise<string[]> => {
      await page.waitForFunction(
        (wanted) => document.querySelectorAll("tbody input[type=checkbox]").length >= wanted,
        {},
        count,
      );
      const names: string[] = [];
      for (let row = 0; row < count; row++) {
        const boxes = await page.$$("tbody input[type=checkbox]");
        names.push(
          await boxes[row]!.evaluate((one) => (one.getAttribute("aria-label") ?? "").replace(/^Tick /, "")),
        );
        await boxes[row]!.click();
      }
      await seeText(page, `${count} term${count === 1 ? "" : "s"} ticked`);
      return names;
    };

    await t.step(
      "terms that sell are moved to the target that is suggested, each with its negative",
      async () => {
        await at("/terms?show=sold&q=Trail Tent 2P auto");
        const terms = await tick(2);
        await clickButton(page, "Move to keywords");
        await seeText(page, "Make a plan of");
        const target = await page.$eval(
          "form[aria-label=Targets] input",
          (one) => (one as HTMLInputElement).value,
        );
        equal(target, "Trail Tent 2P exact");
        deepEqual(await accessibilityProblems(page), []);
        await clickButton(page, "Make a plan of");
        const changes = await planned();
        const texts = (part: string) =>
          changes.filter(({ kind }) => String(kind).includes("negative") === (part === "negative")).map((
            one,
          ) =>
            String(one["keywordText"] ?? (one["expression"] as { value: string }[])[0]?.value.toLowerCase())
          );
        deepEqual(texts("negative").sort(), terms.sort());
        ok(texts("new").length > 0 && texts("new").every((text) => terms.includes(text)));
      },
    );

    await t.step("a product becomes a negative target, and with keys alone a term a negative", async () => {
      await at("/terms?show=products&q=Trail Tent 2P auto");
      const [product] = await tick(1);
      await clickButton(page, "Negate");
      await clickButton(page, "Make a plan of 1 change");
      const [change] = await planned();
      deepEqual([change?.["kind"], change?.["expression"]], [
        "sp.negative_targets",
        [{ type: "ASIN_SAME_AS", value: product?.toUpperCase() }],
      ]);
      await at("/terms?show=unsold&q=Camp Stove Mini auto");
      await page.keyboard.press("j");
      await page.keyboard.press("x");
      await seeText(page, "1 term ticked");
      await page.focus(".chosen button:nth-of-type(2)");
      await page.keyboard.press("Enter");
      const make = await page.waitForSelector(".chosen .primary:not(:disabled)");
      await make?.focus();
      await page.keyboard.press("Enter");
      deepEqual((await planned()).map(({ kind }) => kind), ["sp.negative_keywords"]);
    });

    await t.step("the guide's week is done with a mouse, and with keys alone at 390 px", async () => {
      const folders = [world.rolloutPlans, world.agentPlans];
      await prepareWeek(world, folders);
      for (
        const [at, [width, height, keysAlone]] of ([[1440, 900, false], [390, 844, true]] as const).entries()
      ) {
        await page.setViewport({ width, height });
        const person = new Person(page, { keysAlone });
        await doWeek(person, { url: world.console.url, rollout: "Autumn bids", row: at, bid: "+10%" });
      }
      await page.setViewport({ width: 1280, height: 900 });
    });

    await t.step("the page passes axe and fits a phone, a tablet and a desktop", async () => {
      for (const width of [1440, 768, 390]) {
        await page.setViewport({ width, height: 844 });
        await at("/terms");
        await tick(1);
        ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width}`);
        deepEqual(await hiddenTexts(page), [], `texts at ${width}`);
        deepEqual(await joinedWords(page), [], `words at ${width}`);
        deepEqual(await problemsInBothSchemes(page), [], `axe at ${width}`);
      }
    });
    deepEqual(complaints, []);
  } finally {
    await browser.close();
  }
});
