import assert from "node:assert/strict";
import { test } from "node:test";
import type { Emulator } from "../../src/emulator/mod.ts";
import { ConfigurationError } from "../../src/errors.ts";
import { type ReportedAccounts, reportedAccounts } from "../../src/client/reports/account_marketplaces.ts";
import type { FieldsReport } from "../../src/client/reports/fields_report.ts";
import type { ReportRow } from "../../src/client/reports/file/report_row.ts";
import type { ProfileScope } from "../../src/platform/transport/profile_scope.ts";
import { reportTests } from "./report_ground.ts";

const DAYS = { start: "2026-09-20", end: "2026-09-26" };
const FIELDS = ["campaign.id", "metric.clicks", "metric.totalCost"] as const;

/** The demo account's seller has profiles in the United States, Germany and Australia. */
const usTest = reportTests("US");

function profileIn(emulator: Emulator, country: string): string {
  return emulator.state.profiles().findLast(({ record }) => record.countryCode === country)!.id;
}

function sum(rows: readonly ReportRow[], name: string): number {
  return Math.round(100 * rows.reduce((all, row) => all + Number(row[name] ?? 0), 0)) / 100;
}

function currencies(rows: readonly ReportRow[]): unknown[] {
  return [...new Set(rows.map((row) => row["budgetCurrency.value"]))].sort();
}

/** Conditions on the marketplace that were sent. */
function countriesSent(emulator: Emulator): string[][] {
  return emulator.requests().filter(({ path }) => path.endsWith("/create/reports")).flatMap(({ body }) => {
    const found: string[][] = [];
    JSON.parse(String(body), (_key, value) => {
      if (value?.field === "campaign.country") found.push(value.values);
      return value;
    });
    return found;
  });
}

usTest(
  "a report of a profile has its rows alone, although the account has other marketplaces",
  async ({ client, emulator }) => {
    const warnings: string[] = [];
    const rows = await client.reports.run({ fields: FIELDS, ...DAYS }, {
      onWarning: (message) => void warnings.push(message),
    });
    const old = [
      ...await client.reports.run("sp_campaigns", DAYS.start, DAYS.end),
      ...await client.reports.run("sb_campaigns", DAYS.start, DAYS.end),
      ...await client.reports.run("sd_campaigns", DAYS.start, DAYS.end),
    ];
    assert.deepEqual(currencies(rows), ["USD"]);
    assert(sum(old, "clicks") > 0);
    assert.equal(sum(rows, "metric.clicks"), sum(old, "clicks"));
    assert.equal(sum(rows, "metric.totalCost"), sum(old, "cost"));
    assert.deepEqual(countriesSent(emulator), [["US"]]);
    assert.match(
      warnings[0]!,
      /^Asked for the rows of US alone \(campaign.country\): the advertiser account has DE, AU too$/,
    );
  },
);

usTest("the whole account, or more of its profiles, can be asked for", async ({ client, emulator }) => {
  const one = await client.reports.run({ fields: FIELDS, ...DAYS });
  const all = await client.reports.run({ fields: FIELDS, ...DAYS, wholeAccount: true });
  assert.deepEqual(currencies(all), ["AUD", "EUR", "USD"]);
  assert.equal(
    sum(all.filter((row) => row["budgetCurrency.value"] === "USD"), "metric.totalCost"),
    sum(one, "metric.totalCost"),
  );
  const profiles = [client.profileId, profileIn(emulator, "AU")];
  const two = await client.reports.run({ fields: FIELDS, ...DAYS, profiles });
  assert.deepEqual(currencies(two), ["AUD", "USD"]);
  const own = await client.reports.run({ fields: FIELDS, ...DAYS, filter: { "campaign.country": ["DE"] } });
  assert.deepEqual(currencies(own), ["EUR"]);
  assert.deepEqual(countriesSent(emulator), [["US"], ["US", "AU"], ["DE"]]);
});

usTest("conditions of the report hold beside the one on the marketplace", async ({ client, emulator }) => {
  const filter = { "adProduct.value": "SPONSORED_BRANDS" };
  const rows = await client.reports.run({ fields: FIELDS, ...DAYS, filter });
  const old = await client.reports.run("sb_campaigns", DAYS.start, DAYS.end);
  assert.equal(sum(rows, "metric.clicks"), sum(old, "clicks"));
  assert.deepEqual(countriesSent(emulator), [["US"]]);
});

reportTests("CA")("an account with one profile is asked for without a condition", async (ground) => {
  const warnings: string[] = [];
  const rows = await ground.client.reports.run({ fields: FIELDS, ...DAYS }, {
    onWarning: (message) => void warnings.push(message),
  });
  assert.deepEqual(currencies(rows), ["CAD"]);
  assert.deepEqual(countriesSent(ground.emulator), []);
  assert(!warnings.some((message) => message.includes("campaign.country")), warnings.join("\n"));
});

usTest("a marketplace that the platform leaves out is no silent zero", async ({ client, emulator }) => {
  emulator.setQuirks({ reportingLeavesOut: "US, FR" });
  const said = /No rows of US. New reports have been seen to leave out whole marketplaces/;
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  assert.deepEqual(await client.reports.run({ fields: FIELDS, ...DAYS }, { onWarning }), []);
  assert.match(warnings.at(-1)!, said);
  warnings.splice(0);
  const preset = client.reports.stream("sp_campaigns", DAYS.start, DAYS.end, { reporting: 1, onWarning });
  assert.deepEqual(await Array.fromAsync(preset), []);
  assert.match(warnings.at(-1)!, said);
  const { rows, differences } = await client.reports.compare("sp_campaigns", DAYS.start, DAYS.end);
  assert(rows.reporting3 > 0 && rows.reporting1 === 0 && differences.length > 0);
});

/** Accounts by their ids: ids of profiles with their countries. */
type Listed = Readonly<Record<string, readonly (readonly [profileId: string, country?: string])[]>>;

/** A profile of a login that lists these accounts. */
function scopeOf(profileId: string, countryCode: string, listed: Listed): ProfileScope {
  const advertiserAccounts = Object.entries(listed).map(([advertiserAccountId, ids]) => ({
    advertiserAccountId,
    alternateIds: [
      { dspAdvertiserId: "7" },
      ...ids.map(([profileId, countryCode]) => ({ profileId, countryCode })),
    ],
  }));
  return {
    profileId,
    countryCode,
    transport: {},
    request: () => Promise.resolve({ advertiserAccounts }),
  } as unknown as ProfileScope;
}

function reported(scope: ProfileScope, report: Partial<FieldsReport> = {}): Promise<ReportedAccounts> {
  return reportedAccounts(scope, report, undefined);
}

test("the United Kingdom is asked for by both of its codes", async () => {
  const scope = scopeOf("1", "UK", { a: [["1", "GB"], ["2", "DE"]] });
  const { filter, only, others } = await reported(scope, { filter: { "adProduct.value": "X" } });
  assert.deepEqual(filter, { "adProduct.value": "X", "campaign.country": ["UK", "GB"] });
  assert.deepEqual([only, others], [["UK"], ["DE"]]);
});

test("a profile whose country is not listed is known by its own record", async () => {
  const scope = scopeOf("1", "FR", { a: [["1"], ["2"]] });
  assert.deepEqual((await reported(scope)).filter, { "campaign.country": ["FR"] });
  await assert.rejects(reported(scope, { profiles: ["2"] }), ConfigurationError);
});

test("an account that each region lists is asked for once", async () => {
  const scope = scopeOf("1", "US", { a: [["1", "US"]] });
  assert.deepEqual((await reported(scope)).ids, ["a"]);
  // The next listing, of a profile that the first did not have, makes the account anew.
  const other = scopeOf("1", "US", { a: [["2", "DE"]] });
  const both = { ...other, transport: scope.transport } as ProfileScope;
  assert.deepEqual((await reported(both, { profiles: ["1", "2"], wholeAccount: true })).ids, ["a"]);
});

test("no profiles are refused, and a report of them is not requested", async () => {
  await assert.rejects(
    reported(scopeOf("1", "US", { a: [["1", "US"]] }), { profiles: [] }),
    /no profiles: name at least one/,
  );
});

test("profiles that no condition tells from others are refused", async () => {
  const refused = async (scope: ProfileScope, profiles: string[]): Promise<void> => {
    await assert.rejects(reported(scope, { profiles }), (error: Error) => {
      assert(error instanceof ConfigurationError);
      assert.match(error.message, /alone: new reports cover all profiles of the advertiser account a/);
      return true;
    });
    assert.equal((await reported(scope, { profiles, wholeAccount: true })).only, undefined);
  };
  await refused(scopeOf("1", "US", { a: [["1", "US"], ["2", "US"]] }), ["1"]);
  const crossed = scopeOf("1", "US", { a: [["1", "US"], ["2", "DE"]], b: [["3", "US"], ["4", "DE"]] });
  await refused(crossed, ["1", "4"]);
  assert.deepEqual((await reported(crossed, { profiles: ["1", "3"] })).filter, {
    "campaign.country": ["US"],
  });
  const { filter, ids } = await reported(crossed, { profiles: ["1", "2", "3", "4"] });
  assert.deepEqual([filter, ids], [{}, ["a", "b"]]);
});
