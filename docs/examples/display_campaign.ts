/**
 * Builds a Sponsored Display campaign with its audiences in one plan. The tactic (`T00020` for products and content,
 * `T00030` also for audiences) and the cost type (`cpc` or `vcpm`) can't be changed later.
 *
 *     deno run -A docs/examples/display_campaign.ts --demo US            # ends in a plan file
 *     deno run -A docs/examples/display_campaign.ts --demo --apply US    # applied, then undone
 *
 * States are in lower case and days have no hyphens (20300101); capitals and 2030-01-01 are accepted too.
 */
import process from "node:process";
import { connect } from "./connect.ts";

const args = process.argv.slice(2);
const { client: us, close } = await connect(args, "US");
try {
  const [{ sku } = {}] = await us.sd.productAds.list();

  const draft = us.plan();
  const campaignId = { ref: "campaign" };
  const adGroupId = { ref: "group" };
  draft.create("sd.campaigns", {
    name: "Tents, seen before",
    tactic: "T00030",
    costType: "cpc",
    budget: 20,
    startDate: "2030-01-01",
    state: "paused",
  }, { as: "campaign" });
  draft.create("sd.ad_groups", { campaignId, name: "Viewers", defaultBid: 0.6, state: "enabled" }, {
    as: "group",
  });
  draft.create("sd.product_ads", { campaignId, adGroupId, sku, state: "enabled" });
  draft.create("sd.targets", {
    campaignId,
    adGroupId,
    expressionType: "manual",
    expression: [{ type: "views", value: [{ type: "exactProduct" }, { type: "lookback", value: "30" }] }],
    bid: 0.8,
    state: "enabled",
  });
  draft.create("sd.negative_targets", {
    adGroupId,
    expressionType: "manual",
    expression: [{ type: "asinBrandSameAs", value: "12345" }],
    state: "enabled",
  });
  const plan = await draft.build({ note: "Display for tents" });
  console.log(plan.toMarkdown());

  if (!args.includes("--apply")) {
    console.log(`Plan: ${await plan.save(process.env["PLAN_DIR"] ?? "plans/")}`);
  } else {
    const result = await plan.apply(us);
    result.raiseForErrors();
    console.log(result.summary());
    (await result.rollbackPlan().apply(us)).raiseForErrors(); // archives all of it
  }
} finally {
  await close();
}
