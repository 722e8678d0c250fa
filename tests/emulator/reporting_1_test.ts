import assert from "node:assert/strict";
import { test } from "node:test";
import { Caller, type CallOptions } from "./caller.ts";
import { configurationOf, createReport, lookAt, readFile, type Row, sum } from "./report_caller.ts";
import { long } from "../support/long.ts";

const DAYS = { startDate: "2026-09-20", endDate: "2026-09-26" };

interface Asked {
  readonly fields: readonly string[];
  readonly filter?: unknown;
  readonly format?: string;
  readonly days?: { readonly startDate: string; readonly endDate: string };
  readonly currencyOfView?: string;
  readonly accounts?: readonly string[];
}

/** A filter for rows with one value. */
function only(field: string, ...values: string[]): unknown {
  return { on: { field, comparisonOperator: "IN", not: false, values } };
}

async function accountOf(caller: Caller, country: string): Promise<string> {
  const profileId = caller.profile(country);
  for (const body of [{}, { isGlobalAccountFilter: { include: [false] } }]) {
    const answer = await caller.call("POST", "/adsApi/v1/query/advertiserAccounts", body, {
      profile: null,
      host: caller.emulator.state.profile(profileId)!.region,
    });
    assert.equal(answer.status, 200, answer.text);
    for (const { advertiserAccountId, alternateIds } of answer.json.advertiserAccounts) {
      if (alternateIds.some((one: { profileId: string }) => one.profileId === profileId)) {
        return advertiserAccountId;
      }
    }
  }
  throw new Error(`no account of ${country}`);
}

async function bodyOf(caller: Caller, { accounts, days = DAYS, ...asked }: Asked): Promise<unknown> {
  const { fields, filter, format = "GZIP_JSON", currencyOfView } = asked;
  return {
    accessRequestedAccounts: (accounts ?? [await accountOf(caller, "US")]).map((advertiserAccountId) => ({
      advertiserAccountId,
    })),
    reports: [{
      format,
      periods: [{ datePeriod: days }],
      query: { fields, ...(filter === undefined ? {} : { filter }) },
      ...(currencyOfView === undefined ? {} : { currencyOfView }),
    }],
  };
}

// deno-lint-ignore no-explicit-any -- bodies of every shape
async function ask(caller: Caller, verb: string, body: unknown, options: CallOptions = {}): Promise<any> {
  const answer = await caller.call("POST", `/adsApi/v1/${verb}/reports`, body, {
    profile: null,
    host: "NA",
    ...options,
  });
  assert.equal(answer.status, 207, answer.text);
  return answer.json;
}

/** Asks for a report, lets its time pass, and gives what the platform says of it then. */
// deno-lint-ignore no-explicit-any -- bodies of every shape
async function completed(caller: Caller, asked: Asked): Promise<any> {
  const { success, error } = await ask(caller, "create", await bodyOf(caller, asked));
  assert.deepEqual(error, []);
  caller.emulator.advance(10);
  return (await ask(caller, "retrieve", { reportIds: [success[0].report.reportId] })).success[0].report;
}

async function freeRows(caller: Caller, asked: Asked): Promise<Row[]> {
  const { completedReportParts } = await completed(caller, asked);
  const rows: Row[] = [];
  for (const { url } of completedReportParts) rows.push(...await readFile(url));
  return rows;
}

async function problems(caller: Caller, asked: Asked): Promise<string[]> {
  const { success, error } = await ask(caller, "create", await bodyOf(caller, asked));
  assert.deepEqual(success, []);
  return error[0].errors.map(({ code, fieldLocation }: Record<string, string>) => `${code} ${fieldLocation}`);
}

test("a report of free fields is created, retrieved and deleted", async () => {
  await using caller = await Caller.start();
  const body = await bodyOf(caller, { fields: ["date.value", "metric.clicks"] });
  const { report } = (await ask(caller, "create", body)).success[0];
  assert.deepEqual([report.status, report.completedReportParts], ["PENDING", undefined]);
  const look = async () => await ask(caller, "retrieve", { reportIds: [report.reportId] });
  caller.emulator.advance(2);
  assert.equal((await look()).success[0].report.status, "PROCESSING");
  caller.emulator.advance(2);
  const done = (await look()).success[0].report;
  assert.equal(done.status, "COMPLETED");
  assert.equal(done.completedReportParts.length, 1);
  const [part] = done.completedReportParts;
  const rows = await readFile(part.url);
  assert.equal(rows.length, 7);
  assert.deepEqual(Object.keys(rows[0]!), ["date.value", "metric.clicks"]);
  await ask(caller, "delete", { reportIds: [report.reportId] });
  const gone = await look();
  assert.deepEqual([gone.success, gone.error[0].errors[0].code], [[], "RESOURCE_ID_NOT_FOUND"]);
  await assert.rejects(readFile(part.url), /404/);
});

test("the rules of fields, days, filters and accounts are those that are published", async () => {
  await using caller = await Caller.start();
  const found = async (fields: readonly string[], more: Partial<Asked> = {}): Promise<string[]> =>
    await problems(caller, { fields, ...more });
  const at = "$.reports[0].query.fields";
  assert.deepEqual(await found(["metric.clikcs"]), [`FIELD_VALUE_IS_INVALID ${at}[0]`]);
  assert.deepEqual(await found(["date.value", "campaign.name"]), [`FIELD_VALUE_MISMATCH ${at}[1]`]);
  assert.deepEqual(
    await found([
      "metric.impressionShare",
      "adProduct.value",
      "advertiserAccount.id",
      "searchTerm.value",
      "hour.value",
    ], {
      days: { startDate: "2026-09-29", endDate: "2026-09-29" },
    }),
    [`FIELD_VALUE_MISMATCH ${at}[0]`],
  );
  assert.deepEqual(await found(["metric.clicks", "metric.clicks"]), [`DUPLICATE_FIELD_VALUE_FOUND ${at}[1]`]);
  assert.deepEqual(await found(["convertedCurrency.value"]), [
    "FIELD_VALUE_IS_NULL $.reports[0].currencyOfView",
  ]);
  assert.deepEqual(await found(["metric.clicks"], { currencyOfView: "XXX" }), [
    "FIELD_VALUE_IS_INVALID $.reports[0].currencyOfView",
  ]);
  const period = "FIELD_VALUE_IS_OUT_OF_RANGE $.reports[0].periods[0].datePeriod";
  const days = async (field: string, startDate: string, endDate = "2026-09-30"): Promise<string[]> => {
    const { error } = await ask(
      caller,
      "create",
      await bodyOf(caller, { fields: [field], days: { startDate, endDate } }),
    );
    return (error[0]?.errors ?? []).map(({ code, fieldLocation }: Record<string, string>) =>
      `${code} ${fieldLocation}`
    );
  };
  assert.deepEqual(await days("hour.value", "2026-09-16"), []);
  assert.deepEqual(await days("hour.value", "2026-09-15"), [period]);
  assert.deepEqual(await days("date.value", "2026-06-03"), []);
  assert.deepEqual(await days("date.value", "2026-06-02"), [period], "121 days");
  assert.deepEqual(await days("date.value", "2025-06-29", "2025-07-10"), [period]);
  assert.deepEqual(await days("date.value", "2025-06-30", "2025-07-10"), []);
  assert.deepEqual(await days("month.value", "2024-09-01"), []);
  assert.deepEqual(await days("month.value", "2024-08-31"), [period]);
  assert.deepEqual(await days("date.value", "2026-09-30", "2026-10-01"), [period]);
  assert.deepEqual(await found(["date.value"], { filter: only("metric.clicks", "1") }), [
    "FIELD_VALUE_IS_INVALID $.reports[0].query.filter",
  ]);
  assert.deepEqual(await found(["date.value"], { accounts: ["ads-account.g.none"] }), [
    "FIELD_VALUE_NOT_FOUND $.accessRequestedAccounts[0]",
  ]);
  const raw = async (body: unknown): Promise<string> => {
    const answer = await caller.call("POST", "/adsApi/v1/create/reports", body, {
      profile: null,
      host: "NA",
    });
    return `${answer.status} ${answer.json.code}`;
  };
  const good = await bodyOf(caller, { fields: ["date.value"] }) as Record<string, unknown[]>;
  assert.equal(await raw({ ...good, accessRequestedAccounts: [] }), "500 INTERNAL_ERROR");
  assert.equal(
    await raw({ ...good, reports: [good["reports"]![0], good["reports"]![0]] }),
    "400 BAD_REQUEST",
  );
  assert.equal(await raw(await bodyOf(caller, { fields: [] })), "400 BAD_REQUEST");
  assert.equal(
    await raw(await bodyOf(caller, { fields: ["date.value"], format: "XLSX" })),
    "400 BAD_REQUEST",
  );
});

test("figures are those of version 3", async () => {
  const families = [
    ["sp_campaigns", "SPONSORED_PRODUCTS", "cost", "sales7d"],
    ["sb_campaigns", "SPONSORED_BRANDS", "cost", "sales"],
  ] as const;
  for (const [preset, product, cost, sales] of families) {
    await using caller = await Caller.start();
    const changes = { columns: ["date", "campaignId", "impressions", "clicks", cost, sales] };
    const asked = { configuration: configurationOf(preset, changes), ...DAYS };
    const { reportId } = (await createReport(caller, asked)).json;
    const rows = await freeRows(caller, {
      fields: [
        "date.value",
        "campaign.id",
        "metric.impressions",
        "metric.clicks",
        "metric.totalCost",
        "metric.sales",
        "budgetCurrency.value",
      ],
      filter: { and: { filters: [only("adProduct.value", product), only("campaign.country", "US")] } },
    });
    const old = await readFile((await lookAt(caller, reportId)).json.url);
    const line = (row: Row, names: readonly string[]): string =>
      names.map((name) => String(row[name])).join(" ");
    assert(rows.length > 10);
    assert.deepEqual(
      rows.map((row) =>
        line(row, [
          "date.value",
          "campaign.id",
          "metric.impressions",
          "metric.clicks",
          "metric.totalCost",
          "metric.sales",
        ])
      ).sort(),
      old.map((row) => line(row, ["date", "campaignId", "impressions", "clicks", cost, sales])).sort(),
    );
    assert.equal(typeof rows[0]!["campaign.id"], "string");
    assert.equal(rows[0]!["budgetCurrency.value"], "USD");
  }
});

long();
test("hours sum to days, whatever else rows are divided by", async () => {
  for (
    const more of [[], ["campaign.id"], ["placementClassification.value"], [
      "adGroup.id",
      "target.value",
      "target.matchType",
    ]]
  ) {
    await using caller = await Caller.start();
    const days = { startDate: "2026-09-20", endDate: "2026-09-21" };
    const metrics = [
      "metric.impressions",
      "metric.clicks",
      "metric.totalCost",
      "metric.sales",
      "metric.purchases",
    ];
    const dimensions = ["date.value", ...more, "budgetCurrency.value"];
    const [byDay, byHour] = [
      await ask(caller, "create", await bodyOf(caller, { days, fields: [...dimensions, ...metrics] })),
      await ask(
        caller,
        "create",
        await bodyOf(caller, { days, fields: ["hour.value", ...dimensions, ...metrics] }),
      ),
    ].map(({ success }) => success[0].report.reportId);
    caller.emulator.advance(10);
    const read = async (id: string): Promise<Row[]> => {
      const { report } = (await ask(caller, "retrieve", { reportIds: [id] })).success[0];
      return await readFile(report.completedReportParts[0].url);
    };
    const [daily, hours] = [await read(byDay), await read(byHour)];
    const sums = (rows: Row[]): Map<string, number[]> => {
      const found = new Map<string, number[]>();
      for (const row of rows) {
        const key = dimensions.map((name) => row[name]).join(" ");
        const before = found.get(key) ?? metrics.map(() => 0);
        found.set(
          key,
          before.map((value, at) => Math.round(100 * (value + Number(row[metrics[at]!]))) / 100),
        );
      }
      return found;
    };
    assert.deepEqual([...sums(hours)].sort(), [...sums(daily)].sort());
    const seen = new Set(hours.map((row) => Number(row["hour.value"])));
    assert(seen.size > 12 && Math.min(...seen) >= 0 && Math.max(...seen) <= 23);
    assert(hours.every((row) => Number(row["metric.clicks"]) <= Number(row["metric.impressions"])));
  }
});

test("amounts are converted, also those of accounts with several currencies", async () => {
  await using caller = await Caller.start();
  const accounts = [await accountOf(caller, "US"), await accountOf(caller, "CA")];
  const rows = await freeRows(caller, {
    accounts,
    currencyOfView: "USD",
    fields: [
      "budgetCurrency.value",
      "convertedCurrency.value",
      "metric.totalCost",
      "metric.totalCostConverted",
    ],
  });
  assert.deepEqual(rows.map((row) => [row["budgetCurrency.value"], row["convertedCurrency.value"]]), [
    ["USD", "USD"],
    ["EUR", "USD"],
    ["AUD", "USD"],
    ["CAD", "USD"],
  ]);
  const us = rows[0]!;
  const canada = rows[3]!;
  assert.equal(us["metric.totalCost"], us["metric.totalCostConverted"]);
  const rate = Number(canada["metric.totalCostConverted"]) / Number(canada["metric.totalCost"]);
  assert(rate > 0.6 && rate < 0.9, String(rate));
});

test("an account is answered for all its marketplaces, whatever the host", async () => {
  await using caller = await Caller.start();
  const fields = ["budgetCurrency.value", "campaign.id", "campaign.country", "metric.totalCost"];
  const countries = async (filter?: unknown): Promise<unknown[]> => {
    const rows = await freeRows(caller, { fields, filter });
    return [...new Set(rows.map((row) => row["campaign.country"]))].sort();
  };
  assert.deepEqual(await countries(), ["AU", "DE", "US"]);
  // The condition that existing clients send.
  const on = { field: "campaign.country", comparisonOperator: "EQUALS", not: false, values: ["US"] };
  assert.deepEqual(await countries({ on }), ["US"]);
  caller.emulator.setQuirks({ reportingLeavesOut: "DE" });
  assert.deepEqual(await countries(), ["AU", "US"]);
  const canadian = await freeRows(caller, { fields, accounts: [await accountOf(caller, "CA")] });
  assert.deepEqual([...new Set(canadian.map((row) => row["campaign.country"]))], ["CA"]);
});

long();
test("parts hold each row once, in JSON and in CSV", async () => {
  await using caller = await Caller.start();
  const fields = ["date.value", "adGroup.id", "target.value", "target.matchType", "metric.impressions"];
  const days = { startDate: "2026-09-06", endDate: "2026-09-29" };
  const whole = await freeRows(caller, { fields, days });
  const parted = await completed(caller, { fields, days, format: "PARTITIONED_GZIP_JSON" });
  assert(parted.completedReportParts.length > 1);
  const rows: Row[] = [];
  for (const { url } of parted.completedReportParts) rows.push(...await readFile(url));
  assert.equal(rows.length, whole.length);
  assert.equal(sum(rows, "metric.impressions"), sum(whole, "metric.impressions"));
  const table = await completed(caller, { fields, days: DAYS, format: "CSV" });
  const text = await (await fetch(table.completedReportParts[0].url)).text();
  assert.equal(text.split("\r\n")[0], fields.join(","));
});
