import { sameValue } from "../../internal/canonical_json.ts";
import { fieldsOf } from "../../internal/fields_of.ts";
import { MARKETPLACES, normalizeCountry } from "../../markets.ts";
import { plainAmount } from "../../plans/state/amounts.ts";
import { mergeFields } from "../../plans/state/merge_fields.ts";
import { GLOBAL_CAMPAIGNS } from "../../plans/state/prior_state.ts";
import { SP_EXTENDED_FIELDS } from "../fields/extended_fields.ts";
import { isArchived } from "../fields/is_archived.ts";
import { byName } from "../fields/identity.ts";
import { nameLabel } from "../fields/label.ts";
import { Resource } from "../resource.ts";
import type { Kind } from "../resource_spec.ts";
import type { Fields } from "../wire/resource_wire.ts";
import { spGlobalCampaignsUnified } from "../wire/unified/sp_global_unified.ts";
import type { GlobalCampaign, GlobalCampaignUpdate, NewGlobalCampaign } from "./entities/global_campaigns.ts";
import { SP_STATES } from "./sp_states.ts";

/** Fields of a campaign in one marketplace. */
const PER_MARKETPLACE = ["budget", "state", "name", "startDate", "endDate", "dynamicBidding", "tags"];

/** Sponsored Products campaigns of a global account, over all its marketplaces. The unified family alone has them. */
export const spGlobalCampaigns: Kind<Resource<GlobalCampaign, NewGlobalCampaign, GlobalCampaignUpdate>> = {
  kind: GLOBAL_CAMPAIGNS,
  noun: "global campaign",
  plural: "global campaigns",
  idField: "campaignId",
  idFields: ["campaignId", "portfolioId"],
  isGlobal: true,
  updatable: [
    "name",
    "state",
    "startDate",
    "endDate",
    "dynamicBidding",
    "portfolioId",
    "tags",
    "siteRestrictions",
    "marketplaces",
  ],
  clearable: ["endDate", "portfolioId"],
  numeric: [],
  ...SP_STATES,
  settableStates: ["ENABLED", "PAUSED"],
  filters: ["name", "nameMatch", "extended"],
  label: nameLabel,
  computed: { "marketplaces.*": ["campaignId", "effectiveBudget"] },
  normalize: (item) =>
    item["marketplaces"] === undefined
      ? item
      : { ...item, marketplaces: marketplacesOf(item["marketplaces"]) },
  whole: ["marketplaces"],
  refuses: (update, campaign) => {
    const known = fieldsOf(campaign["marketplaces"]);
    const wanted = Object.entries(fieldsOf(update["marketplaces"]));
    const others = wanted.map(([country]) => country).filter((country) => !Object.hasOwn(known, country));
    if (others.length > 0) {
      return `The global campaign is not in ${
        others.join(", ")
      }, and an update adds no marketplace: it is in ${Object.keys(known).join(", ")}`;
    }
    const closed = wanted.find(([country, fields]) =>
      isArchived(fieldsOf(known[country])) &&
      !sameValue(mergeFields(known[country], fields), known[country])
    );
    return closed && `The copy of the global campaign in ${closed[0]} is archived`;
  },
  required: ["name", "state", "targetingType", "marketplaces"],
  choices: { targetingType: ["AUTO", "MANUAL"] },
  identity: byName(),
  parents: {},
  columns: ["campaignId", "name", "state", "targetingType", "marketplaces", "startDate"],
  moreFields: [
    "endDate",
    "dynamicBidding.strategy",
    "dynamicBidding.placementBidding",
    "portfolioId",
    "tags",
    "siteRestrictions",
  ],
  extendedFields: SP_EXTENDED_FIELDS,
  operations: {
    list: "v1-spglobal-campaigns:SPGlobalQueryCampaign",
    create: "v1-spglobal-campaigns:SPGlobalCreateCampaign",
    update: "v1-spglobal-campaigns:SPGlobalUpdateCampaign",
    delete: "v1-spglobal-campaigns:SPGlobalDeleteCampaign",
  },
  create: (scope) => new Resource(scope, spGlobalCampaigns),
  wire: spGlobalCampaignsUnified,
};

/**
 * Marketplaces as they are sent: countries as profiles spell them, an object for each.
 *
 * @throws {TypeError} that names what is no country, no amount, or no field of a marketplace.
 */
function marketplacesOf(value: unknown): Fields {
  const entries = Object.entries(fieldsOf(value));
  if (entries.length === 0 || Array.isArray(value)) {
    throw new TypeError(
      "Cannot use these marketplaces: give an amount or fields by country, as { US: 20, DE: { budget: 15 } }",
    );
  }
  const problems: string[] = [];
  const found = entries.map(([name, given]): [string, Fields] => {
    const country = normalizeCountry(name);
    if (!MARKETPLACES.includes(country)) problems.push(`"${name}" is not a marketplace`);
    const fields: Fields = typeof given === "object" ? { ...fieldsOf(given) } : { budget: given };
    const { budget } = fields;
    const amount = typeof budget === "string" ? plainAmount(budget) : budget;
    if (amount !== undefined) fields["budget"] = amount;
    if (budget !== undefined && !(typeof amount === "number" && Number.isFinite(amount) && amount >= 0)) {
      problems.push(`the budget of ${country} is not an amount: ${JSON.stringify(budget)}`);
    }
    const { state } = fields;
    if (state !== undefined) fields["state"] = String(state).toUpperCase();
    if (state !== undefined && !["ENABLED", "PAUSED"].includes(String(fields["state"]))) {
      problems.push(`${country} cannot be set to ${JSON.stringify(state)}: expected ENABLED or PAUSED`);
    }
    const unknown = Object.keys(fields).filter((field) => !PER_MARKETPLACE.includes(field));
    if (unknown.length > 0) {
      problems.push(`${country} has no ${unknown.join(", ")}: expected ${PER_MARKETPLACE.join(", ")}`);
    }
    return [country, fields];
  });
  const twice = found.find(([country], at) => found.findIndex(([other]) => other === country) !== at);
  if (twice !== undefined) problems.push(`${twice[0]} is given twice`);
  if (problems.length > 0) throw new TypeError(`Cannot use these marketplaces: ${problems.join("; ")}`);
  return Object.fromEntries(found);
}
