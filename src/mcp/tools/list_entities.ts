import * as z from "zod";
import { spellKind } from "../../resources/kind_names.ts";
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
    `Campaigns, ad groups, keywords and so on of one profile, as they are now. Entities: ${
      RESOURCE_KINDS.map((kind) => spellKind(kind, "tool")).join(", ")
    }. ` +
    "Without states: enabled and paused ones.",
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
