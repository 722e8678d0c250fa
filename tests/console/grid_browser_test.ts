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
import { consoleOn, consoleWorld } from "./support/console_world.ts";
import { hiddenTexts, joinedWords } from "./support/hidden_text.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { fillStore } from "./support/fill_store.ts";
import { FITS } from "../support/plan_words.ts";

longFile();

const missing = whyNoBrowser();
if (missing !== undefined) console.log(`Not tried in a browser: ${missing}`);

Deno.test(
  { name: "the account is edited in a grid, in a real browser", ignore: missing !== undefined },
  async (t) => {
    let [isCut, isSilent] = [false, false];
    const cut = (...[input, init]: Parameters<typeof fetch>): Promise<Response> =>
      isCut
        ? Promise.reject(new TypeError("connection refused"))
        : isSilent
        ? new Promise((_, fail) => init?.signal?.addEventListener("abort", fail))
        : fetch(input, init);
    await using world = await consoleWorld({ client: { fetch: cut } });
    await fillStore(world, 60);
    const browser = await startBrowser();
    try {
      const { page, complaints } = await openPage(browser, world.console.signInUrl());
      await page.setViewport({ width: 1440, height: 900 });
      await seeText(page, "Needs attention");
      const open = async (table: string, more = "") => {
        await page.goto(`${world.console.url}/grid?table=${table}${more}`);
        await page.waitForSelector("tr.entity");
      };
      const edited = (count: number, at = page) =>
        at.waitForFunction(
          (wanted) => document.querySelectorAll("td.edited").length === wanted,
          // A tab in the background draws no frames.
          { polling: 100 },
          count,
        );
      const cell = async (name: string, title: string) => {
        const found = await page.waitForSelector(
          `::-p-xpath(//tr[contains(@class, "entity")][.//td[contains(@class, "name")][contains(., "${name}")]]/td[@data-label="${title}"])`,
        );
        ok(found !== null, `${name} ${title}`);
        return found;
      };
      const draft = async () => {
        const secret = await page.evaluate(() => localStorage.getItem("adsctl-console") ?? "");
        return await page.evaluate(
          async (path, header) =>
            (await (await fetch(path, { headers: { "x-adsctl-console": header } })).json()).edits,
          `/api/profiles/${world.us.profileId}/draft`,
          secret,
        );
      };

      const discard = async (edit: unknown) =>
        await page.evaluate(
          async (path, edit) => {
            const headers = { "x-adsctl-console": localStorage.getItem("adsctl-console") ?? "" };
            const { revision } = await (await fetch(path, { headers })).json();
            const body = JSON.stringify({ revision, discard: [edit] });
            await fetch(path, {
              method: "POST",
              headers: { ...headers, "content-type": "application/json" },
              body,
            });
          },
          `/api/profiles/${world.us.profileId}/draft`,
          edit,
        );

      /** Values of the draft on the server, once it has as many edits. */
      const kept = async (count: number): Promise<unknown[]> => {
        for (;;) {
          const edits = await draft();
          if (edits.length === count) return edits.map(({ value }: { value: unknown }) => value);
          await new Promise((done) => setTimeout(done, 50));
        }
      };

      /** Pastes a text into the dialog. */
      const fill = (text: string) =>
        page.evaluate((text) => {
          const field = document.querySelector<HTMLTextAreaElement>("dialog textarea");
          if (field === null) return;
          field.value = text;
          field.dispatchEvent(new Event("input", { bubbles: true }));
        }, text);

      await t.step("every table is shown without errors, and no cell hides its text", async () => {
        for (const scheme of ["dark", "light"]) {
          await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
          for (
            const table of scheme === "light"
              ? ["ad_groups", "keywords", "targets", "negatives", "ads", "portfolios"]
              : ["campaigns"]
          ) {
            await open(table);
            deepEqual(await accessibilityProblems(page), [], `${table} ${scheme}`);
            deepEqual(await hiddenTexts(page), [], table);
            deepEqual(await joinedWords(page), [], table);
          }
        }
        deepEqual(complaints, []);
      });

      await t.step("with the mouse: a budget, names of three campaigns, undo, redo, and a plan", async () => {
        await open("campaigns");
        await (await cell("SP | Trail Tent 2P | Exact", "Budget")).click({ count: 2 });
        await page.waitForSelector("tr.entity input[type=text]");
        await page.keyboard.type("42.5");
        await page.keyboard.press("Enter");
        await edited(1);
        const boxes = await page.$$("tr.entity input[type=checkbox]");
        for (const box of boxes.slice(1, 4)) await box.click();
        await clickButton(page, "Change 3 rows");
        await page.select("dialog select", "name");
        const [find, replace] = await page.$$("dialog input");
        await find?.type("Trail");
        await replace?.type("Mountain");
        await seeText(page, "3 cells would change");
        deepEqual(await accessibilityProblems(page), []);
        await confirmDialog(page);
        await edited(4);
        await clickButton(page, "Undo");
        await edited(1);
        await clickButton(page, "Redo");
        await edited(4);
        deepEqual(await hiddenTexts(page), []);
        await page.reload();
        await edited(4);
        await clickButton(page, "Check");
        await seeText(page, "Spend a day");
        deepEqual(await accessibilityProblems(page), []);
        await clickButton(page, "Review 4 edits");
        await page.type("dialog input[name=note]", "Summer names");
        await confirmDialog(page);
        await seeText(page, FITS);
        await seeText(page, "Summer names");
        await clickButton(page, "Apply 4 changes");
        await confirmDialog(page);
        await seeText(page, "Applied");
        const names = (await world.us.sp.campaigns.list()).map(({ name }) => name);
        equal(names.filter((name) => name.includes("Mountain Tent 2P")).length, 3);
        await open("campaigns");
        await seeText(page, "4 edits removed from the draft");
        deepEqual(await draft(), []);
      });

      await t.step(
        "with keys alone: a relative bid, a range filled down, a state, and a discard",
        async () => {
          await open("keywords", "&sort=-bid");
          await page.focus("[role=grid]");
          for (let moves = 0; moves < 4; moves++) await page.keyboard.press("ArrowRight");
          await page.keyboard.type("+10%");
          await page.keyboard.press("Enter");
          await edited(1);
          await page.keyboard.type("0.5");
          await page.keyboard.press("Enter");
          await page.keyboard.press("ArrowUp");
          await page.keyboard.down("Shift");
          for (let rows = 0; rows < 3; rows++) await page.keyboard.press("ArrowDown");
          await page.keyboard.up("Shift");
          await page.keyboard.down("Control");
          await page.keyboard.press("d");
          await page.keyboard.up("Control");
          await edited(5);
          deepEqual((await kept(5)).slice(1), [0.5, 0.5, 0.5, 0.5]);
          await page.keyboard.press("Delete");
          await edited(4);
          await page.keyboard.down("Control");
          await page.keyboard.press("z");
          await page.keyboard.up("Control");
          await edited(5);
          await page.keyboard.press("l");
          await seeText(page, "Discard all 5");
          deepEqual(await accessibilityProblems(page), []);
          await page.keyboard.press("Escape");
        },
      );

      await t.step(
        "a wrong amount says why beside the cell, and Escape leaves the cell as it was",
        async () => {
          await page.focus("[role=grid]");
          await page.keyboard.press("Home");
          await page.keyboard.type("1,234");
          await page.keyboard.press("Enter");
          await seeText(page, "is ambiguous: 1234 or 1.234");
          await page.keyboard.press("Escape");
          await edited(5);
        },
      );

      await t.step("a second tab on the draft is told, and shows the edits of the first", async () => {
        const other = await anotherTab(page);
        await other.goto(page.url());
        await edited(5, other);
        await page.bringToFront();
        await page.focus("[role=grid]");
        await page.keyboard.down("Control");
        await page.keyboard.press("z");
        await page.keyboard.up("Control");
        await edited(2);
        await seeText(other, "These edits were changed in another tab");
        await edited(2, other);
        await page.keyboard.press("r");
        await confirmDialog(page);
        await seeText(other, "A plan was made of these edits in another tab. Open the plan");
        await page.goBack();
        await edited(2);
        await other.close();
      });

      await t.step("what changed in the account meanwhile is kept or rejected", async () => {
        const [edit] = await draft();
        await world.us.sp.keywords.update([{ keywordId: edit.id, bid: 0.44 }]);
        await clickButton(page, "Check");
        await seeText(page, "Resolve each");
        await clickButton(page, "Resolve each");
        await seeText(page, "now 0.44");
        await clickButton(page, "Keep mine");
        await page.waitForFunction(() => !document.body.innerText.includes("now 0.44"));
        await page.waitForFunction(() => !document.body.innerText.includes("Conflicts"), {
          polling: 100,
        });
        await clickButton(page, "Discard all");
        await page.waitForFunction(() => document.querySelector("dialog")?.innerText.includes("0 edits"));
        await page.keyboard.press("Escape");
      });

      await t.step(
        "a paste with names and heads shows what it would change, and what it cannot use",
        async () => {
          await open("campaigns");
          await clickButton(page, "Paste");
          await page.waitForSelector("dialog textarea");
          await fill("name\tbudget\tstate\nSP | Camp Stove Mini | Auto\t+10%\tpaused\nnobody\t5");
          await seeText(page, 'Line 3: no row in this view has the id or name "nobody"');
          await clickButton(page, "Paste 2 values");
          await edited(2);
        },
      );

      await t.step("a pasted list becomes a plan of new negatives in an ad group", async () => {
        await open("negatives");
        await clickButton(page, "Add …");
        await page.waitForSelector("dialog textarea");
        await fill("free tent\tphrase\nB0ABCDE123\ncheap");
        await seeText(page, "3 lines.");
        await page.type("dialog input[type=search]", "Tent 2P | Research");
        deepEqual(await accessibilityProblems(page), []);
        await confirmDialog(page);
        await page.waitForFunction(() => location.pathname.startsWith("/plans/"));
        await seeText(page, "Apply 3 changes");
      });

      await t.step(
        "a pasted list of campaigns names its mistakes, and becomes a plan without them",
        async () => {
          await open("campaigns");
          await page.focus("[role=grid]");
          await page.keyboard.press("n");
          await page.waitForSelector("dialog textarea");
          await fill("Lamps\t12\tauto\nChairs\tten");
          await seeText(page, 'Line 2, column 2 (Budget): "ten" is not an amount');
          deepEqual(await accessibilityProblems(page), []);
          await fill("Lamps\t12\tauto\nChairs\t10\t\t0.4");
          await page.keyboard.press("Tab");
          await clickButton(page, "Make a plan of 2 campaigns");
          await page.waitForFunction(() => location.pathname.startsWith("/plans/"));
          await seeText(page, "Apply 3 changes");
        },
      );

      await t.step(
        "on a phone a cell is edited by a touch, and nothing is wider than the screen",
        async () => {
          await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
          await open("campaigns");
          ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
          await page.waitForFunction(() =>
            /Spend [\d,.]+ · Sales [\d,.]+/.test(
              document.querySelector("main [role=status]")?.textContent ?? "",
            )
          );
          deepEqual(await hiddenTexts(page), []);
          deepEqual(await accessibilityProblems(page), []);
          const [first] = await page.$$('tr.entity td[data-label="Budget"]');
          await first?.tap();
          await page.waitForSelector("tr.entity input[type=text]");
          await page.keyboard.type("33");
          await page.keyboard.press("Enter");
          await page.waitForFunction(() => document.querySelector("section.stay dd")?.textContent === "3");
          await clickButton(page, "Review 3 edits");
          await confirmDialog(page);
          await seeText(page, FITS);
          await page.setViewport({ width: 1440, height: 900 });
        },
      );

      await t.step(
        "without the platform, stored settings are edited, and compared once it is back",
        async () => {
          const { profileId, countryCode } = world.us;
          const all = await world.us.sp.campaigns.list();
          const store = await Warehouse.open(world.storePlace, { now: world.time.now });
          await store.replaceEntities({ profileId, countryCode, kind: "sp.campaigns" }, all);
          await store.close();
          for (const edit of await draft()) await discard(edit);
          // A platform that does not respond can be left aside.
          isSilent = true;
          await page.goto(`${world.console.url}/grid?table=campaigns`);
          await clickButton(page, "Work on the stored settings");
          await page.waitForSelector("tr.entity");
          ok(page.url().includes("from=store"));
          isSilent = false;
          await clickButton(page, "Read the account");
          await page.waitForFunction(() => !document.body.innerText.includes("Read the account"));
          isCut = true;
          await open("campaigns", "&sort=name");
          await seeText(page, "The account could not be read");
          deepEqual([await accessibilityProblems(page), await hiddenTexts(page)], [[], []]);
          const name = "SP | Trail Tent 4P | Exact";
          await (await cell(name, "Budget")).click({ count: 2 });
          await page.waitForSelector("tr.entity input[type=text]");
          await page.keyboard.type("31");
          await page.keyboard.press("Enter");
          await edited(1);
          await clickButton(page, "Check");
          await page.waitForSelector("section.stay [role=alert]");
          isCut = false;
          const { campaignId = "" } = all.find((one) => one.name === name) ?? {};
          await world.us.sp.campaigns.update([{ campaignId, budget: 29 }]);
          await clickButton(page, "Check");
          await clickButton(page, "Resolve each");
          await seeText(page, "now 29.00");
          ok(!await page.evaluate(() => document.body.innerText.includes("could not be read")));
          await clickButton(page, "Take theirs");
          await page.waitForFunction(() => document.querySelector("dialog")?.innerText.includes("0 edits"));
          await page.keyboard.press("Escape");
        },
      );

      await t.step("a read-only console shows rows and sums, and nothing to edit with", async () => {
        await using other = await consoleOn(world, world.ads, { readOnly: true });
        const { page: reading, complaints: said } = await openPage(browser, other.console.signInUrl());
        await seeText(reading, "Needs attention");
        await reading.goto(`${other.console.url}/grid?table=keywords&sort=-bid`);
        const bid = await reading.waitForSelector('tr.entity td[data-label="Bid"]');
        await reading.waitForSelector("tr.sums");
        await bid?.click({ count: 2 });
        await reading.focus("[role=grid]");
        for (const key of ["5", "Enter", "Delete", " ", "e", "v", "n", "l", "x", "r", "c", "u"] as const) {
          await reading.keyboard.press(key === " " ? "Space" : key);
        }
        await reading.keyboard.down("Control");
        for (const key of ["d", "z", "y"] as const) await reading.keyboard.press(key);
        await reading.keyboard.up("Control");
        const shown = await reading.$$(
          'main input[type=checkbox]:not(fieldset input), tr.entity input, .handle, dialog, main button.primary, section[aria-label="Edits"]',
        );
        equal(shown.length, 0);
        await reading.close();
        deepEqual(said, []);
      });

      await t.step("100,000 rows are scrolled with few of them in the document", async () => {
        await page.setRequestInterception(true);
        let isLost = true;
        page.on("request", (request) => {
          if (isLost && request.url().endsWith("/api/profiles")) {
            isLost = false;
            return void request.abort();
          }
          if (!request.url().endsWith("/grid/keywords")) return void request.continue();
          const rows = Array.from({ length: 100_000 }, (_, at) => ({
            kind: "sp.keywords",
            id: String(10_000_000_000 + at),
            name: at === 7 ? `${"長い名前 ".repeat(40)} مرحبا` : `shoes ${at}`,
            state: "ENABLED",
            bid: 0.5,
            clicks: at,
            cost: at / 10,
          }));
          const fields = { "sp.keywords": { bid: "bid", state: "state" } };
          const names = { campaigns: {}, ad_groups: {}, portfolios: {} };
          void request.respond({
            contentType: "application/json",
            body: JSON.stringify({ rows, fields, names, decimals: 2, currency: "USD" }),
          });
        });
        // A request that is lost is sent again once the console gives a sign.
        await open("keywords");
        ok(!isLost);
        await seeText(page, "100,000 rows");
        await page.focus("[role=grid]");
        const began = performance.now();
        await page.keyboard.press("End");
        await page.waitForFunction(() =>
          Number(document.querySelector("tr.active")?.ariaRowIndex) === 100_001
        );
        console.log(`The last of 100,000 rows was shown after ${Math.round(performance.now() - began)} ms`);
        ok(await page.evaluate(() => document.querySelectorAll("tbody tr").length) < 90);
        await page.type("main input[type=search]", "shoes 99999");
        await seeText(page, "1 row;");
      });

      await t.step("the browser never saw an error", () => {
        for (const text of complaints) match(text, /409|502|ERR_FAILED/);
      });
    } finally {
      await browser.close();
    }
  },
);
