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

/** Text of the tile of a figure on a page. */
async function tileOf(world: ConsoleWorld, path: string, name: string): Promise<string> {
  const browser = await startBrowser();
  try {
    const { page } = await openPage(browser, world.console.signInUrl());
    await seeText(page, "Needs attention");
    await page.goto(world.console.url + path);
    const tile = await page.waitForFunction(
      (name: string) =>
        [...document.querySelectorAll(".tile")].map((one) => one.textContent ?? "").find((text) =>
          text.startsWith(name)
        ),
      {},
      name,
    );
    return await tile.jsonValue() ?? "";
  } finally {
    await browser.close();
  }
}

const options = { ignore: missing !== undefined };

Deno.test("where the store was made today, spend has a change and sales have none", options, async () => {
  await using world = await consoleWorld();
  await pull(world, { now: world.time.now(), sales: 50 });
  match(await tileOf(world, "/", "Sales"), /not comparable yet/);
  ok(!(await tileOf(world, "/", "Spend")).includes("not comparable"));
  match(await tileOf(world, EXPLORE, "Sales"), /not comparable yet/);
});

Deno.test("where the store knows the days before at the same age, sales have a change", options, async () => {
  await using world = await consoleWorld();
  await pull(world, { now: world.time.now() - 7 * DAY, sales: 20 });
  await pull(world, { now: world.time.now(), sales: 50 });
  match(await tileOf(world, "/", "Sales"), /\+150/);
  match(await tileOf(world, EXPLORE, "Sales"), /\+150/);
});
