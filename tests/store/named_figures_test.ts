import { test } from "node:test";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { type FigureGroup, type FigureRow, figures, Warehouse } from "../../src/store/mod.ts";
import { addDays } from "../../src/base/time/calendar.ts";
import { SeededRandom } from "../support/seeded_random.ts";

const TODAY = "2026-11-23";
const FIRST = "2026-10-05";
const DAYS = 49;

interface Fact {
  readonly countryCode: string;
  readonly campaignId: string;
  readonly date: string;
  readonly clicks: number;
  readonly cost: number;
  readonly purchases14d: number;
  readonly sales14d: number;
  readonly impressions: number;
}

/** Days of two markets with other currencies, with what was stored as plain facts to sum up by hand. */
async function stored(work: (store: Warehouse, facts: readonly Fact[]) => Promise<void>): Promise<void> {
  const folder = await temporaryFolder();
  const store = await Warehouse.open(folder.file("ads.sqlite"));
  const random = new SeededRandom(11);
  const facts: Fact[] = [];
  try {
    for (const [profileId, countryCode] of [["1", "US"], ["2", "DE"]] as const) {
      const rows = Array.from({ length: DAYS }, (_, day) =>
        ["7", "8"].map((campaignId) => ({
          date: addDays(FIRST, day),
          campaignId,
          campaignName: `Campaign ${campaignId}`,
          impressions: random.integer(100, 900),
          clicks: random.integer(0, 30),
          cost: random.integer(0, 5000) / 100,
          purchases14d: random.integer(0, 4),
          sales14d: random.integer(0, 9000) / 100,
        }))).flat();
      facts.push(...rows.map((row) => ({ ...row, countryCode })));
      await store.replace(
        { profileId, countryCode, report: "sp_campaigns", start: FIRST, end: addDays(FIRST, DAYS - 1) },
        rows,
      );
    }
    await work(store, facts);
  } finally {
    await store.close();
    await folder.remove();
  }
}

const sum = (facts: readonly Fact[], name: "clicks" | "cost" | "purchases14d" | "sales14d"): number =>
  Number(facts.reduce((all, fact) => all + fact[name], 0).toFixed(6));

test("Brands campaigns that version 3 leaves out are named where they have no rows, and not otherwise", () =>
  stored(async (store) => {
    const what = { profileId: "1", countryCode: "US" };
    const days = { start: FIRST, end: addDays(FIRST, DAYS - 1) };
    const row = { date: FIRST, campaignId: "71", campaignName: "Reported", clicks: 3, cost: 1 };
    await store.replace({ ...what, report: "sb_campaigns", ...days }, [row]);
    const campaign = (
      campaignId: string,
      name: string,
      isMultiAdGroupsEnabled: boolean,
      state = "ENABLED",
    ) => ({
      campaignId,
      name,
      state,
      isMultiAdGroupsEnabled,
    });
    await store.replaceEntities({ ...what, kind: "sb.campaigns" }, [
      campaign("70", "Older video", false),
      campaign("71", "Reported", false),
      campaign("72", "Newer", true),
      campaign("73", "Gone", false, "ARCHIVED"),
    ]);
    const notesOf = async (markets?: string[]): Promise<string[]> =>
      (await figures(store, { from: days.start, to: days.end, today: TODAY, ...markets && { markets } }))
        .notes
        .filter((note) => note.includes("Brands"));
    const [note, ...others] = await notesOf();
    match(
      note!,
      /^No rows of 1 Brands campaign with a single ad group .*: US "Older video" \(70\)\. Old reports/,
    );
    deepEqual(others, []);
    deepEqual(await notesOf(["DE"]), []);
    await store.replace({ ...what, report: "sb_campaigns", ...days }, [{ ...row, campaignId: "70" }, row]);
    deepEqual(await notesOf(), []);
  }));

test("figures are the sums of what is stored, whatever they are grouped by, and currencies are never added", () =>
  stored(async (store, facts) => {
    const [from, to] = ["2026-10-19", "2026-11-15"];
    const own = facts.filter(({ date }) => date >= from && date <= to);
    const groups: FigureGroup[][] = [[], ["market"], ["campaign"], ["market", "campaign", "week"], ["day"], [
      "month",
    ]];
    for (const by of groups) {
      const { rows, totals } = await figures(store, { by, from, to, today: TODAY });
      for (const [currency, market] of [["USD", "US"], ["EUR", "DE"]]) {
        const part = own.filter(({ countryCode }) => countryCode === market);
        for (const list of [rows, totals]) {
          const cost = list.filter((row) => row.currency === currency).reduce(
            (all, row) => all + row.cost,
            0,
          );
          equal(Number(cost.toFixed(4)), sum(part, "cost"), `${by} ${currency}`);
        }
        const total = totals.find((row) => row.currency === currency)!;
        equal(total.orders, sum(part, "purchases14d"));
        equal(total.acos, Number((sum(part, "cost") / sum(part, "sales14d")).toFixed(6)));
        equal(total.cpc, Number((sum(part, "cost") / sum(part, "clicks")).toFixed(6)));
      }
    }
    const one = await figures(store, { by: ["campaign", "week"], markets: ["DE"], from, to, today: TODAY });
    equal(one.rows.length, 8);
    const [row] = one.rows as [FigureRow];
    equal(row["week"], "2026-10-19");
    const week = own.filter(({ countryCode, campaignId, date }) =>
      countryCode === "DE" && campaignId === row["campaign_id"] && date <= "2026-10-25"
    );
    deepEqual([row["campaign"], row.sales], [`Campaign ${row["campaign_id"]}`, sum(week, "sales14d")]);
  }));

test("a period is compared with as many days right before, row by row", () =>
  stored(async (store, facts) => {
    const { rows, before } = await figures(store, {
      by: ["market", "campaign", "week"],
      from: "2026-11-02",
      to: "2026-11-15",
      compare: true,
      today: TODAY,
    });
    deepEqual(before, { start: "2026-10-19", end: "2026-11-01" });
    for (const row of rows) {
      const start = addDays(String(row["week"]), -14);
      const own = facts.filter(({ countryCode, campaignId, date }) =>
        countryCode === row["market"] && campaignId === row["campaign_id"] && date >= start &&
        date <= addDays(start, 6)
      );
      equal(row["cost_before"], sum(own, "cost"));
      equal(row["cost_change"], Number(((row.cost - sum(own, "cost")) / sum(own, "cost")).toFixed(4)));
    }
  }));

test("a change leaves out the days that one of the periods lacks, and is unknown where they are many", () =>
  stored(async (store, facts) => {
    const compare = async (from: string, to: string): Promise<readonly FigureRow[]> => {
      const { rows, totals, notes } = await figures(store, {
        by: ["market"],
        from,
        to,
        compare: true,
        today: TODAY,
      });
      match(notes.join("\n"), /changes exclude the same days of both periods/);
      return [...rows, ...totals];
    };
    const cost = (countryCode: string, from: string, to: string): number =>
      sum(
        facts.filter((one) => one.countryCode === countryCode && one.date >= from && one.date <= to),
        "cost",
      );
    // The last two of ten days are not stored yet: eight are compared with the first eight of those before.
    for (const row of await compare("2026-11-15", "2026-11-24")) {
      const country = row.currency === "USD" ? "US" : "DE";
      const [now, then] = [
        cost(country, "2026-11-15", "2026-11-22"),
        cost(country, "2026-11-05", "2026-11-12"),
      ];
      equal(row["cost_change"], Number(((now - then) / then).toFixed(4)));
      equal(row["cost_before"], cost(country, "2026-11-05", "2026-11-14"));
    }
    // Of fourteen days before, four are stored.
    for (const row of await compare("2026-10-09", "2026-10-22")) equal(row["cost_change"], null);
  }));

test("days that the report on placements has are not missing from figures of campaigns", () =>
  stored(async (store) => {
    const placed = { profileId: "1", countryCode: "US", report: "sp_placement" } as const;
    await store.replace({ ...placed, start: "2026-10-01", end: "2026-10-04" }, []);
    const { notes } = await figures(store, { from: "2026-10-01", to: "2026-10-10", today: TODAY });
    deepEqual(notes.filter((note) => note.includes("US")), []);
    match(
      notes.join("\n"),
      /Not stored: campaigns for DE from 2026-10-01 to 2026-10-04, so totals and changes/,
    );
  }));

test("days that are immature or not stored are marked and named", () =>
  stored(async (store) => {
    const { rows, notes } = await figures(store, {
      by: ["day"],
      from: "2026-10-01",
      to: "2026-11-24",
      today: TODAY,
    });
    const young = rows.filter(({ immature }) => immature).map((row) => String(row["day"]));
    equal(young.toSorted()[0], "2026-11-09");
    match(notes.join("\n"), /Not stored: campaigns for DE, US from 2026-10-01 to 2026-10-04/);
    match(notes.join("\n"), /Not stored: campaigns for DE, US from 2026-11-23 to 2026-11-24/);
    const none = await figures(store, {
      by: ["search_term"],
      from: "2026-11-01",
      to: "2026-11-02",
      today: TODAY,
    });
    deepEqual(none.rows, []);
    match(
      none.notes[0]!,
      /Nothing is stored for search-terms, brands-search-terms\. Fetch it: sync\(\) with/,
    );
  }));

test("groups take hyphens as well as underscores", () =>
  stored(async (store) => {
    const range = { from: "2026-11-01", to: "2026-11-02" };
    deepEqual(
      await figures(store, { by: ["search-term" as never, "ad-group" as never], ...range }),
      await figures(store, { by: ["search_term", "ad_group"], ...range }),
    );
  }));

test("groups, days and markets that make no sense are refused before anything is read", () =>
  stored(async (store) => {
    const refused = (more: object): Promise<void> =>
      rejects(figures(store, { from: "2026-11-01", to: "2026-11-02", ...more }), RangeError);
    await refused({ by: ["campain"] });
    await refused({ from: "2026-11-31" });
    await refused({ from: "2026-02-31" });
    await refused({ to: "2026-11-31" });
    await refused({ from: "2026-11-03" });
    await refused({ markets: ["US') OR ('1'='1"] });
    await refused({ profileIds: ["1 OR 1=1"] });
    await rejects(
      figures(store, { by: ["campain" as never], from: "2026-11-01", to: "2026-11-02" }),
      /did you mean "campaign"/,
    );
    ok(
      (await figures(store, { by: ["portfolio"], from: "2026-11-01", to: "2026-11-02", today: TODAY })).rows
        .length > 0,
    );
  }));
