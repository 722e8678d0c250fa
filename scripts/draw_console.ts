/**
 * Draws docs/pictures/console*.webp: pages of the console on an emulated account, in a real Chromium.
 *
 *     deno run -A scripts/draw_console.ts
 *
 * Not part of the gate: fonts differ from machine to machine.
 */
import { Buffer } from "node:buffer";
import { openPage, seeText, startBrowser } from "../tests/console/support/browser.ts";
import { consoleWorld } from "../tests/console/support/console_world.ts";
import { fillStore } from "../tests/console/support/fill_store.ts";

const FOLDER = new URL("../docs/pictures/", import.meta.url);
const RAISE = [1.12, 1.3, 0.8, 1.2, 0.9, 4, 1.15, 0.7, 1.25];

await using world = await consoleWorld();
await fillStore(world, 120);
const keywords = (await world.us.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
  bid !== undefined
);
const changes = [...keywords.slice(0, 6), ...keywords.slice(60, 66), ...keywords.slice(120, 126)]
  .map(({ keywordId, bid = 1 }, at) => ({
    keywordId,
    bid: Math.round(bid * (RAISE[at % RAISE.length] ?? 1) * 100) / 100,
  }));
const plan = await world.us.sp.keywords.planUpdate(changes, { note: "Follow the search terms of last week" });
await world.agentPlans.save(plan);

const browser = await startBrowser();
try {
  const { page } = await openPage(browser, world.console.signInUrl());
  await page.setViewport({ width: 1280, height: 800 });
  const draw = async (name: string, path: string, text: string, scheme = "light"): Promise<void> => {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await page.goto(world.console.url + path);
    await seeText(page, text);
    await new Promise((done) => setTimeout(done, 500));
    await Deno.writeFile(
      new URL(name, FOLDER),
      Buffer.from(await page.screenshot({ type: "webp", quality: 82 })),
    );
    console.log(`Wrote docs/pictures/${name}`);
  };
  await draw("console_plan.webp", `/plans/${plan.id}`, "The account is as the plan saw it");
  await draw("console_plan_dark.webp", `/plans/${plan.id}`, "The account is as the plan saw it", "dark");
  await draw("console_overview.webp", "/", "Sales, USD");
  await draw("console_explore_dark.webp", "/explore?split=date,campaignName", "rows", "dark");
} finally {
  await browser.close();
}
