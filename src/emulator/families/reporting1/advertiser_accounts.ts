import { isObject, type JsonObject } from "../../core/json.ts";
import { hash } from "../../core/random.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { ProfileState } from "../../state/profile_state.ts";

/** The profiles that the host of a request serves. */
export function profilesAt({ host, state }: Pick<Context, "host" | "state">): ProfileState[] {
  return state.profiles(host === "SANDBOX" ? undefined : host);
}

/** The id of the advertiser account behind a profile. */
export function accountIdOf({ id }: Pick<ProfileState, "id">): string {
  const part = (salt: string): string => (hash(`${salt} ${id}`) >>> 0).toString(36);
  return `ads-account.g.${part("first")}${part("second")}`;
}

/**
 * Lists the advertiser accounts that a login reaches: global ones where the filter does not say otherwise. Here the
 * accounts of sellers are global, and each has one profile.
 */
export function queryAdvertiserAccounts(context: Context): HttpResponse {
  const { body = {} } = context;
  if (!isObject(body)) throw refusal(400, "Request body does not match the expected structure", "unified");
  const includeOf = (name: string): unknown[] | undefined => {
    const filter = body[name];
    return isObject(filter) && Array.isArray(filter.include) ? filter.include : undefined;
  };
  const [isGlobal = true] = includeOf("isGlobalAccountFilter") ?? [];
  const ids = includeOf("advertiserAccountIdFilter");
  const max = Number(body.maxResults ?? 100);
  const from = Number(body.nextToken ?? 0);
  if (!Number.isInteger(max) || max < 10 || max > 100 || !Number.isInteger(from) || from < 0) {
    throw refusal(400, "maxResults must be from 10 to 100, and nextToken one that was given", "unified");
  }
  const found = profilesAt(context).map(toWire).filter(({ isGlobalAccount, advertiserAccountId }) =>
    isGlobalAccount === isGlobal && (ids === undefined || ids.includes(advertiserAccountId))
  );
  const next = from + max < found.length ? { nextToken: String(from + max) } : {};
  return jsonResponse(200, { advertiserAccounts: found.slice(from, from + max), ...next });
}

function toWire(profile: ProfileState): JsonObject {
  const { countryCode, currencyCode, timezone, accountInfo } = profile.record;
  const country = countryCode === "UK" ? "GB" : countryCode;
  return {
    advertiserAccountId: accountIdOf(profile),
    displayName: accountInfo.name,
    isGlobalAccount: accountInfo.type === "seller",
    isTestAccount: false,
    currencyCode,
    timeZoneIana: timezone,
    status: { statusCode: "APPROVED", statusMessage: "" },
    businessDetails: [{}],
    alternateIds: [{
      profileId: profile.id,
      entityId: accountInfo.id,
      countryCode: country,
      region: profile.region,
    }],
  };
}
