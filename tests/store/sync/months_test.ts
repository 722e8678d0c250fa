import { deepEqual, equal, match, ok } from "../../support/assert.ts";
import { monthOf } from "../../../src/store/sync/sync_months.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { editedReports } from "../../support/edited_reports.ts";
import { emulated } from "../../support/emulated.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { long } from "../../support/long.ts";

/** Bodies of the reports that were asked for, as `first..last`. */
function askedPeriods(requests: readonly { readonly path: string; readonly body?: string }[]): string[] {
  return requests.filter(({ path }) => path.endsWith("/create/reports")).map(({ body }) => {
    const { startDate, endDate } = JSON.parse(body!).reports[0].periods[0].datePeriod;
    return `${startDate}..${endDate}`;
  });
}

long();
Deno.test("months sum up to the days of reports, and are pulled again while they may change", async () => {
  await using world = await emulated({ emulator: { quirks: { reportSeconds: 0 } } });
  await using folder = await temporaryFolder();
  const store = await Warehouse.open(folder.file("ads.sqlite"), { now: world.time.now });
  let seen = world.emulator.requests().length;
  const asked = (): string[] => {
    const found = askedPeriods(world.emulator.requests().slice(seen));
    seen = world.emulator.requests().length;
    return found;
  };
  const months = { months: "only", start: "2026-07-01" } as const;
  const { outcomes: [outcome], ok: isOk } = await store.sync([world.us], months);
  equal(isOk, true);
  deepEqual(
    [outcome!.report, outcome!.start, outcome!.end, outcome!.state],
    ["months", "2026-07-01", "2026-08-31", "stored"],
  );
  ok(outcome!.rows > 20, String(outcome!.rows));

  const august = { start: "2026-08-01", end: "2026-08-31" };
  await store.sync([world.us], {
    ...august,
    reports: ["sp_campaigns", "sb_campaigns", "sd_campaigns"],
    reporting: 1,
  });
  const days = await Promise.all(["sp", "sb", "sd"].map(async (product) => {
    const { rows } = await store.query(
      `SELECT sum(clicks) AS clicks, sum(cost) AS cost FROM ${product}_campaigns WHERE date BETWEEN ? AND ?`,
      [august.start, august.end],
    );
    return rows[0]!;
  }));
  const { rows: sums } = await store.query(
    `SELECT ad_product, sum(clicks) AS clicks, sum(cost) AS cost, min(currency) AS currency, min(country_code) AS country
     FROM performance_monthly WHERE date = ? GROUP BY ad_product`,
    [august.start],
  );
  deepEqual(
    ["SPONSORED_PRODUCTS", "SPONSORED_BRANDS", "SPONSORED_DISPLAY"].map((product) =>
      sums.find((row) => row["ad_product"] === product)?.["clicks"]
    ),
    days.map(({ clicks }) => clicks),
  );
  for (const [index, product] of ["SPONSORED_PRODUCTS", "SPONSORED_BRANDS", "SPONSORED_DISPLAY"].entries()) {
    const month = sums.find((row) => row["ad_product"] === product)!;
    ok(Math.abs(Number(month["cost"]) - Number(days[index]!["cost"])) < 0.01);
    deepEqual([month["currency"], month["country"]], ["USD", "US"]);
  }

  asked();
  const again = await store.sync([world.us], months);
  // August ended less than 42 days ago, July did not.
  deepEqual(asked(), ["2026-08-01..2026-08-31"]);
  deepEqual(again.outcomes.map(({ start, state }) => [start, state]), [["2026-08-01", "stored"]]);
  const { rows: [count] } = await store.query("SELECT count(*) AS n FROM performance_monthly");
  equal(count!["n"], outcome!.rows, "a month that is pulled again takes the place of the other");
  deepEqual((await store.sync([world.us], { ...months, end: "2026-07-31" })).outcomes, []);
  deepEqual((await store.sync([world.us], { ...months, restateDays: 20 })).outcomes, []);
  await store.close();
});

long();
Deno.test("months reach back six years, in reports of 25 months", async () => {
  await using world = await emulated({ emulator: { quirks: { reportSeconds: 0 } } });
  await using folder = await temporaryFolder();
  const store = await Warehouse.open(folder.file("ads.sqlite"), { now: world.time.now });
  world.emulator.setFaults([{
    match: { path: "/adsApi/v1/create/reports" },
    effects: { reportOutcome: "FAILURE", reportSeconds: 0 },
  }]);
  const { outcomes: [outcome] } = await store.sync([world.us], { months: "only" });
  deepEqual([outcome!.start, outcome!.end, outcome!.state], ["2020-10-01", "2026-08-31", "failed"]);
  deepEqual(askedPeriods(world.emulator.requests()), [
    "2020-10-01..2022-10-31",
    "2022-11-01..2024-11-30",
    "2024-12-01..2026-08-31",
  ]);
  deepEqual((await store.requests()).map(({ report, state }) => `${report} ${state}`), [
    "months failed",
    "months failed",
    "months failed",
  ]);
  await store.close();
});

Deno.test("months begin and end whole, and those that the platform does not keep are named", async () => {
  await using world = await emulated({ emulator: { quirks: { reportSeconds: 0 } } });
  await using folder = await temporaryFolder();
  const store = await Warehouse.open(folder.file("ads.sqlite"), { now: world.time.now });
  const warnings: string[] = [];
  const range = async (start: string, end: string) => {
    const { outcomes } = await store.sync([world.us], {
      ...{ start, end, months: "only" },
      onWarning: (text) => warnings.push(text),
    });
    return outcomes.map((one) => `${one.start}..${one.end}`);
  };
  deepEqual(await range("2026-05-02", "2026-07-30"), ["2026-06-01..2026-06-30"]);
  deepEqual(await range("2026-05-02", "2026-05-31"), []);
  deepEqual(warnings, []);
  deepEqual(await range("2019-01-01", "2020-12-31"), ["2020-10-01..2020-12-31"]);
  match(warnings[0]!, /^Months before 2020-10-01 are not kept by the platform and not asked for$/);
  await store.close();
});

long();
Deno.test("a month is read by its number or with its year, and rows of no month of the report keep what is stored", async () => {
  const forms = [8, "8", "08", "2026-08", "2026-08-01", "202608", "2026-08-01T00:00:00Z"];
  deepEqual(new Set(forms.map((month) => monthOf(2026, month))), new Set(["2026-08-01"]));
  deepEqual(monthOf("2025", 12), "2025-12-01");
  let edit = (text: string): string => text;
  await using world = await emulated({
    emulator: { quirks: { reportSeconds: 0 } },
    fetchOf: () => editedReports((text) => edit(text)),
  });
  await using folder = await temporaryFolder();
  const store = await Warehouse.open(folder.file("ads.sqlite"), { now: world.time.now });
  const pull = () => store.sync([world.us], { months: "only", start: "2026-08-01" });
  const rows = (await pull()).outcomes[0]!.rows;
  edit = (text) => text.replaceAll('"month.value":8', '"month.value":"August"');
  const { outcomes: [failed] } = await pull();
  equal(failed!.state, "failed");
  match(
    failed!.error!.message,
    /^Cannot store months: \d+ rows of the report are outside the months 2026-08-01 to 2026-08-31$/,
  );
  const { rows: [count] } = await store.query("SELECT count(*) AS n FROM performance_monthly");
  equal(count!["n"], rows);
  await store.close();
});
