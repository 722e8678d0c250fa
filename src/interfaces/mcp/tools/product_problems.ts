import * as z from "zod";
import { findIneligibleProducts } from "../../../account/jobs/ineligible_products.ts";
import { ROW_ARGS, ROWS, takeRows } from "../tooling/rows.ts";
import { MARKET, type Tool, tool } from "../tooling/tool.ts";

/** Advertised products that are out of stock or not eligible for another reason. */
export const findProductProblems: Tool = tool({
  name: "find_product_problems",
  title: "Find products out of stock",
  description:
    "Advertised products that are out of stock, suppressed or not eligible for ads for another reason, a row for each " +
    "live ad. To stop such ads: plan_update on their entity with adId and state PAUSED.",
  input: z.strictObject({ market: MARKET, campaign_ids: z.array(z.string()).optional(), ...ROW_ARGS }),
  output: ROWS,
  effect: "read",
  sets: ["read"],
  async run({ market, campaign_ids: campaignIds, limit, offset }, call) {
    const profile = await call.context.profile(market, call.signal);
    const { products, checked } = await findIneligibleProducts(profile, { campaignIds, signal: call.signal });
    const rows = products.flatMap(({ asin, sku, status, reasons, ads }) =>
      ads.map(({ kind, adId, adGroupId, campaignId }) => ({
        asin,
        ...(sku === undefined ? {} : { sku }),
        status,
        reasons: reasons.map(({ name }) => name).join(", "),
        entity: kind.replace(".", "_"),
        ad_id: adId,
        ad_group_id: adGroupId,
        campaign_id: campaignId,
      }))
    );
    const note = `${checked} advertised products checked, ${products.length} with problems`;
    return await takeRows(rows, { noun: "ads", limit, offset, notes: () => [note] }, call);
  },
});
