import { isObject, type JsonObject } from "../../core/json.ts";
import { createFlat, updateFlat } from "../../entities/flat_writes.ts";
import { listFlat } from "../../entities/flat_reads.ts";
import type { FlatResource } from "../../entities/flat_resource.ts";
import { idFilter, wholeNumber } from "../../entities/query_filters.ts";
import { ANY, choice, NUMERIC_ID, optional, required } from "../../entities/shape.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { Route } from "../../routing/route.ts";
import { invalid, MAX_ITEMS } from "./common.ts";

const JSON_TYPES = ["application/json"];
const MAX_HEADLINE = 50;
const TYPE = choice("IMAGE", "VIDEO");

/** An ad group may have several; each waits for moderation first. */
const DISPLAY_CREATIVES: FlatResource = {
  kind: "sd.creatives",
  path: "/sd/creatives",
  idParam: "creativeId",
  idField: "creativeId",
  idFields: ["creativeId", "adGroupId"],
  noun: "Creative",
  operations: {},
  createFields: {
    adGroupId: required(NUMERIC_ID),
    creativeType: optional(TYPE),
    consentToTranslate: optional(ANY),
    properties: required(ANY),
  },
  updateFields: { creativeType: optional(TYPE), properties: required(ANY) },
  parents: [{ field: "adGroupId", kind: "sd.ad_groups" }],
  idFilters: { adGroupIdFilter: "adGroupId", creativeIdFilter: "creativeId" },
  maxItems: MAX_ITEMS,
  complete: (item) => ({ creativeType: item.creativeType ?? "IMAGE", moderationStatus: "PENDING_REVIEW" }),
  rules: ({ item }) => {
    if (!isObject(item.properties)) return [invalid("properties", "properties must be an object")];
    const { headline } = item.properties;
    return typeof headline === "string" && headline.length > MAX_HEADLINE
      ? [invalid("properties.headline", `headline is longer than ${MAX_HEADLINE} characters`)]
      : [];
  },
  live: "",
  statusWord: "",
};

export const DISPLAY_CREATIVE_ROUTES: readonly Route[] = [
  {
    operation: "sponsored-display:listCreatives",
    method: "GET",
    path: "/sd/creatives",
    responseTypes: JSON_TYPES,
    errors: "details",
    handle: list,
  },
  {
    operation: "sponsored-display:createCreatives",
    method: "POST",
    path: "/sd/creatives",
    requestTypes: JSON_TYPES,
    responseTypes: JSON_TYPES,
    errors: "details",
    handle: (context) => createFlat(DISPLAY_CREATIVES, context),
  },
  {
    operation: "sponsored-display:updateCreatives",
    method: "PUT",
    path: "/sd/creatives",
    requestTypes: JSON_TYPES,
    responseTypes: JSON_TYPES,
    errors: "details",
    handle: (context) => updateFlat(DISPLAY_CREATIVES, context),
  },
  {
    operation: "sponsored-display:listCreativeModerations",
    method: "GET",
    path: "/sd/moderation/creatives",
    responseTypes: JSON_TYPES,
    errors: "details",
    handle: listModerations,
  },
  {
    operation: "sponsored-display:postCreativePreview",
    method: "POST",
    path: "/sd/creatives/preview",
    requestTypes: JSON_TYPES,
    responseTypes: JSON_TYPES,
    errors: "details",
    handle: preview,
  },
];

function list(context: Context): HttpResponse {
  const { profile } = context;
  const shown = listFlat(DISPLAY_CREATIVES, context, { extended: false });
  const value = (Array.isArray(shown.value) ? shown.value : []).map((
    { state: _, consentToTranslate: __, ...creative },
  ) => ({
    ...creative,
    moderationStatus: statusOf(profile.collection("sd.creatives").get(String(creative.creativeId)), context),
  }));
  return jsonResponse(200, value, { type: context.responseType });
}

const REVIEW = 3_600_000;

/** Takes an hour of the emulator's clock; moderation always succeeds. */
function statusOf(creative: JsonObject | undefined, { clock }: Context): string {
  return clock.now() >= changedAt(creative) + REVIEW ? "APPROVED" : "PENDING_REVIEW";
}

function changedAt(creative: JsonObject | undefined): number {
  return isObject(creative?.extendedData) ? Number(creative.extendedData.lastUpdateDate) : 0;
}

function listModerations(context: Context): HttpResponse {
  const { query, profile } = context;
  if (query.get("language") === null) throw refusal(400, "language is required", "details");
  const filters = Object.entries(DISPLAY_CREATIVES.idFilters).map(([name, field]) =>
    idFilter(query, name, field)
  )
    .filter((each) => each !== undefined);
  const start = wholeNumber(query, "startIndex", { low: 0, high: Number.MAX_SAFE_INTEGER, otherwise: 0 });
  const count = wholeNumber(query, "count", { low: 1, high: 100, otherwise: 100 });
  const found = profile.collection("sd.creatives").all()
    .filter((creative) => filters.every((matches) => matches(creative)))
    .slice(start, start + count);
  const value = found.map((creative) => ({
    creativeId: BigInt(String(creative.creativeId)),
    creativeType: creative.creativeType,
    moderationStatus: statusOf(creative, context),
    etaForModeration: new Date(changedAt(creative) + REVIEW).toISOString(),
    policyViolations: [],
  }));
  return jsonResponse(200, value, { type: context.responseType });
}

function preview({ body, responseType }: Context): HttpResponse {
  if (!isObject(body) || !isObject(body.creative) || !isObject(body.previewConfiguration)) {
    throw refusal(400, "creative and previewConfiguration are required", "details");
  }
  const headline = isObject(body.creative.properties) ? String(body.creative.properties.headline ?? "") : "";
  const safe = headline.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const html = `<html><body><p>${safe}</p></body></html>`;
  return jsonResponse(200, { previewHtml: html, previewHtmls: [html] }, { type: responseType });
}
