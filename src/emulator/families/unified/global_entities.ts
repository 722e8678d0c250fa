import { isObject, type Json, type JsonObject, writeJson } from "../../core/json.ts";
import { checkStructure } from "../../entities/check_shape.ts";
import { withoutNulls } from "../../entities/write_entities.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { part } from "./common.ts";
import { demandFilterSize } from "./limits.ts";
import { pageOf, predicateOf, readAdProduct, readPageSize } from "./query.ts";
import { keepTags } from "./shown.ts";
import type { UnifiedError } from "./unified_error.ts";
import type { UnifiedSource } from "./unified_kind.ts";
import { type ItemResult, problemsOf, readList, respondToItems, twice, unknownId } from "./write.ts";
import { GLOBAL_AD_GROUPS, GLOBAL_ADS, GLOBAL_CAMPAIGNS, GLOBAL_TARGETS } from "./global_kinds.ts";
import { copiesOf, demandGlobalAccount, type GlobalAccount, rulesOf, shownGlobal } from "./global_copies.ts";
import type { GlobalKind } from "./global_kind.ts";
import { overridesOf } from "./global_shape.ts";

const KINDS: Readonly<Record<string, GlobalKind>> = {
  campaigns: GLOBAL_CAMPAIGNS,
  adGroups: GLOBAL_AD_GROUPS,
  ads: GLOBAL_ADS,
  targets: GLOBAL_TARGETS,
};

export function hasGlobal(entity: string): boolean {
  return Object.hasOwn(KINDS, entity);
}

/**
 * Each global entity has an ordinary copy in every marketplace's profile. Writes follow each profile's rules and may
 * succeed in only some marketplaces.
 */
export function answerGlobal(
  entity: string,
  verb: "Create" | "Query" | "Update" | "Delete",
  context: Context,
): HttpResponse {
  const kind = KINDS[entity]!;
  const account = demandGlobalAccount(context);
  if (verb === "Query") return query(kind, account, context);
  const request: GlobalRequest = { kind, account, context };
  const { idField } = kind.unified;
  if (verb === "Delete") {
    const ids = readList(context.body, `${idField}s`);
    if (!ids.every((id) => typeof id === "string")) {
      throw refusal(400, `${idField}s must be a list of texts`);
    }
    return respond(ids as string[], request, (id) => archive(id, request));
  }
  const items = readList(context.body, entity);
  for (const item of items) {
    checkStructure(item, verb === "Create" ? kind.createFields : kind.updateFields);
  }
  if (verb === "Create") {
    return respond(
      items.map((item) => withoutNulls(item as JsonObject)),
      request,
      (item) => create(item, request),
    );
  }
  const seen = new Set<Json | undefined>();
  return respond(items as JsonObject[], request, (item) => {
    if (seen.has(item[idField])) return { errors: [twice(kind.unified)] };
    seen.add(item[idField]);
    return update(item, request);
  });
}

interface GlobalRequest {
  readonly kind: GlobalKind;
  readonly account: GlobalAccount;
  readonly context: Context;
}

function respond<Item>(
  items: readonly Item[],
  { kind, context }: GlobalRequest,
  act: (item: Item) => ItemResult,
): HttpResponse {
  const { items: most } = kind.limits;
  if (items.length > most) throw refusal(413, `${kind.unified.entity} must have at most ${most} items`);
  return respondToItems(kind.unified, { items, hasPartial: true }, context, act);
}

function wholes(kind: GlobalKind, { home }: GlobalAccount): ReturnType<ProfileState["collection"]> {
  return home.collection(kind.collection);
}

function create(item: JsonObject, { kind, account, context }: GlobalRequest): ItemResult {
  const { unified } = kind;
  const problems = problemsOf(item, kind.createFields);
  if (problems.length > 0) return { errors: problems };
  if (context.quirks.globalBudgets === "refused" && kind === GLOBAL_CAMPAIGNS) {
    const message = "marketplaceSettings are not supported in a new campaign";
    return { errors: [{ code: "FIELD_VALUE_IS_INVALID", message, field: kind.needs!.field }] };
  }
  const overrides = overridesOf(item);
  const { marketplaces = kind.countriesOf?.(item) ?? [], marketplaceScope: _, adProduct, ...rest } = item;
  const names = marketplaces as string[];
  const stray = [...kind.valued(item), ...overrides.keys()].find((name) => !names.includes(name));
  if (stray !== undefined) return { errors: [mismatch(kind, stray)] };
  const parents = parentsOf(item, account);
  if ("code" in parents) return { errors: [parents] };
  const source = kind.sourceOf(item);
  const copies: Record<string, string> = {};
  const errors: UnifiedError[] = [];
  for (const marketplace of names) {
    const profile = account.profiles.get(marketplace);
    const value = kind.valueIn(item, marketplace);
    if (profile === undefined) errors.push(notInAccount(marketplace));
    else if (value === undefined && kind.needs !== undefined) errors.push(missing(kind.needs, marketplace));
    else {
      const placed = parents.idsIn(marketplace);
      if (placed === undefined) {
        errors.push(notInParent(marketplace));
        continue;
      }
      const own = overrides.get(marketplace);
      const single: JsonObject = { ...rest, adProduct: adProduct!, ...value, ...own, ...placed };
      const draft = source.toDraft(single, profile);
      const made = source.engine.create(draft, rulesOf(profile, context));
      if ("errors" in made) errors.push(...made.errors.map((error) => ({ ...error, marketplace })));
      else {
        copies[marketplace] = idIn(profile, source, made.entity);
        tag({ kind, source, profile, context }, { entity: made.entity, tags: single.tags });
      }
    }
  }
  if (Object.keys(copies).length === 0) return { errors };
  const now = context.clock.iso();
  const kept = Object.fromEntries(
    [...kind.copied, ...kind.kept].flatMap((field) =>
      item[field] === undefined ? [] : [[field, item[field]]]
    ),
  );
  const whole: JsonObject = {
    ...parents.ids,
    ...kept,
    [unified.idField]: context.state.newId(),
    adProduct: adProduct!,
    copies,
    overrides: Object.fromEntries(overrides),
    extendedData: { creationDateTime: now, lastUpdateDateTime: now },
  };
  wholes(kind, account).insert(whole);
  for (const { profile, entity } of copiesOf(kind, whole, account)) {
    profile.collection(source.collection).replace({
      ...entity,
      [kind.globalId(source)]: whole[unified.idField]!,
    });
  }
  return { entity: shownGlobal(kind, { whole, account }, context), errors };
}

interface Parents {
  readonly ids: JsonObject;
  readonly idsIn: (marketplace: string) => JsonObject | undefined;
}

function parentsOf(item: JsonObject, account: GlobalAccount): Parents | UnifiedError {
  const found: { readonly field: string; readonly whole: JsonObject }[] = [];
  for (const [field, kind] of [["campaignId", GLOBAL_CAMPAIGNS], ["adGroupId", GLOBAL_AD_GROUPS]] as const) {
    if (item[field] === undefined || item[field] === "") continue;
    const whole = wholes(kind, account).get(String(item[field]));
    if (whole === undefined) return unknownId(kind.unified, item[field]);
    if (whole.state === "ARCHIVED") {
      const message = `The ${kind.unified.singular} is archived`;
      return { code: "ARCHIVED_PARENT_CANNOT_CREATE", message, field };
    }
    found.push({ field, whole });
  }
  const adGroup = found.find(({ field }) => field === "adGroupId")?.whole;
  return {
    ids: {
      ...Object.fromEntries(found.map(({ field }) => [field, item[field]!])),
      ...(adGroup === undefined ? {} : { campaignId: adGroup.campaignId! }),
    },
    idsIn: (marketplace) => {
      const ids = found.map(({ field, whole }) => [field, part(whole, "copies")[marketplace]] as const);
      if (ids.some(([, id]) => id === undefined)) return undefined;
      return Object.fromEntries(ids.map(([field, id]) => [field, id!]));
    },
  };
}

function update(sent: JsonObject, { kind, account, context }: GlobalRequest): ItemResult {
  const { unified } = kind;
  const { idField } = unified;
  const whole = wholes(kind, account).get(String(sent[idField] ?? ""));
  if (whole === undefined) return { errors: [unknownId(unified, sent[idField])] };
  if (whole.state === "ARCHIVED") return { errors: [archivedAlready()] };
  const item = Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => value !== null || kind.nullable?.includes(name)),
  );
  const problems = problemsOf(item, kind.updateFields);
  if (problems.length > 0) return { errors: problems };
  const source = kind.sourceOf(whole);
  const overrides = overridesOf(item);
  const valued = kind.valued(item);
  const copies = copiesOf(kind, whole, account);
  const named = [...valued, ...overrides.keys(), ...(item.marketplaces ?? []) as string[]];
  const stray = named.find((name) => !copies.some(({ marketplace }) => marketplace === name));
  if (stray !== undefined) return { errors: [mismatch(kind, stray)] };
  const kept: Record<string, JsonObject> = {};
  const errors: UnifiedError[] = [];
  let done = 0;
  for (const { marketplace, profile, entity } of copies) {
    const before = part(whole, "overrides", marketplace);
    kept[marketplace] = before;
    const override = overrides.get(marketplace);
    const level = kind.copied.filter((field) => field in item && !(field in before));
    const single: JsonObject = {
      ...Object.fromEntries(level.map((field) => [field, item[field]!])),
      ...override,
      ...(valued.includes(marketplace) ? kind.valueIn(item, marketplace) : {}),
    };
    // What was archived in one marketplace stays there whatever becomes of the others.
    const isLeftOut = entity.state === "ARCHIVED" && !valued.includes(marketplace) && override === undefined;
    if (Object.keys(single).length === 0 || isLeftOut) continue;
    const id = idIn(profile, source, entity);
    const patch = source.toPatch({ ...single, [idField]: id }, entity, profile);
    const outcome = source.engine.update(patch, rulesOf(profile, context));
    if ("errors" in outcome) {
      errors.push(...outcome.errors.map((error) => ({ ...error, marketplace })));
      continue;
    }
    tag({ kind, source, profile, context }, { entity: outcome.entity, tags: single.tags });
    done++;
    kept[marketplace] = { ...before, ...override };
  }
  if (done === 0 && errors.length > 0) return { errors };
  const level = Object.fromEntries(
    kind.copied.flatMap((field) => field in item ? [[field, item[field]!]] : []),
  );
  const changed = { ...whole, ...level, overrides: kept };
  return { entity: keep(changed, { kind, account, context }), errors };
}

function archive(id: string, request: GlobalRequest): ItemResult {
  const { kind, account, context } = request;
  const whole = wholes(kind, account).get(id);
  if (whole === undefined) return { errors: [unknownId(kind.unified, id)] };
  if (whole.state === "ARCHIVED") return { errors: [archivedAlready()] };
  const source = kind.sourceOf(whole);
  const open = copiesOf(kind, whole, account).filter(({ entity }) => entity.state !== "ARCHIVED");
  const errors = open.flatMap(({ marketplace, profile, entity }): UnifiedError[] => {
    const outcome = source.engine.archive(idIn(profile, source, entity), rulesOf(profile, context));
    return "errors" in outcome ? outcome.errors.map((error) => ({ ...error, marketplace })) : [];
  });
  if (errors.length > 0 && new Set(errors.map(({ marketplace }) => marketplace)).size === open.length) {
    return { errors };
  }
  const state = errors.length === 0 ? "ARCHIVED" : whole.state!;
  return { entity: keep({ ...whole, state }, request), errors };
}

function keep(whole: JsonObject, { kind, account, context }: GlobalRequest): JsonObject {
  const extendedData = { ...part(whole, "extendedData"), lastUpdateDateTime: context.clock.iso() };
  const kept = withoutNulls({ ...whole, extendedData });
  wholes(kind, account).replace(kept);
  return shownGlobal(kind, { whole: kept, account }, context);
}

function query(kind: GlobalKind, account: GlobalAccount, context: Context): HttpResponse {
  const { unified, limits } = kind;
  const { body = {} } = context;
  if (!isObject(body)) throw refusal(400, "Request body must be an object");
  const { nextToken, maxResults, adProductFilter, ...filters } = body;
  if (readAdProduct(unified, adProductFilter) !== "SPONSORED_PRODUCTS") {
    throw refusal(400, `A global account has only ${unified.entity} of SPONSORED_PRODUCTS`);
  }
  const predicates = Object.entries(filters).map(([name, value]) => {
    demandFilterSize(limits, name, value);
    return predicateOf(unified, { name, value }, account.home);
  });
  const size = readPageSize(maxResults, limits.page);
  const identity = `${account.home.id} global ${unified.entity} ${writeJson(filters)}`;
  const found = wholes(kind, account).all().map((whole) => shownGlobal(kind, { whole, account }, context))
    .filter((entity) => predicates.every((matches) => matches(entity)));
  const { items, more } = pageOf(found, { size, nextToken, identity }, context);
  return jsonResponse(200, { [unified.entity]: items, ...more }, { type: context.responseType });
}

function idIn(profile: ProfileState, { collection }: UnifiedSource, entity: JsonObject): string {
  return String(entity[profile.collection(collection).idField]);
}

/** Stores the labels separately, unless the collection stores them itself. */
function tag(
  { kind, source, profile, context }: {
    kind: GlobalKind;
    source: UnifiedSource;
    profile: ProfileState;
    context: Context;
  },
  { entity, tags }: { entity: JsonObject; tags: Json | undefined },
): void {
  if (source.ownTags) return;
  keepTags(kind.unified, { source, entity, tags }, { profile, quirks: context.quirks });
}

function notInAccount(marketplace: string): UnifiedError {
  const message = "The account has no profile in this marketplace";
  return { code: "UNSUPPORTED_MARKETPLACE", message, field: "marketplaces", marketplace };
}

function notInParent(marketplace: string): UnifiedError {
  const message = "The campaign or ad group is not in this marketplace";
  return { code: "FIELD_VALUE_MISMATCH", message, field: "marketplaces", marketplace };
}

function missing(
  { field, what }: { readonly field: string; readonly what: string },
  marketplace: string,
): UnifiedError {
  return { code: "FIELD_VALUE_IS_NULL", message: `${what} is required`, field, marketplace };
}

function mismatch({ unified }: GlobalKind, marketplace: string): UnifiedError {
  const message = `The ${unified.singular} is not in this marketplace`;
  return { code: "FIELD_VALUE_MISMATCH", message, field: "marketplaces", marketplace };
}

function archivedAlready(): UnifiedError {
  return { code: "ARCHIVED_RESOURCE_CANNOT_EDIT", message: "Archived entity cannot be modified", field: "" };
}
