import assert from "node:assert/strict";
import type { Emulator } from "../../src/emulator/mod.ts";
import { ConfigurationError, ReportFailedError } from "../../src/errors.ts";
import type { ReportRow } from "../../src/client/reports/file/report_row.ts";
import { reportTests } from "./report_ground.ts";

const DAYS = { start: "2026-09-20", end: "2026-09-26" };

const accountsTest = reportTests("US");

/** Reports that were asked for, by the host that they were asked of. */
function creates(emulator: Emulator): number {
  return emulator.requests().filter(({ path }) => path.endsWith("/create/reports")).length;
}

function costs(rows: readonly ReportRow[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const row of rows) {
    const currency = String(row["budgetCurrency.value"]);
    sums[currency] = Math.round(100 * ((sums[currency] ?? 0) + Number(row["metric.totalCost"]))) / 100;
  }
  return sums;
}

accountsTest("profiles of several regions are in one run, a report a region", async ({ ads, emulator }) => {
  const report = { fields: ["campaign.id", "metric.totalCost"], ...DAYS } as const;
  const names = ["US", "CA", "JP", "US"];
  const rows = await ads.reports.run({ ...report, profiles: names });
  const id: string | null = rows[0]!["advertiserAccount.id"];
  assert.match(String(id), /^ads-account/);
  assert.equal(creates(emulator), 2);
  assert.equal(new Set(rows.map((row) => row["advertiserAccount.id"])).size, 3);
  const single: ReportRow[] = [];
  for (const name of ["US", "CA", "JP"]) {
    single.push(...await (await ads.profile(name)).reports.run(report));
  }
  assert.equal(rows.length, single.length);
  assert.deepEqual(costs(rows), costs(single));
  assert.deepEqual(Object.keys(costs(rows)).sort(), ["CAD", "JPY", "USD"]);
});

accountsTest("every profile of the login is reported where none is named", async ({ ads, emulator }) => {
  const rows = await ads.reports.run({ fields: ["advertiserAccount.name", "metric.clicks"], ...DAYS });
  const names = emulator.state.profiles().map(({ record }) => record.accountInfo.name);
  assert.deepEqual(rows.map((row) => row["advertiserAccount.name"]).sort(), names.sort());
  assert.equal(creates(emulator), 3);
});

accountsTest("what is to be known of the fields is told once for all regions", async ({ ads }) => {
  const told: string[] = [];
  await ads.reports.run(
    { fields: ["costPerClick"], ...DAYS, profiles: ["CA", "UK"] },
    { onWarning: (message) => told.push(message) },
  );
  assert.deepEqual(told, [
    "costPerClick is metric.cpc here",
    "budgetCurrency.value was added: metric.cpc requires it",
  ]);
});

accountsTest("an account is reported whole once, whichever of its profiles are named", async ({ ads }) => {
  const fields = ["metric.totalCost"] as const;
  const whole = await ads.reports.run({ fields, ...DAYS, profiles: ["US", "AU"], wholeAccount: true });
  assert.deepEqual(Object.keys(costs(whole)).sort(), ["AUD", "EUR", "USD"]);
  assert.equal(whole.length, 3);
  const two = await ads.reports.run({ fields, ...DAYS, profiles: ["US", "AU"] });
  assert.deepEqual(Object.keys(costs(two)).sort(), ["AUD", "USD"]);
});

accountsTest("the reports of all regions are under way together", async ({ ads, emulator }) => {
  await ads.reports.run({ fields: ["metric.clicks"], ...DAYS, profiles: ["US", "UK", "JP"] });
  const paths = emulator.requests().map(({ path }) => path);
  const last = paths.findLastIndex((path) => path.endsWith("/create/reports"));
  const first = paths.findIndex((path) => path.endsWith(".json.gz"));
  assert(first > 0 && last < first, `${last} ${first}`);
});

accountsTest("one profile is reported as by its own client", async ({ ads, client }) => {
  const report = { fields: ["metric.clicks"], ...DAYS } as const;
  const rows = await ads.reports.run({ ...report, profiles: ["US"] });
  assert.deepEqual(rows, await client.reports.run(report));
  assert.deepEqual(Object.keys(rows[0]!), ["metric.clicks"]);
});

accountsTest("a report that fails ends the others, and says why", async ({ ads, emulator }) => {
  emulator.setFaults([{
    match: { path: "/adsApi/v1/create/reports", region: "EU" },
    effects: { reportOutcome: "FAILED" },
  }]);
  const seen: ReportRow[] = [];
  await assert.rejects(async () => {
    const rows = ads.reports.stream({
      fields: ["metric.clicks"],
      ...DAYS,
      profiles: ["JP", "UK", "US"],
    });
    for await (const row of rows) seen.push(row);
  }, ReportFailedError);
  assert.equal(seen.length, 1);
});

accountsTest(
  "profiles that there are not, and fields that do not go together, are refused",
  async (ground) => {
    const { ads, emulator } = ground;
    const run = (report: Partial<Parameters<typeof ads.reports.run>[0]>) =>
      ads.reports.run({ fields: ["metric.clicks"], ...DAYS, ...report } as never);
    await assert.rejects(run({ profiles: ["US", "FR"] }), ConfigurationError);
    await assert.rejects(run({ profiles: [] }), /no profiles: name at least one/);
    await assert.rejects(
      run({ fields: ["metric.clikcs"], profiles: ["US", "JP"] }),
      /did you mean metric.clicks/,
    );
    await assert.rejects(run({ fields: "metric.clicks" as never }), /is not a list of names/);
    assert.equal(creates(emulator), 0);
    const stop = new AbortController();
    stop.abort(new Error("enough"));
    await assert.rejects(
      ads.reports.run({ fields: ["metric.clicks"], ...DAYS, profiles: ["US"] }, { signal: stop.signal }),
      /enough/,
    );
  },
);

accountsTest("the reports of other regions are waited for no more once one fails", async (ground) => {
  const { ads, emulator, slept } = ground;
  emulator.setFaults([
    {
      match: { path: "/adsApi/v1/create/reports", region: "EU" },
      effects: { reportOutcome: "FAILED", reportSeconds: 1 },
    },
    { match: { path: "/adsApi/v1/create/reports", region: "NA" }, effects: { reportSeconds: 3000 } },
  ]);
  await assert.rejects(
    ads.reports.run({ fields: ["metric.clicks"], ...DAYS, profiles: ["UK", "US"] }),
    ReportFailedError,
  );
  const waited = slept.reduce((sum, seconds) => sum + seconds, 0);
  assert(waited < 600, `${waited} s`);
});
