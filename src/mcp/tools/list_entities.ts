import * as z from "zod";
import { findKind, KINDS, RESOURCE_KINDS } from "../../resources/kinds.ts";
import { ROW_ARGS, ROWS, takeRows } from "../results/rows.ts";
import { type Tool, tool } from "../tool.ts";
import { MARKET } from "./market.ts";

const IDS = z.array(z.string()).optional();

/** Campaigns, keywords and all the other entities of a profile. */
export const listEntities: Tool = tool({
  name: "list_entities",
  title: "List entities",
  description:
    `Entities of one profile as they are now: ${entityNames()}. Without states: enabled and paused ones.`,
  input: z.strictObject({
    market: MARKET,
    entity: z.string(),
    ids: IDS,
    campaign_ids: IDS,
    ad_group_ids: IDS,
    states: z.array(z.string()).optional().describe("ENABLED, PAUSED, ARCHIVED, or ALL"),
    name: z.string().optional().describe("Exact name"),
    extended: z.boolean().optional().describe("Also dates and serving status"),
    fields: z.array(z.string()).optional(),
    ...ROW_ARGS,
  }),
  output: ROWS,
  hints: { readOnlyHint: true, openWorldHint: true },
  async run(args, call) {
    const { kind } = findKind(args.entity, KINDS, "tool");
    const profile = await call.context.profile(args.market, call.signal);
    const resource = profile.resource(kind);
    const { states, name, extended } = args;
    const rows = resource.iter({
      ids: args.ids,
      campaignIds: args.campaign_ids,
      adGroupIds: args.ad_group_ids,
      states: states?.some((state) => state.toUpperCase() === "ALL") ? null : states,
      name,
      extended,
      signal: call.signal,
    });
    const { limit, offset, fields } = args;
    return await takeRows(rows, { noun: resource.spec.plural, limit, offset, fields }, call);
  },
});

/** Every kind as an argument names it, by family: `sb_(campaigns, ads)` for `sb_campaigns` and `sb_ads`. */
function entityNames(): string {
  const families = Map.groupBy(RESOURCE_KINDS, (kind) => kind.includes(".") ? kind.split(".")[0] : undefined);
  return [...families].map(([family, kinds]) =>
    family === undefined
      ? kinds.join(", ")
      : `${family}_(${kinds.map((kind) => kind.slice(family.length + 1)).join(", ")})`
  ).join(", ");
}
