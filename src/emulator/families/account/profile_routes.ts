import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import type { Context } from "../../routing/context.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import { refusal } from "../../http/refusal.ts";
import type { Route } from "../../routing/route.ts";
import type { ProfileState } from "../../state/profile_state.ts";

const TYPES = ["application/json"];

export const PROFILE_ROUTES: readonly Route[] = [
  {
    operation: "profiles:listProfiles",
    method: "GET",
    path: "/v2/profiles",
    responseTypes: TYPES,
    scoped: false,
    errors: "details",
    handle: list,
  },
  {
    operation: "profiles:updateProfiles",
    method: "PUT",
    path: "/v2/profiles",
    requestTypes: TYPES,
    responseTypes: TYPES,
    scoped: false,
    errors: "details",
    handle: update,
  },
  {
    operation: "profiles:getProfileById",
    method: "GET",
    path: "/v2/profiles/{profileId}",
    responseTypes: TYPES,
    scoped: false,
    errors: "details",
    handle: get,
  },
];

function list(context: Context): HttpResponse {
  const types = context.query.get("profileTypeFilter")?.split(",");
  const payment = context.query.get("validPaymentMethodFilter");
  const profiles = profilesOf(context).filter(({ record: { accountInfo } }) =>
    (types === undefined || types.includes(accountInfo.type)) &&
    (payment === null || payment === String(accountInfo.validPaymentMethod))
  );
  return jsonResponse(200, profiles.map(toWire));
}

function get(context: Context): HttpResponse {
  const profile = profilesOf(context).find(({ id }) => id === context.params.profileId);
  if (profile === undefined) {
    throw refusal(404, `Profile ${context.params.profileId} was not found`, "details");
  }
  return jsonResponse(200, toWire(profile));
}

function update(context: Context): HttpResponse {
  const { body } = context;
  if (!Array.isArray(body)) throw refusal(400, "Request body must be a list of profiles", "details");
  return jsonResponse(200, body.map((item) => updateOne(isObject(item) ? item : {}, context)));
}

function updateOne(item: JsonObject, context: Context): JsonObject {
  const profileId = item.profileId;
  const profile = profilesOf(context).find(({ id }) => id === String(profileId));
  if (profile === undefined || (typeof profileId !== "number" && typeof profileId !== "bigint")) {
    const details = `Profile ${String(profileId)} was not found`;
    return { code: "NOT_FOUND", details, ...(profileId === undefined ? {} : { profileId }) };
  }
  const { dailyBudget } = item;
  if (typeof dailyBudget !== "number" || dailyBudget <= 0) {
    return { profileId, code: "INVALID_ARGUMENT", details: "dailyBudget must be a number above zero" };
  }
  if (profile.record.accountInfo.type !== "seller") {
    return { profileId, code: "INVALID_ARGUMENT", details: "dailyBudget can be set for sellers only" };
  }
  profile.updateRecord({ dailyBudget });
  return { profileId, code: "SUCCESS", details: "" };
}

function profilesOf({ host, state }: Context): ProfileState[] {
  return state.profiles(host === "SANDBOX" ? undefined : host);
}

function toWire({ record }: ProfileState): JsonObject {
  return { ...record, profileId: BigInt(record.profileId), accountInfo: { ...record.accountInfo } };
}
