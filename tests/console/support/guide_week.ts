/// <reference lib="dom" />
import type { Page } from "puppeteer-core";
import { deepEqual, ok } from "../../support/assert.ts";
import { Rollout } from "../../../src/account/mod.ts";
import { addDays, dayIn } from "../../../src/base/time/calendar.ts";
import { WatchState } from "../../../src/automation/watch/mod.ts";
import type { PlanStore } from "../../../src/plans/store/plan_store.ts";
import { Warehouse } from "../../../src/store/mod.ts";
import { FITS } from "../../support/plan_words.ts";
import { seeText } from "./browser.ts";
import type { ConsoleWorld } from "./console_world.ts";

const GUIDE = new URL("../../../docs/guides/console.md", import.meta.url);

/** A step of the guide's week: its title, and the names of links and buttons that it quotes. */
export interface GuideStep {
  readonly title: string;
  readonly names: readonly string[];
}

/** The steps of "A week in the console", as the guide has them. */
export async function guideWeek(): Promise<GuideStep[]> {
  const [, week = ""] = /^## A week in the console\n([\s\S]*?)^## /m.exec(await Deno.readTextFile(GUIDE)) ??
    [];
  return week.split(/^\d+\. /m).slice(1).map((item) => {
    const [, title = ""] = /^\*\*([^*]+?)[.:]?\*\*/.exec(item) ?? [];
    const names = [...item.replace(/\s+/g, " ").matchAll(/"([^"]+)"/g)].map(([, name = ""]) =>
      // "Make a plan of 12 changes" stands for any number, and "Undo …" for the button without the dots.
      name.replace(/\s*(?:\d.*|…)$/, "")
    );
    return { title, names: [...new Set(names)].sort() };
  });
}

/** A person at a page: with a mouse, or with keys alone. */
export class Person {
  readonly page: Page;
  readonly #keysAlone: boolean;
  #pressed = new Set<string>();

  constructor(page: Page, { keysAlone }: { readonly keysAlone: boolean }) {
    this.page = page;
    this.#keysAlone = keysAlone;
  }

  /** Opens a page by its name beside every page, or behind the button of a phone. */
  async open(name: string): Promise<void> {
    const isPhone = await this.page.evaluate(() => innerWidth < 640);
    if (isPhone) await this.#act('//button[contains(@class, "menu")]');
    await this.press(name, '//*[contains(@class, "side")]');
  }

  /** Presses the first link or button whose text begins so. */
  async press(name: string, within = ""): Promise<void> {
    this.#pressed.add(name);
    await this.#act(
      `${within}//*[self::a or self::button][starts-with(normalize-space(.), "${name}")][not(@disabled)]`,
    );
  }

  /** Follows a link of the page by its address. */
  async choose(address: string): Promise<void> {
    await this.#act(`//main//a[@href="${address}"]`);
  }

  /** Presses the button that a dialog is about. */
  async confirm(): Promise<void> {
    await this.page.waitForSelector("dialog[open] button[type=submit]:not(:disabled)");
    await this.#act('//dialog//button[@type="submit"]');
  }

  /** Chooses the next option of the first list in the page. */
  async nextOption(): Promise<void> {
    const path = "//main//select";
    if (this.#keysAlone) {
      await this.#tabTo(path);
      await this.page.keyboard.press("ArrowDown");
    } else {
      const list = await this.page.waitForSelector(`::-p-xpath(${path})`);
      const value = await list?.evaluate((one) => (one as HTMLSelectElement).options[1]?.value ?? "");
      await list?.select(value ?? "");
    }
  }

  /** Types into the field that finds rows, and leaves it. */
  async find(text: string): Promise<void> {
    await this.page.waitForSelector("main input[type=search]");
    await this.page.keyboard.press("f");
    await this.page.keyboard.type(text);
    await this.page.keyboard.press("Tab");
  }

  /** Ticks the row of a table that is at a place. */
  async tick(row: number): Promise<void> {
    await this.page.waitForSelector("tbody input[type=checkbox]");
    if (!this.#keysAlone) return await (await this.page.$$("tbody input[type=checkbox]"))[row]?.click();
    for (let at = 0; at < row; at++) await this.page.keyboard.press("j");
    await this.page.keyboard.press("x");
  }

  /** Types into the first cell of a column of the grid. */
  async edit(column: string, text: string): Promise<void> {
    const { page } = this;
    await page.waitForSelector("tr.entity");
    if (this.#keysAlone) {
      await this.#tabTo('//*[@role="grid"]');
      const heads = await page.$$eval(
        "thead tr:first-child th",
        (all) => all.map((one) => one.textContent ?? ""),
      );
      for (let at = 0; at < heads.length; at++) await page.keyboard.press("ArrowLeft");
      for (let at = heads.findIndex((one) => one.startsWith(column)) - 1; at > 0; at--) {
        await page.keyboard.press("ArrowRight");
      }
      await page.keyboard.press("Home");
    } else {
      await (await page.$(`tr.entity td[data-label="${column}"]`))?.click({ count: 2 });
      await page.waitForSelector("tr.entity input[type=text]");
      await page.keyboard.down("Control");
      await page.keyboard.press("a");
      await page.keyboard.up("Control");
    }
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
    await page.waitForSelector("td.edited");
  }

  /** Says that a step of the guide was done: all that it quotes was pressed, and nothing else. */
  done({ title, names }: GuideStep): void {
    deepEqual([...this.#pressed].sort(), names, `names in "${title}" of the guide, and what was pressed`);
    this.#pressed = new Set();
  }

  async #act(path: string): Promise<void> {
    const found = await this.page.waitForSelector(`::-p-xpath(${path})`);
    // On a phone, what is needed less often is behind a button.
    if (await found?.boundingBox() === null) await (await this.page.$('.stay [aria-label="More"]'))?.click();
    // A locator waits until the place of the button is still: what has just been shown may move it.
    if (!this.#keysAlone) return await this.page.locator(`::-p-xpath(${path})`).click();
    await this.#tabTo(path);
    await this.page.keyboard.press("Enter");
  }

  /** Goes to an element as a person without a mouse does. */
  async #tabTo(path: string): Promise<void> {
    for (let tabs = 0; tabs < 150; tabs++) {
      const isThere = await this.page.evaluate((path) => {
        const first = document.evaluate(path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null);
        return first.singleNodeValue !== null && first.singleNodeValue === document.activeElement;
      }, path);
      if (isThere) return;
      await this.page.keyboard.press("Tab");
    }
    throw new Error(`Tab never reaches ${path}`);
  }
}

/** Does the week of the guide: a step each, by its title. */
export async function doWeek(
  person: Person,
  { url, rollout, row, bid }: {
    readonly url: string;
    /** Note of a rollout for two profiles that is not sent yet. */
    readonly rollout: string;
    /** Row of the search terms that is ticked. */
    readonly row: number;
    readonly bid: string;
  },
): Promise<void> {
  const { page } = person;
  const plan = () => page.waitForFunction(() => /^\/plans\/./.test(location.pathname));
  let made = "";
  const steps: Readonly<Record<string, () => Promise<void>>> = {
    "Monday: what needs attention": async () => {
      await page.goto(url);
      await person.press("Open alert");
      await seeText(page, "Last four weeks");
      await person.press("Plan its bids");
      await seeText(page, "How it works");
      await person.press("Preview");
      await person.press("Make a plan of");
      await plan();
    },
    "Tuesday: search terms": async () => {
      for (const name of ["Move to keywords", "Negate"]) {
        await person.open("Search terms");
        await seeText(page, "Tick terms to plan for exactly those");
        await person.find("Trail Tent 2P auto");
        await page.waitForFunction(() => location.search.includes("auto"));
        await person.tick(row);
        await seeText(page, "1 term ticked");
        await person.press(name);
        await person.press("Make a plan of");
        await plan();
      }
    },
    "Wednesday: bids and budgets": async () => {
      await person.open("Grid");
      await person.edit("Budget", bid);
      await person.press("Check");
      await page.waitForFunction(() =>
        ![...document.querySelectorAll("button")].some(({ textContent }) => textContent === "Checking …")
      );
      await person.press("Review");
      await person.confirm();
      await plan();
      made = /[^/]+$/.exec(page.url())?.[0] ?? "";
    },
    "Thursday: plans": async () => {
      await person.open("Plans");
      await person.choose(`/plans/${made}`);
      await seeText(page, FITS);
      await person.press("Apply");
      await person.confirm();
      await seeText(page, "can be undone by");
      await person.press("Undo");
      await seeText(page, "This plan undoes");
    },
    "Friday: many profiles": async () => {
      await person.open("Plans");
      await seeText(page, rollout);
      await person.press("Review and apply in stages");
      await seeText(page, rollout);
      await person.nextOption();
      await seeText(page, "Stage 2");
      await person.press("Apply in");
      await person.confirm();
      await seeText(page, "Applied in 2 of 2 profiles");
      await person.press("Undo");
      await person.confirm();
      await seeText(page, "Undone in 2 of 2 profiles");
    },
  };
  const week = await guideWeek();
  deepEqual(week.map(({ title }) => title), Object.keys(steps), "steps of the guide");
  for (const step of week) {
    const run = steps[step.title];
    ok(run);
    try {
      await run();
    } catch (cause) {
      const text = await page.$eval("main", (main) => main.innerText.slice(0, 1500));
      throw new Error(`"${step.title}" fails at ${page.url()}, which shows:\n${text}`, { cause });
    }
    person.done(step);
  }
}

/** Makes what the week is about: figures, an alert, and a rollout for two profiles in each folder. */
export async function prepareWeek(world: ConsoleWorld, folders: readonly PlanStore[]): Promise<void> {
  const { us, storePlace, time } = world;
  const { profileId, countryCode, timeZone } = us;
  const now = time.now();
  const today = dayIn(timeZone, now);
  {
    await using store = await Warehouse.open(storePlace, { now: time.now });
    const range = { start: addDays(today, -30), end: addDays(today, -1) };
    (await store.sync(us, { reports: ["sp_campaigns", "sp_targeting"], ...range })).raiseForErrors();
  }
  const profiles = [us, await world.ads.profile("CA")];
  for (const [at, { path }] of folders.entries()) {
    const plans = await Promise.all(profiles.map(async (profile) => {
      const keyword = (await profile.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) => bid)[at];
      const bid = Math.round((keyword?.bid ?? 1) * 105) / 100;
      return await profile.sp.keywords.planUpdate([{ keywordId: String(keyword?.keywordId), bid }]);
    }));
    await Rollout.create(path, plans, { note: "Autumn bids", now: time.now });
  }
  const [campaign] = (await us.sp.campaigns.list({ states: ["ENABLED"] })).filter(({ name }) =>
    name.includes("Trail Tent 2P")
  );
  const alert = {
    id: "7f2c04190009",
    at: new Date(now - 3_600_000).toISOString(),
    profileId,
    countryCode,
    rule: "high_acos",
    over: "campaign" as const,
    severity: "urgent" as const,
    key: String(campaign?.campaignId),
    subject: String(campaign?.name),
    day: addDays(today, -1),
    since: addDays(today, -4),
    title: `${countryCode}: ${campaign?.name} has an ACOS of 60 %`,
    text: "It costs 41.80 USD a day",
    facts: { campaign_id: String(campaign?.campaignId), campaign: String(campaign?.name), cost_a_day: 41.8 },
    planId: null,
  };
  await using state = await WatchState.open(storePlace);
  await state.raise([{ alert, quietDays: 1, channels: [], isComplete: true }]);
}
