import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { checkStructure } from "../../../entities/check_shape.ts";
import { withoutNulls } from "../../../entities/draft.ts";
import { valuesIn } from "../../../entities/filter.ts";
import { type HttpResponse, jsonResponse } from "../../../http/http_response.ts";
import { refusal } from "../../../http/refusal.ts";
import type { Context } from "../../../routing/context.ts";
import { writeJson } from "../../../core/json.ts";
import { PRODUCT_CAMPAIGNS, UNIFIED_CAMPAIGNS } from "../campaigns.ts";
import { part } from "../common.ts";
import { demandFilterSize, GLOBAL_CAMPAIGN_LIMITS } from "../limits.ts";
import { pageOf, predicateOf, readAdProduct, readPageSize } from "../query.ts";
import type { UnifiedError } from "../unified_error.ts";
import type { UnifiedKind } from "../unified_kind.ts";
import { type ItemResult, problemsOf, readList, respondToItems, twice, unknownId } from "../write.ts";
import {
  COPIED,
  copiesOf,
  type Copy,
  demandGlobalAccount,
  type GlobalAccount,
  globalCampaigns,
  rulesOf,
  shownGlobal,
} from "./global_copies.ts";
import { amountsOf, GLOBAL_CREATE_FIELDS, GLOBAL_UPDATE_FIELDS, overridesOf } from "./global_shape.ts";

const KIND: UnifiedKind = {
  ...UNIFIED_CAMPAIGNS,
  filters: {
    ...UNIFIED_CAMPAIGNS.filters,
    marketplaceScopeFilter: valuesIn("marketplaceScope", 1, ["GLOBAL"]),
  },
};
const ID_LIST = `${KIND.idField}s`;
const BUDGET = "budgets[0].budgetValue.monetaryBudgetValue.marketplaceSettings";

/**
 * Campaigns of a global account: each has a copy in the profile of every marketplace, which is a campaign like others
 * there. A write is carried out in each marketplace by the rules of its profile, and may be done in some alone.
 */
export const GLOBAL_CAMPAIGNS = {
  Create: (context: Context): HttpResponse => {
    const account = demandGlobalAccount(context);
    const items = readList(context.body, KIND.entity).map((item) => {
      checkStructure(item, GLOBAL_CREATE_FIELDS);
      return withoutNulls(item as JsonObject);
    });
    return respond(items, context, (item) => create(item, account, context));
  },
  Query: query,
  Update: (context: Context): HttpResponse => {
    const account = demandGlobalAccount(context);
    const items = readList(context.body, KIND.entity);
    for (const item of items) checkStructure(item, GLOBAL_UPDATE_FIELDS);
    const seen = new Set<Json | undefined>();
    return respond(items as JsonObject[], context, (item) => {
      if (seen.has(item.campaignId)) return { errors: [twice(KIND)] };
      seen.add(item.campaignId);
      return update(item, account, context);
    });
  },
  Delete: (context: Context): HttpResponse => {
    const account = demandGlobalAccount(context);
    const ids = readList(context.body, ID_LIST);
    if (!ids.every((id) => typeof id === "string")) {
      throw refusal(400, `${ID_LIST} must be a list of texts`);
    }
    return respond(ids as string[], context, (id) => archive(id, account, context));
  },
} as const;

function respond<Item>(
  items: readonly Item[],
  context: Context,
  act: (item: Item) => ItemResult,
): HttpResponse {
  const { items: most } = GLOBAL_CAMPAIGN_LIMITS;
  if (items.length > most) throw refusal(413, `${KIND.entity} must have at most ${most} items`);
  return respondToItems(KIND, { items, hasPartial: true }, context, act);
}

function create(item: JsonObject, account: GlobalAccount, context: Context): ItemResult {
  const problems = problemsOf(item, GLOBAL_CREATE_FIELDS);
  if (problems.length > 0) return { errors: problems };
  if (context.quirks.globalBudgets === "refused") {
    const message = "marketplaceSettings are not supported in a new campaign";
    return { errors: [{ code: "FIELD_VALUE_IS_INVALID", message, field: BUDGET }] };
  }
  const amounts = amountsOf(item);
  const overrides = overridesOf(item);
  const { marketplaces = [...amounts.keys()], adProduct, marketplaceScope: _, ...rest } = item;
  const names = marketplaces as string[];
  const stray = [...amounts.keys(), ...overrides.keys()].find((name) => !names.includes(name));
  if (stray !== undefined) return { errors: [mismatch(stray)] };
  const copies: Record<string, string> = {};
  const errors: UnifiedError[] = [];
  for (const marketplace of names) {
    const profile = account.profiles.get(marketplace);
    const value = amounts.get(marketplace);
    if (profile === undefined || value === undefined) {
      errors.push(profile === undefined ? notInAccount(marketplace) : noBudget(marketplace));
      continue;
    }
    const single = { ...rest, ...overrides.get(marketplace), budgets: budgetOf(value) };
    const draft = PRODUCT_CAMPAIGNS.toDraft(single, profile);
    const made = PRODUCT_CAMPAIGNS.engine.create(draft, rulesOf(profile, context));
    if ("errors" in made) errors.push(...made.errors.map((error) => ({ ...error, marketplace })));
    else copies[marketplace] = String(made.entity.campaignId);
  }
  if (Object.keys(copies).length === 0) return { errors };
  const now = context.clock.iso();
  const kept = Object.fromEntries(
    COPIED.flatMap((field) => item[field] === undefined ? [] : [[field, item[field]]]),
  );
  const whole: JsonObject = {
    campaignId: context.state.newId(),
    ...kept,
    adProduct: adProduct!,
    autoCreationSettings: item.autoCreationSettings!,
    copies,
    overrides: Object.fromEntries(overrides),
    extendedData: { creationDateTime: now, lastUpdateDateTime: now },
  };
  globalCampaigns(account).insert(whole);
  for (const { profile, campaign } of copiesOf(whole, account)) {
    profile.collection("sp.campaigns").replace({ ...campaign, globalCampaignId: whole.campaignId! });
  }
  return { entity: shownGlobal(whole, account), errors };
}

function update(sent: JsonObject, account: GlobalAccount, context: Context): ItemResult {
  const whole = globalCampaigns(account).get(String(sent.campaignId ?? ""));
  if (whole === undefined) return { errors: [unknownId(KIND, sent.campaignId)] };
  if (whole.state === "ARCHIVED") return { errors: [archivedAlready()] };
  const item = Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => value !== null || NULLABLE.includes(name)),
  );
  const problems = problemsOf(item, GLOBAL_UPDATE_FIELDS);
  if (problems.length > 0) return { errors: problems };
  const amounts = amountsOf(item);
  const overrides = overridesOf(item);
  const copies = copiesOf(whole, account);
  const named = [...amounts.keys(), ...overrides.keys(), ...(item.marketplaces ?? []) as string[]];
  const stray = named.find((name) => !copies.some(({ marketplace }) => marketplace === name));
  if (stray !== undefined) return { errors: [mismatch(stray)] };
  const kept: Record<string, JsonObject> = {};
  const errors: UnifiedError[] = [];
  let done = 0;
  for (const copy of copies) {
    const { marketplace, profile, campaign } = copy;
    const before = part(whole, "overrides", marketplace);
    const own = { ...before, ...overrides.get(marketplace) };
    kept[marketplace] = before;
    const single = changeOf(item, {
      own: before,
      override: overrides.get(marketplace),
      amount: amounts.get(marketplace),
    });
    // What was archived in one marketplace stays there whatever becomes of the others.
    const isLeftOut = campaign.state === "ARCHIVED" && !amounts.has(marketplace) &&
      !overrides.has(marketplace);
    if (Object.keys(single).length === 0 || isLeftOut) continue;
    const patch = PRODUCT_CAMPAIGNS.toPatch(
      { ...single, campaignId: campaign.campaignId! },
      campaign,
      profile,
    );
    const outcome = PRODUCT_CAMPAIGNS.engine.update(patch, rulesOf(profile, context));
    if ("errors" in outcome) {
      errors.push(...outcome.errors.map((error) => ({ ...error, marketplace })));
      continue;
    }
    done++;
    kept[marketplace] = own;
  }
  if (done === 0 && errors.length > 0) return { errors };
  const level = Object.fromEntries(COPIED.flatMap((field) => field in item ? [[field, item[field]!]] : []));
  return { entity: keep({ ...whole, ...level, overrides: kept }, account, context), errors };
}

const NULLABLE = ["endDateTime", "portfolioId"];

/** The part of a change that reaches a copy: what is its own stays, unless the change is about this marketplace. */
function changeOf(
  item: JsonObject,
  { own, override = {}, amount }: {
    own: JsonObject;
    override: JsonObject | undefined;
    amount: number | undefined;
  },
): JsonObject {
  const level = COPIED.filter((field) => field in item && !(field in own));
  return {
    ...Object.fromEntries(level.map((field) => [field, item[field]!])),
    ...override,
    ...(amount === undefined ? {} : { budgets: budgetOf(amount) }),
  };
}

function archive(id: string, account: GlobalAccount, context: Context): ItemResult {
  const whole = globalCampaigns(account).get(id);
  if (whole === undefined) return { errors: [unknownId(KIND, id)] };
  if (whole.state === "ARCHIVED") return { errors: [archivedAlready()] };
  const open = copiesOf(whole, account).filter(({ campaign }) => campaign.state !== "ARCHIVED");
  const errors = open.flatMap(({ marketplace, profile, campaign }: Copy): UnifiedError[] => {
    const outcome = PRODUCT_CAMPAIGNS.engine.archive(String(campaign.campaignId), rulesOf(profile, context));
    return "errors" in outcome ? outcome.errors.map((error) => ({ ...error, marketplace })) : [];
  });
  if (errors.length > 0 && new Set(errors.map(({ marketplace }) => marketplace)).size === open.length) {
    return { errors };
  }
  const state = errors.length === 0 ? "ARCHIVED" : whole.state!;
  return { entity: keep({ ...whole, state }, account, context), errors };
}

/** Keeps a changed whole, and shows it. */
function keep(whole: JsonObject, account: GlobalAccount, { clock }: Context): JsonObject {
  const extendedData = { ...part(whole, "extendedData"), lastUpdateDateTime: clock.iso() };
  const kept = withoutNulls({ ...whole, extendedData });
  globalCampaigns(account).replace(kept);
  return shownGlobal(kept, account);
}

function query(context: Context): HttpResponse {
  const account = demandGlobalAccount(context);
  const { body = {} } = context;
  if (!isObject(body)) throw refusal(400, "Request body must be an object");
  const { nextToken, maxResults, adProductFilter, ...filters } = body;
  if (readAdProduct(KIND, adProductFilter) !== "SPONSORED_PRODUCTS") {
    throw refusal(400, "A global account has campaigns of SPONSORED_PRODUCTS alone");
  }
  const predicates = Object.entries(filters).map(([name, value]) => {
    demandFilterSize(GLOBAL_CAMPAIGN_LIMITS, name, value);
    return predicateOf(KIND, { name, value }, account.home);
  });
  const size = readPageSize(maxResults, GLOBAL_CAMPAIGN_LIMITS.page);
  const identity = `${account.home.id} global ${writeJson(filters)}`;
  const found = globalCampaigns(account).all().map((whole) => shownGlobal(whole, account))
    .filter((campaign) => predicates.every((matches) => matches(campaign)));
  const { items, more } = pageOf(found, { size, nextToken, identity }, context);
  return jsonResponse(200, { campaigns: items, ...more }, { type: context.responseType });
}

function budgetOf(value: number): JsonObject[] {
  return [{
    budgetType: "MONETARY",
    recurrenceTimePeriod: "DAILY",
    budgetValue: { monetaryBudgetValue: { monetaryBudget: { value } } },
  }];
}

function notInAccount(marketplace: string): UnifiedError {
  const message = "The account has no profile in this marketplace";
  return { code: "UNSUPPORTED_MARKETPLACE", message, field: "marketplaces", marketplace };
}

function noBudget(marketplace: string): UnifiedError {
  return { code: "FIELD_VALUE_IS_NULL", message: "A budget is required", field: BUDGET, marketplace };
}

function mismatch(marketplace: string): UnifiedError {
  const message = "The campaign is not in this marketplace";
  return { code: "FIELD_VALUE_MISMATCH", message, field: "marketplaces", marketplace };
}

function archivedAlready(): UnifiedError {
  return { code: "ARCHIVED_RESOURCE_CANNOT_EDIT", message: "Archived entity cannot be modified", field: "" };
}
