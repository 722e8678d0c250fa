/// <reference lib="dom" />
import { addDays } from "../../src/base/time/calendar.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { match, ok } from "../support/assert.ts";
import { longFile } from "../support/long.ts";
import { openPage, seeText, startBrowser, whyNoBrowser } from "./support/browser.ts";
import { type ConsoleWorld, consoleWorld } from "./support/console_world.ts";

longFile();

const DAY = 86_400_000;
/** The last seven days. */
const EXPLORE = "/explore?days=7";
const missing = whyNoBrowser();
if (missing !== undefined) console.log(`Not tried in a browser: ${missing}`);

/** Stores the 14 days before a moment, each with 10 of cost and so much sales, as that moment's pull. */
async function pull(
  { us, storePlace }: ConsoleWorld,
  { now, sales }: { now: number; sales: number },
): Promise<void> {
  await using store = await Warehouse.open(storePlace, { now: () => now });
  const today = new Date(now - DAY / 2).toISOString().slice(0, 10);
  const days = Array.from({ length: 14 }, (_, at) => addDays(today, at - 14));
  const { profileId, countryCode } = us;
  await store.replace(
    { profileId, countryCode, report: "sp_campaigns", start: addDays(today, -14), end: addDays(today, -1) },
    days.map((date) => ({ date, campaignId: "1", cost: 10, sales14d: sales, purchases14d: 1 })),
  );
}

/** Texts of the tile of sales on the overview and on the page of the last days, and of that of spend on the overview. */
async function tilesOf(world: ConsoleWorld): Promise<{ overview: string; explore: string; spend: string }> {
  const browser = await startBrowser();
  try {
    const { page } = await openPage(browser, world.console.signInUrl());
    await seeText(page, "Needs attention");
    const tile = async (name: string): Promise<string> => {
      const found = await page.waitForFunction(
        (name: string) =>
          [...document.querySelectorAll(".tile")].map((one) => one.textContent ?? "").find((text) =>
            text.startsWith(name)
          ),
        {},
        name,
      );
      return await found.jsonValue() ?? "";
    };
    const [overview, spend] = [await tile("Sales"), await tile("Spend")];
    await page.goto(world.console.url + EXPLORE);
    return { overview, spend, explore: await tile("Sales") };
  } finally {
    await browser.close();
  }
}

const options = { ignore: missing !== undefined };

Deno.test("where the store was made today, spend has a change and sales have none", options, async () => {
  await using world = await consoleWorld();
  await pull(world, { now: world.time.now(), sales: 50 });
  const { overview, explore, spend } = await tilesOf(world);
  match(overview, /not comparable yet/);
  ok(!spend.includes("not comparable"));
  match(explore, /not comparable yet/);
});

Deno.test("where the store knows the days before at the same age, sales have a change", options, async () => {
  await using world = await consoleWorld();
  await pull(world, { now: world.time.now() - 7 * DAY, sales: 20 });
  await pull(world, { now: world.time.now(), sales: 50 });
  const { overview, explore } = await tilesOf(world);
  match(overview, /\+150/);
  match(explore, /\+150/);
});
