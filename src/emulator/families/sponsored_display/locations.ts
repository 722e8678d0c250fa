import { isObject, type JsonObject, objectsIn } from "../../core/json.ts";
import { ruleContext } from "../../entities/batch.ts";
import type { FlatResource } from "../../entities/flat_resource.ts";
import { listFlat, toWire } from "../../entities/flat_reads.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import { readObject } from "../../routing/read_request.ts";
import type { Route } from "../../routing/route.ts";
import { adGroupOf } from "./common.ts";

const JSON_TYPES = ["application/json"];
const MAX_CREATED = 20;
const MAX_ARCHIVED = 1000;
const KIND = "sd.locations";

const LOCATIONS: FlatResource = {
  kind: KIND,
  path: "/sd/locations",
  idParam: "locationExpressionId",
  idField: "locationExpressionId",
  idFields: ["locationExpressionId", "adGroupId"],
  noun: "Location",
  operations: {},
  createFields: {},
  updateFields: {},
  parents: [],
  idFilters: { adGroupIdFilter: "adGroupId", campaignIdFilter: "campaignId" },
  maxItems: MAX_CREATED,
  states: ["enabled"],
  live: "",
  statusWord: "",
};

export const DISPLAY_LOCATION_ROUTES: readonly Route[] = [
  {
    operation: "sponsored-display:listLocations",
    method: "GET",
    path: "/sd/locations",
    responseTypes: JSON_TYPES,
    errors: "details",
    handle: list,
  },
  {
    operation: "sponsored-display:createLocations",
    method: "POST",
    path: "/sd/locations",
    requestTypes: JSON_TYPES,
    responseTypes: JSON_TYPES,
    errors: "details",
    handle: create,
  },
  {
    operation: "sponsored-display:archiveLocations",
    method: "POST",
    path: "/sd/locations/delete",
    requestTypes: JSON_TYPES,
    responseTypes: JSON_TYPES,
    errors: "details",
    handle: archive,
  },
];

function list(context: Context): HttpResponse {
  const shown = listFlat(LOCATIONS, context, { extended: false });
  const value = (objectsIn(shown.value) ?? [])
    .filter(({ state }) => state === "enabled").map(({ campaignId: _, ...location }) => location);
  return jsonResponse(200, value, { type: context.responseType });
}

/** Unlike other creates, responds 200 with the entities and is all or nothing. */
function create(context: Context): HttpResponse {
  const { body, state, profile, clock } = context;
  if (!Array.isArray(body) || body.length === 0 || body.length > MAX_CREATED) {
    throw refusal(400, `Request body must be a list of 1 to ${MAX_CREATED} locations`, "details");
  }
  const drafts = body.map((item) => readLocation(item, context));
  const now = clock.now();
  const value = drafts.map((draft) => {
    const location: JsonObject = {
      ...draft,
      locationExpressionId: state.newId(),
      extendedData: { creationDate: now, lastUpdateDate: now },
    };
    profile.collection(KIND).insert(location);
    const { campaignId: _, ...shown } = toWire(LOCATIONS, location, context, { extended: false });
    return shown;
  });
  return jsonResponse(200, value, { type: context.responseType });
}

function readLocation(item: unknown, context: Context): JsonObject {
  const { adGroupId, expression } = isObject(item) ? item : {};
  const parts = Array.isArray(expression) ? expression : [];
  const isUsable = parts.length > 0 &&
    parts.every((part) => isObject(part) && part.type === "location" && typeof part.value === "string");
  if (!isUsable) throw refusal(400, "expression must hold locations", "details");
  const adGroup = adGroupOf({ adGroupId: String(adGroupId) }, ruleContext(context));
  if (adGroup === undefined) throw refusal(422, `Ad group ${String(adGroupId)} was not found`, "details");
  return {
    adGroupId: String(adGroupId),
    campaignId: adGroup.campaignId,
    state: "enabled",
    expression: parts,
    resolvedExpression: parts,
  };
}

function archive(context: Context): HttpResponse {
  const { locationExpressionIdFilter: filter } = readObject(context.body, ["locationExpressionIdFilter"]);
  const ids = isObject(filter) && Array.isArray(filter.include) ? filter.include.map(String) : [];
  if (ids.length === 0 || ids.length > MAX_ARCHIVED) {
    throw refusal(400, `include must be a list of 1 to ${MAX_ARCHIVED} ids`, "details");
  }
  const locations = context.profile.collection(KIND);
  const value = ids.map((id) => {
    const found = locations.get(id);
    if (found === undefined || found.state === "archived") {
      return { code: "NOT_FOUND", description: `Location ${id} was not found` };
    }
    locations.replace({ ...found, state: "archived" });
    return { code: "SUCCESS", locationExpressionId: BigInt(id) };
  });
  return jsonResponse(207, value, { type: context.responseType });
}
