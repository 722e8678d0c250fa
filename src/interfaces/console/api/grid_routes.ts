import { readLabels } from "../../../account/jobs/account_labels.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import { jsonInput } from "../../../operations/model/field_schema.ts";
import { planCreate } from "../../../operations/plans/plan_writes.ts";
import { accountSource, storedSource } from "../grid/grid_source.ts";
import { LISTED_TABLES, newCampaigns, newItems } from "../../../operations/plans/listed_items.ts";
import { GRID_TABLES, isGridTable } from "../grid/grid_tables.ts";
import { readGrid } from "../grid/read_grid.ts";
import { ApiProblem, refusingBadInput } from "../http/responses.ts";
import { type ApiCall, listIn, type Route, textOf } from "../http/route.ts";
import { savePlan } from "../plans/save_plan.ts";

export const GRID_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/profiles/:profile/grid/:table",
    about: `Lists a table of a profile: ${Object.keys(GRID_TABLES).join(", ")}`,
    takes: {
      from: '"store" for the settings of the last sync or of an imported file; the account when absent',
    },
    gives:
      "`stored` (when they were stored, `at` and `source`, or null), `rows` with settings and stored figures of 30 days, `fields` that can be edited by kind and column, `names` of campaigns, ad groups and portfolios, `ad_group_campaigns` of Sponsored Products",
    run: async (call) => {
      const { table = "" } = call.params;
      if (!isGridTable(table)) {
        const known = Object.keys(GRID_TABLES).join(", ");
        throw new ApiProblem(404, "NO_TABLE", `Cannot show "${table}": expected one of ${known}`);
      }
      const { context, params, query, signal } = call;
      const source = query["from"] === "store"
        ? await storedSource(context, params["profile"] ?? "")
        : accountSource(await profileOf(call), signal);
      return await readGrid(source, table, context);
    },
  },
  {
    method: "GET",
    path: "/api/profiles/:profile/labels",
    about: "Lists the labels of a profile's account",
    gives: "`labels`, each with `id`, `name`, `campaigns` and `ad_groups`, the ids of what it is on",
    run: async (call) => {
      const labels = await readLabels(await profileOf(call), { signal: call.signal });
      return {
        labels: labels.map(({ labelId, name, campaignIds, adGroupIds }) => ({
          id: labelId,
          name,
          campaigns: campaignIds,
          ad_groups: adGroupIds,
        })),
      };
    },
  },
  {
    method: "POST",
    path: "/api/profiles/:profile/grid/:table/new",
    about: `Makes a plan of new ${
      LISTED_TABLES.join(", ")
    } or campaigns from a list by the operation \`plan create\``,
    takes: {
      ad_group_id: "ad group of Sponsored Products that gets them; not for campaigns",
      lines:
        "`text` with `match` (exact, phrase or broad) and `bid`; an ASIN becomes a product target. For campaigns `name`, `budget`, `targeting` (AUTO or MANUAL), `bid` for an ad group of the same name, `state`, `start`, `end`, `portfolio` (id). `line`: number for messages",
      note: "reason, saved in the plan",
    },
    gives: "`plan_id` and `changes`, their number",
    changes: true,
    run: add,
  },
];

async function profileOf({ context, params }: ApiCall): Promise<ProfileClient> {
  return await context.ads.profile(params["profile"] ?? "");
}

async function add(call: ApiCall): Promise<unknown> {
  const { context, params, body, signal } = call;
  const table = [...LISTED_TABLES, "campaigns" as const].find((one) => one === params["table"]);
  if (table === undefined) {
    throw new ApiProblem(
      404,
      "NO_TABLE",
      `Cannot add to "${params["table"]}": expected one of ${LISTED_TABLES.join(", ")} or campaigns`,
    );
  }
  const profile = await profileOf(call);
  const lines = listIn(body, "lines");
  const { note } = body;
  const given = typeof note === "string" && note.trim() !== "" ? note.trim() : undefined;
  const place = table === "campaigns" ? undefined : await adGroupOf(profile, call);
  const plan = await refusingBadInput(async () => {
    const items = table === "campaigns" || place === undefined
      ? newCampaigns(lines)
      : newItems(table, lines, { campaignId: place.campaignId, adGroupId: place.adGroupId });
    const reason = given ?? (place === undefined ? "New campaigns" : `New ${table} in ${place.name}`);
    const input = await jsonInput(planCreate, { entity: "keywords", items, note: reason });
    return (await planCreate.run({ profile, signal }, input)).plan;
  });
  await savePlan(plan, context);
  return { plan_id: plan.id, changes: plan.changes.length };
}

/** Reads the Sponsored Products ad group to which a list is added. */
async function adGroupOf(
  { sp }: ProfileClient,
  { body, signal }: ApiCall,
): Promise<{ readonly adGroupId: string; readonly campaignId: string; readonly name: string }> {
  const adGroupId = textOf(body, "ad_group_id");
  const [adGroup] = await sp.adGroups.list({ adGroupIds: [adGroupId], signal });
  if (adGroup !== undefined) return adGroup;
  throw new ApiProblem(
    400,
    "BAD_REQUEST",
    `Cannot add this list: Sponsored Products has no ad group ${adGroupId}`,
  );
}
