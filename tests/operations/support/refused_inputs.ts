import type { Input } from "./interfaces.ts";

/** Inputs that are refused before anything is read, by operation, with what the refusal must name. */
export const REFUSED: Readonly<Record<string, readonly (readonly [input: Input, named: string])[]>> = {
  "plan bids": [
    [{}, "give change"],
    [{ change: "+5%" }, "choose entities with where"],
    [{ where: "clicks30d > 3" }, "give change"],
    [{ change: "+5%", best: 3, worst: 3 }, "best and worst together"],
    [{ change: "+5%", best: 3, labels: ["Core range"] }, "best or worst, or labels"],
    [{ change: "+5%", where: "acos31d < 0.2" }, 'Did you mean "acos30d"'],
    [{ change: "-10%", where: "acos30d >" }, "(character 10)"],
    [{ change: "lots", where: "clicks30d > 3" }, '"lots"'],
    [{ preset: "winners", entities: ["keyword groups"] }, "brands-keywords"],
    [{ preset: "winners", hold_back: 1 }, "Cannot hold back 1"],
  ],
  "plan budgets": [[{ change: "lots" }, '"lots"'], [{ seed: "x" }, "without hold_back"]],
  "plan harvest": [[{ hold_back: 0 }, "Cannot hold back 0"]],
  "plan negatives": [[{ hold_back_weeks: 3 }, "without hold_back"]],
  "plan update": [
    [{ entity: "sp_campains", items: [{ campaignId: "1", name: "x" }] }, 'Did you mean "campaigns"'],
    [{ entity: "sp_campaigns", items: [{ campaignId: "1", name: "x" }], seed: "x" }, "without hold_back"],
  ],
  "plan create": [[{ entity: "sp_campains", items: [{ name: "x" }] }, 'Did you mean "campaigns"']],
  "plan part": [[{ plan_id: "none" }, "leave_out_ids"], [
    { plan_id: "none", leave_out: [] },
    "leave_out_ids",
  ]],
  "plan archive": [[{ entity: "sp_campains", ids: ["1"] }, 'Did you mean "campaigns"']],
  "plan call": [
    [{ operation: "sponsored-display:updateCampains" }, "sponsored-display:updateCampaigns"],
    [{ operation: "sponsored-brands-v3:archiveTarget" }, '"targetId" is missing'],
    [{ operation: "sponsored-display:updateCampaigns", headers: { Authorization: "x" } }, '"Authorization"'],
  ],
  "sheet pull": [
    [{ file: "bulk.pdf" }, "must end in .xlsx or .csv"],
    [{ file: "bulk.csv" }, "into a CSV file"],
    [{ file: "bulk.xlsx", products: ["Sponsored TV"] }, '"Sponsored TV"'],
  ],
  "sheet plan": [[{ file: "Product,Entity,Operation", seed: "x" }, "without hold_back"]],
  "ops search": [[{}, "Cannot search for nothing"], [{ text: " " }, "Cannot search for nothing"]],
  "ops show": [
    [{ operation: "sponsored-display:listCampains" }, "sponsored-display:listCampaigns"],
  ],
  "ops call": [
    [{ operation: "sponsored-display:listCampains" }, "sponsored-display:listCampaigns"],
    [{ operation: "advertising-billing:getInvoice" }, '"invoiceId" is missing'],
    [{ operation: "sponsored-display:listCampaigns", headers: { Authorization: "x" } }, '"Authorization"'],
    [{ operation: "sponsored-display:listCampaigns", body: {} }, "a GET has no body"],
  ],
  "list": [
    [{ entity: "sp_campains" }, 'Did you mean "campaigns"'],
    [{ entity: "sp_campaigns", states: ["PAUSED"], all_states: true }, "states and all_states"],
    [{ entity: "sp_campaigns", labels: ["Core range"], campaign_ids: ["1"] }, "labels with campaign_ids"],
    [{ entity: "sp_campaigns", states: ["PAUSD"] }, 'Did you mean "PAUSED"'],
    [{ entity: "sp_keywords", campaign_name: "SP*", campaign_ids: ["1"] }, "campaign_name with campaign_ids"],
    [{ entity: "portfolios", campaign_name: "SP*" }, "they have no campaign"],
  ],
  "report": [
    [{ report: "campaings" }, 'Did you mean "campaigns"'],
    [{ report: "brand-metric" }, 'Did you mean "brand-metrics"'],
    [{ report: "brand-metrics", time_unit: "SUMMARY", columns: ["clicks"] }, "time_unit and columns with"],
    [{ report: "campaigns", advertiser: "1" }, "advertiser"],
    [{ report: "campaigns", start: "lately" }, '"lately" as start'],
    [{ report: "campaigns", end: "2026-02-30" }, '"2026-02-30" as end'],
    [{ report: "campaigns", file_format: "pdf" }, '"pdf"'],
    [{ report: "sdCampaigns:matchedTarget", reporting: 1 }, "the new reports have campaigns"],
    [{ report: { fields: ["metric.clicks"] }, columns: ["clicks"] }, "its fields are the columns"],
    [{ report: { fields: ["metric.clicks"] }, reporting: 3 }, "leave out reporting"],
    [{ report: { fields: ["metric.clicks"], wholeAccount: true } }, '"wholeAccount"'],
    [{ report: { fields: ["metric.clicks"] }, filters: { "campaign.country": ["DE"] } }, "market says whose"],
    [
      { report: { fields: ["metric.clicks"] }, filters: { "campaign.country!": ["DE"] } },
      "market says whose",
    ],
    [
      { report: { fields: ["metric.clicks"] }, filters: { "campaign.id": ["1"], "campaign.id!": ["2"] } },
      "take one of them",
    ],
  ],
  "plan outcome": [
    [{ plan_id: "none", margin: 0 }, "expected a share such as 0.3"],
  ],
  "sync": [
    [{ reports: ["campaings"] }, 'Did you mean "campaigns"'],
    [{ start: "lately" }, '"lately" as start'],
    [{ end: "2026-02-30" }, '"2026-02-30" as end'],
    [{ source: "list", entities: false }, "without entities"],
  ],
  "ops job run": [
    [{ operation: "rule-based-audiences:createQueryBasedAudience" }, "it changes the account"],
    [{ operation: "v1-exports:CampaignExport", body: "{" }, "it is not JSON"],
  ],
  "account history": [
    [{ since: "lately" }, '"lately" as since'],
    [{ until: "2026-13-01" }, '"2026-13-01" as until'],
    [{ changes: ["BID_AMONT"] }, 'Did you mean "BID_AMOUNT"'],
    [{ entity_types: ["KEYWORDS"] }, 'Did you mean "KEYWORD"'],
  ],
  "account recommendations": [
    [{ ad_products: ["SPONSORED_BRAND"] }, 'Did you mean "SPONSORED_BRANDS"'],
    [{ marketplaces: ["UX"] }, '"UX"'],
  ],
  "account copy": [
    [{ campaign_ids: ["none"], to: "US", rename: " " }, "rename"],
  ],
  "account drift": [
    [{ since: "lately" }, '"lately" as since'],
    [{ ignore: ["keywrds"] }, 'Cannot ignore "keywrds"'],
  ],
  "account bids new": [
    [{ asins: ["B0EXAMPLE1"] }, "add keywords or target_asins"],
    [{ asins: ["B0EXAMPLE1"], keywords: ["shoes"] }, '"shoes": write the text, a colon'],
    [{
      asins: ["B0EXAMPLE1"],
      target_asins: ["B0EXAMPLE2"],
      placement_adjustments: { PLACEMENT_TOP: "much" },
    }, '"PLACEMENT_TOP=much"'],
  ],
  "auto alerts": [[{ since: "lately" }, '"lately" as since']],
  "auto mark": [
    [{ ids: ["none"] }, "add one of"],
    [{ ids: ["none"], seen: true, snooze: "3d" }, "add one of"],
    [{ ids: ["none"], snooze: "91d" }, "more than 90 days"],
  ],
  "auto test": [
    [
      { rules: "version: 1\nrules: { spends: { over: campaign, when: cost7d > 0 } }", from: "lately" },
      '"lately" as from',
    ],
  ],
  "auto base": [[{ id: "1", set: 2, adopt: true }, "choose one of them"]],
  "report clean-room run": [
    [{ query: "reach", start: "lately" }, '"lately" as start'],
    [{ query: "reach", zone: "Mars/Base" }, '"Mars/Base"'],
  ],
  "figures": [
    [{ by: ["weeks"] }, 'did you mean "week"?'],
    [{ days: 3, weeks: 2 }, "choose one period"],
    [{ days: 3, end: "-1" }, "choose one period"],
    [{ lag: 3, end: "-1" }, "says where the period ends"],
    [{ start: "last wek" }, '"last wek"'],
  ],
  "query": [
    [{ sql: "SELECT 1", start: "lately" }, '"lately" as start'],
    [{ sql: "SELECT 1", end: "2026-02-30" }, '"2026-02-30" as end'],
    [{ sql: "SELECT 1", as_of: "sometime" }, '"sometime" as as_of'],
  ],
  "report compare": [
    [{ start: "lately" }, '"lately" as start'],
    [{ before_start: "last week" }, '"last week" as before_start'],
  ],
  "account diff": [[{ files: { "sp/spring.yaml": "name: [" } }, "sp/spring.yaml:1"]],
  "plan from": [[{ files: { "sp/spring.yaml": "nam: Spring" } }, "sp/spring.yaml:1: nam"]],
  "plan from-history": [
    [{ since: "lately" }, '"lately" as since'],
    [{ since: "-1", until: "never" }, '"never" as until'],
    [{ since: "-1", entity_types: ["KEYWORDS"] }, 'Did you mean "KEYWORD"'],
    [{ since: "-1", changes: ["STATU"] }, 'Did you mean "STATUS"'],
  ],
};
