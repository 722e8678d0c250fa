import { isObject, type JsonObject } from "../core/json.ts";
import type { Predicate } from "./filter.ts";
import { type HttpResponse, jsonResponse } from "../http/http_response.ts";
import { refusal } from "../http/refusal.ts";
import type { Context } from "../routing/context.ts";
import type { FlatResource } from "./flat_resource.ts";
import { parentOf } from "./flat_writes.ts";
import { choiceFilter, idFilter, wholeNumber } from "./query_filters.ts";

const MAX_PAGE = 5000;
const STATES = ["enabled", "paused", "archived"];

interface FlatView {
  readonly extended: boolean;
}

export function listFlat(resource: FlatResource, context: Context, view: FlatView): HttpResponse {
  const { query, profile } = context;
  const known = resource.states ?? STATES;
  const predicates = [
    ...Object.entries(resource.idFilters).map(([name, field]) => idFilter(query, name, field)),
    choiceFilter(query, { name: "stateFilter", field: "state", known }),
    nameFilter(query, resource.nameField),
  ].filter((each) => each !== undefined);
  const start = wholeNumber(query, "startIndex", { low: 0, high: Number.MAX_SAFE_INTEGER, otherwise: 0 });
  const count = wholeNumber(query, "count", { low: 1, high: MAX_PAGE, otherwise: MAX_PAGE });
  const found = profile.collection(resource.kind).all()
    .filter((entity) => predicates.every((matches) => matches(entity)))
    .slice(start, start + count);
  return jsonResponse(200, found.map((entity) => toWire(resource, entity, context, view)), {
    type: context.responseType,
  });
}

export function getFlat(resource: FlatResource, context: Context, view: FlatView): HttpResponse {
  const id = context.params[resource.idParam] ?? "";
  const entity = context.profile.collection(resource.kind).get(id);
  if (entity === undefined) throw refusal(404, `${resource.noun} ${id} was not found`, "details");
  return jsonResponse(200, toWire(resource, entity, context, view), { type: context.responseType });
}

export function toWire(
  resource: FlatResource,
  entity: JsonObject,
  context: Pick<Context, "profile" | "clock">,
  { extended }: FlatView,
): JsonObject {
  const { extendedData, ...fields } = entity;
  const left = (extended ? resource.notExtended : resource.notPlain) ?? [];
  const shown = Object.fromEntries(
    Object.entries(fields).filter(([name]) => !left.includes(name)).map(([name, value]) => [
      name,
      resource.idFields.includes(name) && value !== undefined ? BigInt(String(value)) : value,
    ]),
  );
  if (!extended) return shown;
  const { creationDate, lastUpdateDate } = isObject(extendedData) ? extendedData : {};
  const servingStatus = servingStatusOf(resource, entity, context);
  return { ...shown, creationDate, lastUpdatedDate: lastUpdateDate, servingStatus };
}

function servingStatusOf(
  { statusWord, parents, live }: FlatResource,
  entity: JsonObject,
  context: Pick<Context, "profile" | "clock">,
): string {
  const own = stateWord(entity);
  if (own !== undefined) return `${statusWord}_${own}`;
  for (const parent of parents) {
    const found = parentOf(parent, entity, context);
    const word = found === undefined ? undefined : stateWord(found);
    if (word !== undefined) return `${parent.field === "adGroupId" ? "AD_GROUP" : "CAMPAIGN"}_${word}`;
  }
  const campaign = parents.length === 0 ? entity : context.profile.collection("sd.campaigns").get(
    String(entity.campaignId),
  );
  const today = context.clock.day(context.profile.record.timezone).replaceAll("-", "");
  if (campaign?.startDate !== undefined && String(campaign.startDate) > today) return "PENDING_START_DATE";
  if (campaign?.endDate !== undefined && String(campaign.endDate) < today) return "ENDED";
  return live;
}

function stateWord({ state }: JsonObject): string | undefined {
  return state === "archived" ? "ARCHIVED" : state === "paused" ? "PAUSED" : undefined;
}

function nameFilter(query: URLSearchParams, field: string | undefined): Predicate | undefined {
  const name = query.get("name");
  if (name === null || field === undefined) return undefined;
  return (entity) => String(entity[field]) === name;
}
