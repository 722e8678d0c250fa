import assert from "node:assert/strict";
import { columnsOf, reportTypes } from "../../src/client/reports/requests/report_types.ts";
import { checkReport } from "../../src/client/reports/requests/check_report.ts";
import type { ReportConfiguration } from "../../src/client/reports/requests/report_configuration.ts";
import type { JsonObject } from "../../src/emulator/mod.ts";
import { Caller } from "./caller.ts";
import { query } from "./unified_caller.ts";
import { createReport } from "./report_caller.ts";

const DAYS = { startDate: "2026-09-22", endDate: "2026-09-28" };
const WHEN = { start: DAYS.startDate, today: "2026-09-30" };

/** Requests in the forms that the platform's guides show, made neutral. */
const SAMPLES: readonly { readonly name: string; readonly configuration: ReportConfiguration }[] = JSON.parse(
  await Deno.readTextFile(new URL("../fixtures/guides/report_requests.json", import.meta.url)),
);

Deno.test("every sample request of the guides is taken by the emulator and passes the client's check", async () => {
  await using caller = await Caller.start();
  const refused: string[] = [];
  for (const { name, configuration } of SAMPLES) {
    const { status, text } = await createReport(caller, { name, ...DAYS, configuration });
    if (status !== 200) refused.push(`${name}: ${text}`);
    await checkReport(configuration, WHEN).catch((error: Error) => refused.push(`${name}: ${error.message}`));
  }
  assert.deepEqual(refused, []);
});

/** Requests in the forms of the unified API's published collection, with made-up values and ids of the demo account. */
const UNIFIED: readonly {
  readonly source: string;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}[] = JSON.parse(
  await Deno.readTextFile(new URL("../fixtures/guides/unified_requests.json", import.meta.url)),
);

Deno.test("every sample request of the unified API is taken, with the headers of profile and account that it shows", async () => {
  await using caller = await Caller.start();
  const first = async (entity: string): Promise<JsonObject> =>
    (await query(caller, entity, { stateFilter: { include: ["ENABLED"] } }))[0]!;
  const [campaign, adGroup, ad] = [await first("campaigns"), await first("adGroups"), await first("ads")];
  const type = "application/json";
  const listed = await caller.call("POST", "/adsApi/v1/query/advertiserAccounts", {}, {
    profile: null,
    type,
  });
  const accountId: string = listed.json.advertiserAccounts[0].advertiserAccountId;
  const portfolios = caller.emulator.state.profile(caller.profile("US"))!.collection("portfolios");
  const ids: Readonly<Record<string, unknown>> = {
    campaignId: campaign["campaignId"],
    adGroupId: adGroup["adGroupId"],
    adId: ad["adId"],
    portfolioId: portfolios.all()[0]!["portfolioId"],
  };
  for (const { source, path, status, body } of UNIFIED) {
    const filled = JSON.stringify(body).replace(/\{(\w+)\}/g, (_, name) => String(ids[name]));
    const answer = await caller.call("POST", `/adsApi/v1/${path}`, undefined, {
      ...{ raw: filled, type, headers: { "Platform-Ads-AccountId": accountId } },
    });
    assert.equal(answer.status, status, `${source}: ${answer.text}`);
    assert.deepEqual(answer.json.error ?? [], [], source);
  }
});

Deno.test("every published filter of every type and grouping is taken, with each of its values", async () => {
  await using caller = await Caller.start();
  let count = 0;
  for (const type of (await reportTypes()).values()) {
    for (const [group, { filters }] of type.groups) {
      if (type.reportTypeId === "dspReachFrequency" && group !== "advertiser") continue;
      const timeUnit = type.timeUnits.includes("DAILY") ? "DAILY" as const : "SUMMARY" as const;
      const columns = columnsOf(type, [group]).filter((name) =>
        !["date", "startDate", "endDate"].includes(name)
      );
      const configuration = {
        adProduct: type.adProduct,
        reportTypeId: type.reportTypeId,
        groupBy: [group],
        columns: [...columns.slice(0, 3), ...timeUnit === "DAILY" ? ["date"] : []],
        timeUnit,
        format: "GZIP_JSON" as const,
      };
      for (const [field, published] of filters) {
        const values = published.length > 0 ? [...published] : ["1234567890"];
        const filtered = { ...configuration, filters: [{ field, values }] };
        const { status, text } = await createReport(caller, {
          name: field,
          ...DAYS,
          configuration: filtered,
        });
        assert.equal(status, 200, `${type.reportTypeId} by ${group}, ${field}: ${text}`);
        await checkReport(filtered, WHEN);
        count++;
      }
    }
  }
  assert.ok(count >= 55, `${count} filters`);
});

Deno.test("a filter that only one of two groupings has is refused by the emulator and by the client", async () => {
  await using caller = await Caller.start();
  for (
    const [second, field, value] of [
      ["adGroup", "campaignStatus", "ENABLED"],
      ["adGroup", "adStatus", "ENABLED"],
      ["campaignPlacement", "campaignStatus", "ENABLED"],
      ["campaignPlacement", "campaignSite", "PlatformBusiness"],
    ] as const
  ) {
    const configuration = {
      adProduct: "SPONSORED_PRODUCTS",
      reportTypeId: "spCampaigns",
      groupBy: ["campaign", second],
      columns: ["campaignId", "clicks"],
      timeUnit: "SUMMARY" as const,
      format: "GZIP_JSON" as const,
      filters: [{ field, values: [value] }],
    };
    const { status, text } = await createReport(caller, { name: field, ...DAYS, configuration });
    assert.equal(status, 400, `${second}, ${field}: ${text}`);
    await assert.rejects(checkReport(configuration, WHEN), new RegExp(`"${field}"`));
  }
});
