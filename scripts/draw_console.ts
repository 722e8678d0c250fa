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
import { fillWorkplace } from "../tests/console/support/fill_workplace.ts";

const FOLDER = new URL("../docs/pictures/", import.meta.url);
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844, hasTouch: true, isMobile: true, deviceScaleFactor: 1.5 };

await using world = await consoleWorld();
await fillStore(world, 120);
const { bids, experiment, alert } = await fillWorkplace(world);
const review = `/plans/${bids.id}`;
const pictures = [
  ["overview", "/", "Needs attention", "light"],
  ["plan", review, "Changes that no longer fit", "light"],
  ["plan_dark", review, "Changes that no longer fit", "dark"],
  ["plan_phone", review, "Changes that no longer fit", "light", PHONE],
  ["schedule", "/schedules/nights_low", "Left alone", "light"],
  ["experiment", `/experiments/${experiment.id}`, "How it was compared", "light"],
  ["inbox_dark", `/inbox?alert=${alert.id}`, "Last four weeks", "dark"],
  ["explore_dark", "/explore", "SQL behind the table", "dark"],
] as const;

const browser = await startBrowser();
try {
  const { page } = await openPage(browser, world.console.signInUrl());
  for (const [name, path, text, scheme, viewport = DESKTOP] of pictures) {
    await page.setViewport(viewport);
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await page.goto(world.console.url + path);
    await seeText(page, text);
    await new Promise((done) => setTimeout(done, 800));
    const file = new URL(`console_${name}.webp`, FOLDER);
    await Deno.writeFile(file, Buffer.from(await page.screenshot({ type: "webp", quality: 82 })));
    console.log(`Wrote docs/pictures/console_${name}.webp`);
  }
} finally {
  await browser.close();
}
