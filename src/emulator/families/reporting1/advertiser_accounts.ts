import { isObject, type JsonObject } from "../../core/json.ts";
import { hash } from "../../core/random.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { ProfileState } from "../../state/profile_state.ts";

export function profilesAt({ host, state }: Pick<Context, "host" | "state">): ProfileState[] {
  return state.profiles(host === "SANDBOX" ? undefined : host);
}

export function accountIdOf({ account }: Pick<ProfileState, "account">): string {
  const part = (salt: string): string => (hash(`${salt} ${account}`) >>> 0).toString(36);
  return `ads-account.g.${part("first")}${part("second")}`;
}

export function profilesOfAccount(accountId: string, { state }: Pick<Context, "state">): ProfileState[] {
  return state.profiles().filter((profile) => accountIdOf(profile) === accountId);
}

export function accountsAt(context: Pick<Context, "host" | "state">): Map<string, ProfileState[]> {
  const all = [...new Set([...profilesAt(context), ...context.state.profiles()])];
  const ids = new Set(profilesAt(context).map(accountIdOf));
  return Map.groupBy(all.filter((profile) => ids.has(accountIdOf(profile))), accountIdOf);
}

/** Country code of the unified family and the new reports: `GB` for the United Kingdom. */
export function countryWord(countryCode: string): string {
  return countryCode === "UK" ? "GB" : countryCode;
}

export function isGlobal({ record }: ProfileState): boolean {
  return record.accountInfo.type === "seller";
}

export function queryAdvertiserAccounts(context: Context): HttpResponse {
  const { body = {} } = context;
  if (!isObject(body)) throw refusal(400, "Request body does not match the expected structure", "unified");
  const includeOf = (name: string): unknown[] | undefined => {
    const filter = body[name];
    return isObject(filter) && Array.isArray(filter.include) ? filter.include : undefined;
  };
  const [wanted = true] = includeOf("isGlobalAccountFilter") ?? [];
  const ids = includeOf("advertiserAccountIdFilter");
  const max = Number(body.maxResults ?? 100);
  const from = Number(body.nextToken ?? 0);
  if (!Number.isInteger(max) || max < 10 || max > 100 || !Number.isInteger(from) || from < 0) {
    throw refusal(400, "maxResults must be from 10 to 100, and nextToken one that was given", "unified");
  }
  const found = [...accountsAt(context)].map(([id, profiles]) => toWire(id, profiles)).filter((account) =>
    account.isGlobalAccount === wanted && (ids === undefined || ids.includes(account.advertiserAccountId))
  );
  const next = from + max < found.length ? { nextToken: String(from + max) } : {};
  return jsonResponse(200, { advertiserAccounts: found.slice(from, from + max), ...next });
}

function toWire(advertiserAccountId: string, profiles: readonly ProfileState[]): JsonObject {
  const first = profiles[0]!;
  const { currencyCode, timezone, accountInfo } = first.record;
  return {
    advertiserAccountId,
    displayName: accountInfo.name,
    isGlobalAccount: isGlobal(first),
    isTestAccount: false,
    currencyCode,
    timeZoneIana: timezone,
    status: { statusCode: "APPROVED", statusMessage: "" },
    businessDetails: [{}],
    alternateIds: profiles.map(({ id, region, record }) => ({
      profileId: id,
      entityId: record.accountInfo.id,
      countryCode: countryWord(record.countryCode),
      region,
    })),
  };
}
