import { deepEqual, equal, throws } from "../support/assert.ts";
import { spAdGroups, spCampaigns, spKeywords } from "../../src/client/entities/kinds/sp_kinds.ts";
import { sbAds, sbKeywords, sbNegativeKeywords } from "../../src/client/entities/kinds/sb_kinds.ts";
import { portfolios } from "../../src/client/entities/kinds/portfolios_spec.ts";
import { listQuery } from "../../src/client/entities/resource/list_query.ts";
import type { ListOptions } from "../../mod.ts";
import type { ResourceSpec } from "../../src/client/entities/model/resource_spec.ts";

const STATES: [ResourceSpec, ListOptions["states"], readonly string[] | null][] = [
  [spKeywords, undefined, ["ENABLED", "PAUSED"]],
  [spKeywords, ["enabled", "ENABLED", "archived"], ["ENABLED", "ARCHIVED"]],
  [spKeywords, null, null],
  [portfolios, undefined, null],
  [sbAds, ["paused"], ["PAUSED"]],
  [sbKeywords, undefined, ["enabled", "paused"]],
  [sbKeywords, ["ENABLED", "Archived"], ["enabled", "archived"]],
  [sbNegativeKeywords, undefined, ["enabled"]],
  [sbNegativeKeywords, null, null],
];
for (const [spec, given, expected] of STATES) {
  Deno.test(`${spec.kind} asked for states ${JSON.stringify(given)} are listed in ${JSON.stringify(expected)}`, () => {
    deepEqual(listQuery(spec, { states: given })?.states, expected);
  });
}

for (const empty of ["ids", "campaignIds", "adGroupIds", "states"] as const) {
  Deno.test(`an empty list of ${empty} matches nothing, and nothing is asked`, () => {
    equal(listQuery(spKeywords, { [empty]: [] }), undefined);
  });
}

Deno.test("ids are asked for once each", () => {
  deepEqual(listQuery(spKeywords, { ids: ["1", "2", "1"] })?.ids, ["1", "2"]);
});

Deno.test("campaignIds of campaigns, and adGroupIds of ad groups, are their own ids", () => {
  const campaigns = listQuery(spCampaigns, { campaignIds: ["1", "2"], ids: ["2", "3"] });
  deepEqual([campaigns?.ids, campaigns?.campaignIds], [["2"], undefined]);
  const adGroups = listQuery(spAdGroups, { adGroupIds: ["1"], campaignIds: ["9"] });
  deepEqual([adGroups?.ids, adGroups?.adGroupIds, adGroups?.campaignIds], [["1"], undefined, ["9"]]);
  equal(listQuery(spCampaigns, { campaignIds: ["1"], ids: ["3"] }), undefined);
});

const REFUSED: [ResourceSpec, ListOptions, RegExp][] = [
  [spCampaigns, { adGroupIds: ["1"] }, /Cannot list sp.campaigns by "adGroupIds"/],
  [spKeywords, { name: "x" }, /Cannot list sp.keywords by "name"/],
  [
    spKeywords,
    { campaignId: "1" } as ListOptions,
    /by "campaignId": there is no such option. Expected one of ids,/,
  ],
  [sbAds, { extended: true }, /Cannot list sb.ads by "extended"/],
  [portfolios, { campaignIds: ["1"] }, /Cannot list portfolios by "campaignIds"/],
  [spKeywords, { ids: [""] }, /"" is not an id/],
  [spKeywords, { ids: [7 as unknown as string] }, /7 is not an id/],
  [sbKeywords, { campaignIds: ["1,2"] }, /"1,2" is not an id/],
  [spKeywords, { ids: "12" as unknown as string[] }, /Cannot use "12" as ids: it is not a list/],
  [spKeywords, { campaignIds: 12 as unknown as string[] }, /Cannot use 12 as campaignIds: it is not a list/],
  [spKeywords, { states: "ENABLED" as unknown as string[] }, /Cannot use "ENABLED" as states/],
  [spKeywords, { pageSize: 0 }, /pages of 0/],
  [spKeywords, { pageSize: 1.5 }, /pages of 1.5/],
];
for (const [spec, options, message] of REFUSED) {
  Deno.test(`a list of ${spec.kind} by ${JSON.stringify(options)} is refused`, () => {
    throws(() => listQuery(spec, options), message);
  });
}
