/// <reference lib="dom" />
import { deepEqual, equal, match, ok } from "../support/assert.ts";
import {
  accessibilityProblems,
  clickButton,
  confirmDialog,
  openPage,
  problemsInBothSchemes,
  seeText,
  startBrowser,
  whyNoBrowser,
} from "./support/browser.ts";
import { consoleWorld } from "./support/console_world.ts";
import { fillStore } from "./support/fill_store.ts";
import { hiddenTexts, joinedWords, unlinedControls, unsavedTables } from "./support/hidden_text.ts";
import { fillWorkplace } from "./support/fill_workplace.ts";
import { longFile } from "../support/long.ts";
import { FITS } from "../support/plan_words.ts";

longFile();

const missing = whyNoBrowser();

Deno.test({ name: "a filled console in a real browser", ignore: missing !== undefined }, async (t) => {
  await using world = await consoleWorld();
  await fillStore(world, 120);
  const filled = await fillWorkplace(world);
  const [last] = (await world.us.sp.keywords.list({ states: ["ENABLED"] })).slice(-1);
  const foreign = await world.us.sp.keywords.planUpdate([{ keywordId: last?.keywordId ?? "", bid: 0.61 }], {
    note: "حملة الخيام الصيفية · 夏のテント・キャンペーン、すべてのキーワードの入札単価を見直す",
  });
  await world.plans.save(foreign);
  const browser = await startBrowser();
  try {
    const { page, complaints } = await openPage(browser, world.console.signInUrl());
    const at = (path: string) => page.goto(world.console.url + path);
    const review = `/plans/${filled.bids.id}`;
    const pages: [string, string][] = [
      ["/", "Needs attention"],
      [`/inbox?alert=${filled.alert.id}`, "Last four weeks"],
      ["/plans", "Rollout: Autumn bids"],
      [`/rollout?folder=${encodeURIComponent(world.rolloutPlans.path)}`, "Apply in 2 profiles"],
      [review, "Changes that no longer fit"],
      [`/plans/${foreign.id}`, FITS],
      ["/schedules", "Pacing of tents"],
      ["/schedules/nights_low", "Left alone"],
      ["/experiments", "Lower bids of wasters"],
      [`/experiments/${filled.experiment.id}`, "How it was compared"],
      ["/service", "the disk is full"],
      ["/explore", "SQL behind the table"],
      ["/jobs", "How it works"],
      ["/operations", "APIs"],
      ["/account", "campaigns; amounts in"],
      // The rows of two campaigns, of plans and of others, instead of a hundred more of the same kind.
      ["/account?view=drift&q=Research", "by others"],
      ["/explore?view=coverage", "One strip per month"],
      ["/emulator", "Requests"],
    ];

    await t.step(
      "every page passes axe in light and dark, and fits a phone, a tablet and a desktop",
      async () => {
        await seeText(page, "Needs attention");
        const fits = async (path: string, width: number): Promise<void> => {
          await page.setViewport({ width, height: 844 });
          ok(
            await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
            `${path} ${width}`,
          );
          deepEqual(await hiddenTexts(page), [], `texts of ${path} at ${width}`);
          deepEqual(await joinedWords(page), [], `words of ${path} at ${width}`);
          deepEqual(await unsavedTables(page), [], `tables of ${path} at ${width}`);
        };
        for (const [path, text] of pages) {
          await page.setViewport({ width: 1440, height: 844 });
          await at(path);
          await seeText(page, text);
          await fits(path, 1440);
          deepEqual(await problemsInBothSchemes(page), [], path);
          deepEqual(await unlinedControls(page), [], `${path} with forced colours`);
          // The window gets narrower while the page is open: to 200 % zoom of the desktop.
          await fits(path, 720);
          await page.setViewport({ width: 390, height: 844 });
          await at(path);
          await seeText(page, text);
          await fits(path, 390);
          deepEqual(await accessibilityProblems(page), [], `${path} on a phone`);
        }
        deepEqual(complaints, []);
        await page.setViewport({ width: 1280, height: 900 });
        await page.$eval("main", (main) => {
          const code = document.createElement("code");
          code.textContent = "TOO_LONG";
          const line = document.createElement("p");
          line.append("characters", code);
          main.append(line);
        });
        deepEqual(await joinedWords(page), ["characters|TOO_LONG"]);
      },
    );

    await t.step(
      "keys move, leave out, find the next finding and open the dialog, but not while somebody types",
      async () => {
        await at(review);
        await seeText(page, "Changes that no longer fit");
        const active = () => page.$eval("tr.active", (row) => Number(row.ariaRowIndex));
        const first = await active();
        await page.keyboard.press("j");
        await page.keyboard.press("j");
        await page.keyboard.press("k");
        equal(await active(), first + 1);
        await page.keyboard.press("x");
        await seeText(page, "Include all again");
        await page.keyboard.press("x");
        await page.keyboard.press("n");
        await page.waitForFunction(() =>
          document.querySelector("tr.active.out .finding")?.textContent?.trim()
        );
        await page.keyboard.press("f");
        await page.keyboard.type("xj");
        await page.waitForFunction(() => location.search.includes("q=xj"));
        ok(!await page.evaluate(() => document.body.innerText.includes("Include all again")));
        await at(review);
        await seeText(page, "Changes that no longer fit");
        await page.keyboard.press("a");
        await page.waitForSelector("dialog[open]");
        await seeText(page, "Your signature covers this list");
        deepEqual(await accessibilityProblems(page), []);
        await page.keyboard.press("Escape");
        await page.waitForFunction(() => document.querySelector("dialog[open]") === null);
        await page.keyboard.press("?");
        await seeText(page, "next finding");
        await page.keyboard.press("Escape");
      },
    );

    await t.step(
      "on a phone a plan is approved with one thumb, and pages are behind one button",
      async () => {
        await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
        await at(review);
        await seeText(page, "Changes that no longer fit");
        const box = await page.$eval(".stay .primary", (button) => {
          const { bottom, height, width } = button.getBoundingClientRect();
          return { below: innerHeight - bottom, height, width };
        });
        ok(box.below < 60 && box.height >= 44 && box.width > 200, JSON.stringify(box));
        equal(await page.$eval(".bar", (bar) => bar.getBoundingClientRect().height), 48);
        await page.tap(".stay .primary");
        await page.waitForSelector("dialog[open]");
        const below = await page.$eval(
          "dialog .primary",
          (button) => innerHeight - button.getBoundingClientRect().bottom,
        );
        ok(below < 80, `${below} px above the edge`);
        await page.tap("dialog .buttons button");
        await page.tap(".menu");
        await page.waitForSelector(".side.open");
        await page.tap('.side a[href="/service"]');
        await seeText(page, "the disk is full");
        equal(await page.$(".side.open"), null);
        await page.setViewport({ width: 1280, height: 900 });
      },
    );

    await t.step("the grid of a schedule is changed by keyboard, and the change is proposed", async () => {
      await at("/schedules/nights_low");
      await seeText(page, "Left alone");
      await page.keyboard.press("g");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.down("Shift");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.up("Shift");
      await seeText(page, "4 hours selected");
      for (const key of ["+", "0", "-"]) await page.keyboard.press(key as "-");
      await seeText(page, "Propose 4 changes");
      const spoken = await page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
      equal(spoken, "Wednesday 09:00, factor 0.95");
      await page.keyboard.press("s");
      await seeText(page, "Proposed change to");
      deepEqual(await accessibilityProblems(page), []);
      await clickButton(page, "Discard");
      await seeText(page, "was discarded");
    });

    await t.step("what no longer fits is left out, counted, and dropped in one step", async () => {
      await at(review);
      await seeText(page, "Changes that no longer fit");
      const { length } = filled.bids.changes;
      const [drop = 0] = await page.$$eval(
        "button.link",
        (all) =>
          all.flatMap(({ textContent }) => Number(/^Drop (\d+)$/.exec(textContent ?? "")?.[1] ?? NaN) || []),
      );
      ok(drop >= 3);
      await seeText(page, `${length - drop} of ${length} changes`);
      await clickButton(page, `Drop ${drop}`);
      await seeText(page, `without ${drop} of its ${length} changes`);
      await seeText(page, FITS);
    });

    await t.step("a plan of which nothing would be sent cannot be applied, and says why", async () => {
      const [keyword] = await world.us.sp.keywords.list({ states: ["ENABLED"] });
      const plan = await world.us.sp.keywords.planUpdate([{
        keywordId: keyword?.keywordId ?? "",
        bid: 0.63,
      }]);
      await world.plans.save(plan);
      await plan.apply(world.us);
      await at(`/plans/${plan.id}`);
      await seeText(page, "Nothing would be sent");
      await seeText(page, "1 already has this value");
      const off = await page.$$eval(".stay button:disabled", (all) => all.map((one) => one.textContent));
      deepEqual(off, ["Approve for an agent …", "Apply 0 changes …"]);
    });

    await t.step(
      "what an ended experiment held back is planned by one button, as an ordinary plan",
      async () => {
        await at(`/experiments/${filled.experiment.id}?figure=clicks`);
        await seeText(page, "Clicks: less");
        await seeText(page, "Expected: figures of the changed keywords and targets");
        await clickButton(page, "Plan 20 changes …");
        await page.waitForFunction(() => location.pathname.startsWith("/plans/"));
        await seeText(page, `Held-back part of plan ${filled.experiment.id}: Lower bids of wasters`);
        await seeText(page, "Apply 20 changes");
      },
    );

    await t.step("a comment is sent, and stands with the plan", async () => {
      await at(review);
      await seeText(page, "Comments for the agent");
      await seeText(page, "Changes that no longer fit");
      await page.keyboard.press("c");
      await page.keyboard.type("Not before <b>Monday</b>");
      await clickButton(page, "Send comment");
      await page.waitForFunction(() =>
        [...document.querySelectorAll(".comments li")].some((one) =>
          one.textContent?.includes("Not before <b>Monday</b>")
        )
      );
    });

    await t.step("a job is asked for by an address, previewed, and made as a plan", async () => {
      const job = {
        job: "bids",
        where: "acos30d > 0.3 && clicks30d >= 5",
        change: "-15%",
        entities: "keywords",
      };
      await at(`/jobs?${new URLSearchParams(job)}`);
      await seeText(page, "How it works");
      await clickButton(page, "Preview");
      await seeText(page, "looked at");
      deepEqual(await accessibilityProblems(page), []);
      deepEqual([await hiddenTexts(page), await joinedWords(page)], [[], []]);
      await clickButton(page, "Make a plan of");
      await page.waitForFunction(() => location.pathname.startsWith("/plans/"));
      await seeText(page, "acos30d > 0.3");
    });

    await t.step("a file of goals shows where they stand, as the command does", async () => {
      await at("/jobs?job=goals");
      await seeText(page, "How it works");
      await page.type("form textarea", "version: 1\ngoals: { tents: { aim: sales, acos: 25% } }\n");
      await clickButton(page, "Show where they stand");
      await seeText(page, "tents: sales, at most 25 % ACOS");
      const lines = await page.$eval(
        'pre[aria-label="Where the goals stand"]',
        (one) => one.textContent ?? "",
      );
      match(
        lines,
        /^ {2}decided {3}bids: .*; daily budgets: \d+ by this goal, \d+ by others\n {2}plan {6}none in/m,
      );
      deepEqual(await accessibilityProblems(page), []);
      deepEqual([await hiddenTexts(page), await joinedWords(page)], [[], []]);
    });

    await t.step("a table is saved with its heads, its groups, and its numbers as numbers", async () => {
      await at("/plans");
      await seeText(page, "Rollout: Autumn bids");
      const saved = await page.evaluate(async () => {
        const kept: Blob[] = [];
        URL.createObjectURL = (blob) => {
          kept.push(blob as Blob);
          return "#";
        };
        document.querySelector<HTMLElement>(".csv button")?.click();
        return await kept[0]?.text() ?? "";
      });
      const [head, ...lines] = saved.trim().split("\r\n");
      equal(head, "Group,Plan,State,Market,Changes,Spend a day,Made by");
      ok(lines.some((line) => /^Waiting for you · \d,Rollout: Autumn bids · 2 profiles/.test(line)), saved);
      equal(lines.length, (await page.$$("tbody tr:not(.group)")).length);
      await at("/explore?view=coverage");
      await seeText(page, "One strip per month");
      const rows = await page.evaluate(async () => {
        const module = "/assets/save_csv.js";
        const { rowsOf } = await import(module);
        return rowsOf(document.querySelector(".sheet table")).rows;
      });
      ok(
        rows.some((row: unknown[]) => row[1] === "sp targeting" && typeof row[4] === "number"),
        String(rows),
      );
    });

    await t.step("the overview begins with what needs attention, the most urgent first", async () => {
      await at("/");
      await seeText(page, "changes by others");
      const found = await page.evaluate(() => {
        const place = (name: string) =>
          document.querySelector(`section[aria-label="${name}"]`)?.getBoundingClientRect().top;
        const kinds = [
          ...document.querySelectorAll('section[aria-label="Needs attention"] li > span:first-child'),
        ];
        return {
          above: (place("Needs attention") ?? 0) < (place("Figures") ?? 0),
          kinds: kinds.map((one) => one.className),
        };
      });
      ok(found.above && found.kinds.length > 4, JSON.stringify(found));
      const ranks = found.kinds.map((kind) => ["bad", "warn", "muted"].indexOf(kind));
      deepEqual(ranks, ranks.toSorted(), "urgent, then warnings, then notes");
      equal((await page.$$(".market")).length, 1, "a row for each profile");
    });

    await t.step("the mark of an applied plan leads to the plan", async () => {
      await at("/explore?days=90");
      await seeText(page, "Applied in this period");
      await page.click(".mark-hit");
      await page.waitForFunction(() => location.pathname.startsWith("/plans/"));
    });

    await t.step("figures are sorted by head, with their sum on top, and lead to the campaign", async () => {
      await at("/explore");
      await seeText(page, "All 6");
      equal(await page.$eval("main select", (list) => (list as HTMLSelectElement).value), world.us.profileId);
      const cells = await page.$$eval(
        "tr.any:nth-child(2) td",
        (all) => all.map(({ clientWidth }) => clientWidth > 40),
      );
      deepEqual(cells, Array(12).fill(true));
      const sort = () =>
        page.$eval("[role=grid] th[aria-sort]", ({ ariaSort, textContent }) => [ariaSort, textContent]);
      await page.click("[role=grid] th:nth-child(6) button");
      await page.waitForFunction(() => location.search.includes("sort=-acos"));
      deepEqual(await sort(), ["descending", "ACOS ↓"]);
      await page.click("[role=grid] th:nth-child(6) button");
      await page.waitForFunction(() => location.search.includes("sort=acos"));
      deepEqual(await sort(), ["ascending", "ACOS ↑"]);
      await page.select("main select:has(option[value=year])", "year");
      await seeText(page, "earlier days are missing");
      await page.click("[role=grid] tr.any a");
      await seeText(page, "Only campaign");
      equal((await page.$$("tr.entity")).length, 1);
    });

    await t.step("alerts are ticked, snoozed together and opened again", async () => {
      await at("/inbox?by=rule");
      await seeText(page, "Last four weeks");
      const tick = async (count: number) => {
        for (const box of (await page.$$(".inbox li > input")).slice(0, count)) await box.click();
        await seeText(page, `${count} alerts ticked`);
      };
      await tick(2);
      await clickButton(page, "Snooze …");
      await confirmDialog(page);
      await seeText(page, "Snoozed 2");
      await clickButton(page, "Snoozed 2");
      await page.waitForFunction(() => document.querySelectorAll(".inbox li > input").length === 2);
      await tick(2);
      await clickButton(page, "Open again");
      await seeText(page, "Open 2");
    });

    await t.step("an alert is snoozed and closed by keys, with a reason", async () => {
      await at("/inbox");
      await seeText(page, "Last four weeks");
      await page.keyboard.press("s");
      await page.waitForSelector("dialog[open] input[name=reason]");
      await page.type("dialog input[name=reason]", "weekend");
      await confirmDialog(page);
      await seeText(page, "Snoozed 1");
      await seeText(page, "rule budget_out");
      await page.waitForSelector("article");
      await page.keyboard.press("e");
      await confirmDialog(page);
      await seeText(page, "Closed 1");
    });

    await t.step("an error says what failed, and the page reads again", async () => {
      world.emulator.setFaults([{
        match: { path: "/sp/campaigns/list" },
        effects: { response: { status: 500, body: { message: "internal" } } },
      }]);
      await at("/account");
      await page.waitForSelector("main [role=alert]");
      world.emulator.setFaults([]);
      await clickButton(page, "Try again");
      await seeText(page, "campaigns; amounts in USD");
    });

    await t.step("amounts in yen have no decimals, on any page", async () => {
      const jp = await world.ads.profile("JP");
      await fillStore({ ...world, us: jp }, 40);
      const [campaign] = await jp.sp.campaigns.list({ states: ["ENABLED"] });
      ok(campaign);
      const plan = await jp.sp.campaigns.planUpdate([
        {
          campaignId: campaign.campaignId,
          budget: { budgetType: "DAILY", budget: campaign.budget.budget * 4 },
        },
      ]);
      await world.plans.save(plan);
      const own = `profile=${jp.profileId}`;
      for (
        const [path, text] of [
          [`/plans/${plan.id}`, FITS],
          [`/grid?${own}`, "rows"],
          [`/account?${own}`, "amounts in JPY"],
          [`/explore?${own}`, "SQL behind the table"],
        ] as const
      ) {
        await at(path);
        await seeText(page, text);
        await page.waitForFunction(() => document.querySelector("main .loading") === null);
        const parts = await page.$$eval(
          "main :is(td, dd, li, p, .figure, .under, .y-axis span):not([data-label=ROAS])",
          (all) =>
            all.flatMap((one) =>
              one instanceof HTMLElement && !one.closest("button.tile")?.textContent?.startsWith("ROAS")
                ? one.innerText
                : []
            ),
        );
        deepEqual(parts.filter((one) => /\d\.\d\d(?!\d)(?! pt| %)/.test(one)), [], path);
        ok(parts.some((one) => /\d,\d{3}\b/.test(one)), `${path} shows amounts`);
      }
      await at("/");
      await seeText(page, "JPY");
      const market = await page.$$eval(
        ".market",
        (all) =>
          all.flatMap((one) => one instanceof HTMLElement && /JP/.test(one.innerText) ? one.innerText : []),
      );
      equal(market.length, 1);
      ok(!/\d\.\d\d(?!\d)/.test(market[0] ?? ""), market[0]);
    });

    await t.step("the first page is painted soon", async () => {
      await at("/");
      await seeText(page, "Needs attention");
      const painted = await page.waitForFunction(() =>
        performance.getEntriesByName("first-contentful-paint")[0]?.startTime
      );
      console.log(`The first page was painted after ${Math.round(await painted.jsonValue() ?? 0)} ms`);
    });
  } finally {
    await browser.close();
  }
});
