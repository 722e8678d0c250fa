import { idOf, requiredId } from "../../base/json/id_of.ts";
import { KIND_NAMES, kindNamed, spellKind } from "../../platform/catalog/kind_names.ts";
import type { ListOptions } from "../../client/entities/model/list_options.ts";
import type { Resource } from "../../client/entities/resource/resource.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { literalName, namePattern } from "../../base/text/name_pattern.ts";
import { byFamily } from "../model/by_family.ts";
import { defineList } from "./read_operation.ts";

export type Entity = Readonly<Record<string, unknown>>;

export const NAMES = ["name", "keywordText", "sku", "asin"] as const;

export const list = defineList({
  name: "list",
  tool: "list_entities",
  title: "List entities",
  noun: "entities",
  summary: "List campaigns, keywords and other entities",
  details:
    `ENTITY is one of ${KIND_NAMES.map(spellKind).join(", ")}.\n\nSkips archived entities unless you use ` +
    "--state or --all-states. Rows are printed as they arrive.",
  brief: byFamily(KIND_NAMES.map(spellKind)),
  examples: [],
  library: 'for await (const keyword of profile.sp.keywords.iter({ campaignIds: ["123"] })) { ... }',
  input: {
    entity: { type: "entity", required: true, help: "kind of entity" },
    ids: { type: "ids", help: "only these ids, separated by commas; repeatable" },
    campaign_ids: { type: "ids", help: "only entities of these campaigns" },
    campaign_name: {
      type: "text",
      value: "name",
      help: "only entities in campaigns with this name; * matches any text",
    },
    ad_group_ids: { type: "ids", help: "only entities of these ad groups" },
    labels: {
      type: "names",
      help: "only entities with this label, or in a campaign or ad group with it",
      isRare: true,
    },
    states: {
      type: "codes",
      known: ["ENABLED", "PAUSED", "ARCHIVED", "ALL"],
      value: "states",
      help: "only these states: enabled, paused, archived",
      brief: "ENABLED, PAUSED, ARCHIVED, ALL",
    },
    all_states: { type: "switch", help: "every state, including archived", isRare: true },
    name: {
      type: "text",
      value: "name",
      help: "only entities with this name or keyword text; * matches any text",
      brief: "SP*",
    },
    extended: {
      type: "switch",
      help: "add creation and update times and serving status",
      brief: "Times",
    },
  },
  check(
    { entity, states, all_states: isAll, labels, campaign_name: campaign, campaign_ids, ad_group_ids },
    spelling,
  ) {
    const { field } = spelling;
    const kind = kindNamed(entity, { names: KIND_NAMES, style: "people" });
    if (campaign !== undefined && (campaign_ids ?? labels) !== undefined) {
      throw new RangeError(
        `Cannot use ${field("campaign_name")} with ${field("campaign_ids")} or ${
          field("labels")
        }: choose one`,
      );
    }
    if (campaign !== undefined && !kind.includes(".")) {
      throw new RangeError(
        `Cannot use ${field("campaign_name")} with ${spellKind(kind)}: they have no campaign`,
      );
    }
    if (isAll && states !== undefined) {
      throw new RangeError(`Cannot use both ${field("states")} and ${field("all_states")}: choose one`);
    }
    if (labels !== undefined && (campaign_ids ?? ad_group_ids) !== undefined) {
      throw new RangeError(
        `Cannot use ${field("labels")} with ${field("campaign_ids")} or ${field("ad_group_ids")}: choose one`,
      );
    }
  },
  run: async ({ profile, signal }, input) => {
    const { name, states, labels, campaign_name: campaign } = input;
    const kind = kindNamed(input.entity, { names: KIND_NAMES, style: "people" });
    const resource = profile.resource(kind);
    const pattern = name === undefined ? undefined : namePattern(name);
    const conditions: ListOptions = {
      ids: input.ids,
      campaignIds: campaign === undefined
        ? input.campaign_ids
        : await namedCampaigns(campaign, profile.resource(campaignsOf(kind)), signal),
      adGroupIds: input.ad_group_ids,
      states: input.all_states || states?.includes("ALL") ? null : states,
      name: pattern === undefined && name !== undefined ? literalName(name) : undefined,
      extended: input.extended,
      signal,
    };
    const entities = labels === undefined
      ? resource.iter(conditions)
      : labelledEntities(labels, profile, { resource, conditions });
    return pattern === undefined ? entities : matching(entities, pattern);
  },
});

function campaignsOf(kind: string): string {
  return kind.replace(/^(\w+\.(?:global_)?)\w+$/, "$1campaigns");
}

/**
 * Archived campaigns are ignored.
 *
 * @throws {RangeError} when there are none.
 */
async function namedCampaigns(name: string, campaigns: Resource, signal: AbortSignal): Promise<string[]> {
  const pattern = namePattern(name);
  const all = campaigns.iter({ name: pattern === undefined ? literalName(name) : undefined, signal });
  const ids: string[] = [];
  for await (const campaign of pattern === undefined ? all : matching(all, pattern)) {
    ids.push(requiredId(campaign, campaigns.spec.idField));
  }
  if (ids.length > 0) return ids;
  throw new RangeError(`Cannot find a campaign "${name}": no campaign with this name, except archived ones`);
}

async function* matching(entities: AsyncIterable<Entity>, pattern: RegExp): AsyncGenerator<Entity> {
  for await (const entity of entities) {
    if (NAMES.some((field) => pattern.test(String(entity[field] ?? "")))) yield entity;
  }
}

async function* labelledEntities(
  labels: readonly string[],
  client: ProfileClient,
  { resource, conditions }: { readonly resource: Resource; readonly conditions: ListOptions },
): AsyncGenerator<Entity> {
  const { labelledPlaces } = await import("../../account/jobs/account_labels.ts");
  const { campaignIds, adGroupIds } = await labelledPlaces(client, labels, conditions);
  const { idField, filters } = resource.spec;
  const isInAdGroups = idField === "adGroupId" || filters.includes("adGroupIds");
  const parts = [
    { campaignIds: [...campaignIds] },
    ...isInAdGroups ? [{ adGroupIds: [...adGroupIds] }] : [],
  ];
  const seen = new Set<string>();
  for (const part of parts) {
    for await (const entity of resource.iter({ ...conditions, ...part })) {
      const id = idOf(entity, idField);
      if (id === undefined || !seen.has(id)) yield entity;
      if (id !== undefined) seen.add(id);
    }
  }
}
