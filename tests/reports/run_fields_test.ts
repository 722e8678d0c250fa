import assert from "node:assert/strict";
import type { Emulator } from "../../src/emulator/mod.ts";
import { ReportFailedError, ThrottledError } from "../../src/errors.ts";
import type { FieldsProgress } from "../../src/client/reports/fields_report.ts";
import type { ReportRow } from "../../src/client/reports/file/report_row.ts";
import { reportTests } from "./report_ground.ts";
import { long } from "../support/long.ts";

const DAYS = { start: "2026-09-20", end: "2026-09-26" };

const fieldsTest = reportTests("US");

/** Requests to a path of the new reports. */
function sent(emulator: Emulator, path: string): ReturnType<Emulator["requests"]> {
  return emulator.requests().filter((request) => request.path.endsWith(path));
}

function sum(rows: readonly ReportRow[], name: string): number {
  return Math.round(100 * rows.reduce((all, row) => all + Number(row[name] ?? 0), 0)) / 100;
}

fieldsTest(
  "a report of fields has typed rows with the figures of version 3",
  async ({ client, emulator, slept }) => {
    const rows = await client.reports.run({
      fields: ["date.value", "campaign.id", "metric.clicks", "metric.totalCost"],
      ...DAYS,
      filter: { "adProduct.value": "SPONSORED_PRODUCTS" },
    });
    const clicks: number | null = rows[0]!["metric.clicks"];
    const id: string | null = rows[0]!["campaign.id"];
    assert.deepEqual([typeof clicks, typeof id], ["number", "string"]);
    assert.deepEqual(Object.keys(rows[0]!), [
      "date.value",
      "campaign.id",
      "metric.clicks",
      "metric.totalCost",
      "budgetCurrency.value",
    ]);
    const old = await client.reports.run("sp_campaigns", DAYS.start, DAYS.end);
    assert.equal(rows.length, old.length);
    assert.equal(sum(rows, "metric.clicks"), sum(old, "clicks"));
    assert.equal(sum(rows, "metric.totalCost"), sum(old, "cost"));
    assert.deepEqual(slept.slice(0, 1), [60], "looked at once a minute");
    const [created] = sent(emulator, "/create/reports");
    assert(!JSON.stringify(created!.headers).includes(client.profileId), "no profile is named");
  },
);

fieldsTest("each form of the files has the same rows, with the same types", async ({ client, emulator }) => {
  const read: ReportRow[][] = [];
  for (const format of ["GZIP_JSON", "CSV", "PARTITIONED_CSV", "PARTITIONED_GZIP_JSON"] as const) {
    read.push(
      await client.reports.run({
        fields: [
          "date.value",
          "adGroup.id",
          "target.value",
          "target.matchType",
          "metric.impressions",
          "metric.ctr",
        ],
        start: "2026-09-25",
        end: "2026-09-29",
        format,
      }),
    );
  }
  assert(read[0]!.length > 4000, "more than two parts");
  for (const rows of read.slice(1)) assert.deepEqual(rows, read[0]);
  assert(new Set(sent(emulator, ".json.gz").map(({ path }) => path)).size > 4);
});

fieldsTest("what does not fit is refused before anything is sent", async ({ client, emulator }) => {
  const before = emulator.requests().length;
  const refused = async (
    report: Parameters<typeof client.reports.run>[0],
    error: RegExp,
    type = TypeError,
  ): Promise<void> => {
    await assert.rejects(client.reports.run(report as never), (problem: Error) => {
      assert(problem instanceof type, String(problem));
      assert.match(problem.message, error);
      return true;
    });
  };
  await refused({ fields: ["metric.clikcs"], ...DAYS } as never, /did you mean metric.clicks\?/);
  await refused(
    { fields: ["metric.impressionShare", "campaign.id"], ...DAYS } as never,
    /metric.impressionShare does not go with campaign.id/,
  );
  await refused(
    { fields: ["hour.value"], start: "2026-09-01", end: "2026-09-02" } as never,
    /hour.value: 14 days. Begin on 2026-09-16/,
    RangeError as never,
  );
  await refused({ fields: [], ...DAYS } as never, /Name at least one field/);
  await refused({ fields: "metric.clicks", ...DAYS } as never, /is not a list of names/);
  const fields = ["metric.clicks"];
  await refused({ fields, ...DAYS, filter: { "campain.id": "1" } } as never, /did you mean campaign.id\?/);
  await refused({ fields, ...DAYS, filter: { "campaign.id": [] } } as never, /takes 1 to 2000 values/);
  await refused({ fields, ...DAYS, filter: { "campaign.id": [7] } } as never, /all of them texts/);
  const many = Object.fromEntries(
    [
      "ad",
      "adGroup",
      "campaign",
      "flight",
      "event",
      "deal",
      "dma",
      "adSlot",
      "adBreak",
      "frequencyGroup",
      "insertionOrder",
    ]
      .map((name) => [`${name}.id`, "1"]),
  );
  await refused({ fields, ...DAYS, filter: many } as never, /by 11 fields: at most 10/);
  assert.equal(emulator.requests().length, before);
});

long();
fieldsTest(
  "columns of version 3, companions and days past one report are taken care of and told",
  async ({ client, emulator }) => {
    const told: string[] = [];
    const progress: FieldsProgress[] = [];
    const rows = await client.reports.run(
      { fields: ["date", "costPerClick"], start: "2026-05-01", end: "2026-09-29" },
      { onWarning: (message) => told.push(message), onProgress: (one) => progress.push(one) },
    );
    assert.deepEqual(told, [
      "Asked for the rows of US alone (campaign.country): the advertiser account has DE, AU too",
      "date is date.value here",
      "costPerClick is metric.cpc here",
      "budgetCurrency.value was added: metric.cpc requires it",
    ]);
    assert.deepEqual(
      progress.filter(({ kind }) => kind === "requested").map(({ start, end }) => `${start}..${end}`),
      ["2026-05-01..2026-08-28", "2026-08-29..2026-09-29"],
    );
    assert.equal(sent(emulator, "/create/reports").length, 2);
    assert.equal(new Set(rows.map((row) => row["date.value"])).size, 152);
    const done = progress.filter(({ kind }) => kind === "done");
    assert.equal(done.length, 2);
    assert.equal(done.reduce((all, { rows }) => all + rows, 0), rows.length);
  },
);

fieldsTest("conditions choose and leave out rows", async ({ client }) => {
  const run = (filter: Record<string, unknown>): Promise<ReportRow[]> =>
    client.reports.run({ fields: ["adProduct.value", "metric.clicks"], ...DAYS, filter: filter as never });
  const products = async (filter: Record<string, unknown>): Promise<unknown[]> =>
    (await run(filter)).map((row) => row["adProduct.value"]);
  assert.deepEqual(await products({ "adProduct.value": ["SPONSORED_BRANDS"] }), ["SPONSORED_BRANDS"]);
  assert.deepEqual(
    await products({ "adProduct.value": { not: ["SPONSORED_BRANDS", "SPONSORED_DISPLAY"] } }),
    [
      "SPONSORED_PRODUCTS",
    ],
  );
  const [{ campaignId } = {}] = await client.reports.run("sp_campaigns", DAYS.start, DAYS.end);
  const both = await run({ campaignId: String(campaignId), "adProduct.value": "SPONSORED_PRODUCTS" });
  const all = await run({ "adProduct.value": "SPONSORED_PRODUCTS" });
  assert(sum(both, "metric.clicks") > 0 && sum(both, "metric.clicks") < sum(all, "metric.clicks"));
});

fieldsTest(
  "several accounts are in one report, with amounts in one currency",
  async ({ client, emulator }) => {
    const canada = emulator.state.profiles().find(({ record }) => record.countryCode === "CA")!.id;
    const rows = await client.reports.run({
      fields: ["advertiserAccount.id", "metric.totalCost"],
      ...DAYS,
      currency: "USD",
      profiles: [client.profileId, canada],
    });
    assert.deepEqual(rows.map((row) => [row["budgetCurrency.value"], row["convertedCurrency.value"]]), [
      ["USD", "USD"],
      ["CAD", "USD"],
    ]);
    assert.equal(rows[0]!["metric.totalCostConverted"], rows[0]!["metric.totalCost"]);
    assert(Number(rows[1]!["metric.totalCostConverted"]) < Number(rows[1]!["metric.totalCost"]));
    assert.equal(sent(emulator, "/create/reports").length, 1);
    assert.equal(sent(emulator, "/query/advertiserAccounts").length, 2);
    const foreign = emulator.state.profiles().find(({ region }) => region === "EU")!.id;
    await assert.rejects(
      client.reports.run({ fields: ["metric.clicks"], ...DAYS, profiles: [foreign] }),
      /reaches no advertiser account with it in this region/,
    );
  },
);

long();
fieldsTest(
  "parts that the platform does not take at once are asked for when earlier ones are read",
  async ({ client, emulator, slept }) => {
    const progress: string[] = [];
    const rows = await client.reports.run(
      { fields: ["date.value", "metric.clicks"], start: "2026-02-01", end: "2026-09-29" },
      { onProgress: ({ kind, start }) => kind === "waiting" || progress.push(`${kind} ${start}`) },
    );
    assert.equal(new Set(rows.map((row) => row["date.value"])).size, 241);
    const starts = [...new Set(progress.map((text) => text.split(" ")[1]))];
    assert.equal(starts.length, 3);
    const [first, second, third] = starts;
    assert.deepEqual(progress.filter((text) => !text.startsWith("reading")), [
      ...[`requested ${first}`, `requested ${second}`, `done ${first}`],
      ...[`requested ${third}`, `done ${second}`, `done ${third}`],
    ]);
    // Looks at reports go on meanwhile, one a minute.
    assert(slept.every((seconds) => seconds <= 60), String(slept));
    assert.equal(sent(emulator, "/create/reports").filter(({ status }) => status === 429).length, 1);
  },
  { quirks: { reportsUnderWay: 2, reportSeconds: 900 } },
);

fieldsTest(
  "a report that is throttled by those of others is asked for with patience, and given up in time",
  async ({ client, emulator }) => {
    const report = { fields: ["date.value", "metric.clicks"] as const, ...DAYS };
    emulator.setQuirks({ reportsUnderWay: 1, reportSeconds: 3000 });
    const stop = new AbortController();
    await assert.rejects(
      client.reports.run(report, {
        signal: stop.signal,
        onProgress: ({ kind }) => kind === "waiting" && stop.abort(new Error("gone")),
      }),
      /gone/,
    );
    assert((await client.reports.run(report, { timeout: 7200 })).length > 0);
    emulator.setQuirks({ reportSeconds: 90_000 });
    await assert.rejects(client.reports.run(report, { timeout: 60 }), /PENDING|PROCESSING/);
    await assert.rejects(client.reports.run(report, { timeout: 600 }), ThrottledError);
  },
);

fieldsTest(
  "a report that is refused as a duplicate is given up in time",
  async ({ client, emulator, slept }) => {
    emulator.setFaults([{
      match: { path: "/adsApi/v1/create/reports" },
      effects: { response: { status: 425 } },
    }]);
    const report = { fields: ["date.value", "metric.clicks"] as const, ...DAYS };
    const before = slept.length;
    await assert.rejects(client.reports.run(report, { timeout: 60 }), /425/);
    const waited = slept.slice(before).reduce((sum, seconds) => sum + seconds, 0);
    assert(waited >= 59 && waited <= 61, String(waited));
  },
);

fieldsTest(
  "a report that fails, an expired address and a cut file are what they are for version 3",
  async ({ client, emulator }) => {
    const report = { fields: ["date.value", "metric.clicks"] as const, ...DAYS };
    const whole = await client.reports.run(report);
    emulator.setFaults([{
      match: { path: "/adsApi/v1/create/reports" },
      times: 1,
      effects: { reportOutcome: "FAILED" },
    }]);
    await assert.rejects(client.reports.run(report), (error) => {
      assert(error instanceof ReportFailedError && error.status === "FAILED");
      assert.match(
        error.message,
        /over 2026-09-20 to 2026-09-26: the platform says FAILED: INTERNAL_ERROR: The report could not be built/,
      );
      return true;
    });
    for (const effects of [{ response: { status: 403 } }, { response: { status: 503 } }, { truncate: 100 }]) {
      emulator.setFaults([{ match: { path: "/files/*" }, times: 1, effects }]);
      const before = sent(emulator, ".json.gz").length;
      assert.deepEqual(await client.reports.run(report), whole, JSON.stringify(effects));
      assert.equal(sent(emulator, ".json.gz").length - before, 2, JSON.stringify(effects));
    }
  },
);

fieldsTest("a report without rows gives none", async ({ client }) => {
  assert.deepEqual(
    await client.reports.run({
      fields: ["date.value", "metric.clicks"],
      ...DAYS,
      filter: { "campaign.id": "1" },
    }),
    [],
  );
});
