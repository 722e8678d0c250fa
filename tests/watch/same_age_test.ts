import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { figures, Warehouse } from "../../src/store/mod.ts";
import { addDays } from "../../src/base/time/calendar.ts";
import { parseWatch } from "../../src/automation/watch/watch_file.ts";
import { FigureFacts } from "../../src/automation/watch/figure_facts.ts";

const TODAY = "2026-11-23";
const PLACE = { profileId: "1", countryCode: "US", report: "sp_campaigns" } as const;

/** Each day costs 10 and sells 40 in the end: a tenth of it known for each day of age. */
function rowsOf(first: string, last: string, today: string): Record<string, string | number>[] {
  const rows = [];
  for (let date = first; date <= last; date = addDays(date, 1)) {
    const age = Math.round((Date.parse(today) - Date.parse(date)) / 86_400_000);
    const share = Math.min(1, age / 10);
    rows.push({
      ...{ date, campaignId: "7", campaignName: "C", impressions: 100, clicks: 10, cost: 10 },
      ...{ purchases14d: 2, sales14d: 40 * share },
    });
  }
  return rows;
}

/** A store that was synced on some days, each time with the 42 days before. */
async function synced(days: readonly string[], work: (store: Warehouse) => Promise<void>): Promise<void> {
  const folder = await temporaryFolder();
  let now = 0;
  const store = await Warehouse.open(folder.file("ads.sqlite"), { now: () => now });
  try {
    for (const [at, day] of days.entries()) {
      // A timer does not run to the minute.
      now = Date.parse(`${day}T03:${String(10 + at % 40)}:00Z`);
      const [start, end] = [addDays(day, -42), addDays(day, -1)];
      await store.replace({ ...PLACE, start, end }, rowsOf(start, end, day));
    }
    await work(store);
  } finally {
    await store.close();
    await folder.remove();
  }
}

const NIGHTLY = Array.from({ length: 20 }, (_, at) => addDays(TODAY, at - 19));
const WEEK = { from: addDays(TODAY, -7), to: addDays(TODAY, -1), compare: true, today: TODAY };

Deno.test("young days are compared with the days before as these were known at the same age", () =>
  synced(NIGHTLY, async (store) => {
    const { totals: [total], notes, comparison } = await figures(store, WEEK);
    // Ages of 1 to 7 days: 4 + 8 + ... + 28.
    equal(total?.sales, 112);
    deepEqual([total?.["sales_before"], total?.["sales_change"], total?.["cost_change"]], [112, 0, 0]);
    equal(comparison?.isComparable, true);
    match(
      notes.join("\n"),
      /compared at the same age: 2026-11-09 to 2026-11-15 as it was known on 2026-11-16/,
    );
  }));

Deno.test("without the history of the earlier days no change of sales is told, and that of cost is", () =>
  synced([TODAY], async (store) => {
    const { totals: [total], rows: [row], notes } = await figures(store, { ...WEEK, by: ["campaign"] });
    for (const one of [total, row]) {
      deepEqual(
        ["sales_before", "orders_before", "acos_before", "sales_change"].map((name) => one?.[name]),
        [null, null, null, null],
      );
      deepEqual([one?.["cost_before"], one?.["cost_change"]], [70, 0]);
    }
    match(
      notes.join("\n"),
      /Orders and sales cannot be compared yet: .*Compare days before \d{4}-\d\d-\d\d, or sync/,
    );
  }));

Deno.test("complete days are compared as they are known now, without any history", () =>
  synced([TODAY], async (store) => {
    const lag = { from: addDays(TODAY, -21), to: addDays(TODAY, -15) };
    const { totals: [total], notes, comparison } = await figures(store, { ...WEEK, ...lag });
    deepEqual([total?.["sales_before"], total?.["sales_change"]], [280, 0]);
    deepEqual([comparison?.isComparable, comparison?.asOf], [true, undefined]);
    equal(notes.filter((note) => /same age|told yet/.test(note)).length, 0);
  }));

Deno.test("a rule over fresh days sees no fall of sales where there is none, and says where it cannot tell", async () => {
  const file = parseWatch(
    "version: 1\nrules:\n  fall:\n    over: campaign\n    when: sales7d < 0.7 * sales7d_before\n    days: fresh\n",
    "watch.yaml",
  );
  const [rule] = file.rules;
  ok(rule !== undefined && rule.over === "campaign");
  const judged = { figures: rule.figures, names: rule.condition.names };
  const end = addDays(TODAY, -1);
  await synced(NIGHTLY, async (store) => {
    const facts = new FigureFacts(store, { profileId: "1", today: TODAY });
    equal(await facts.missing("campaign", rule.figures, end), undefined);
    const [subject] = await facts.subjects("campaign", judged, end);
    deepEqual([subject?.facts["sales7d"], subject?.facts["sales7d_before"]], [112, 112]);
  });
  await synced([TODAY], async (store) => {
    const facts = new FigureFacts(store, { profileId: "1", today: TODAY });
    match(
      String(await facts.missing("campaign", rule.figures, end)),
      /Orders and sales cannot be compared yet/,
    );
  });
});
