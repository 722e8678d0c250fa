import { normalizeCountry } from "../base/markets/markets.ts";
import { fieldsOf } from "../base/json/fields_of.ts";
import { ConfigurationError } from "../errors.ts";
import { accountById, isWithinLimit } from "../platform/transport/advertiser_accounts.ts";
import type { ProfileScope, ReachedRequest } from "../platform/transport/profile_scope.ts";
import { plainPath } from "./calls/plain_path.ts";

/** Paths whose requests concern the profile in their header; requests on other paths may concern the whole login. */
const ABOUT_PROFILE = new RegExp(
  `^/(?:${
    [
      "(?:v2/)?(?:sp|sb|sd|st|hsa)",
      "portfolios|reporting|history|streams|exports|eligibility",
      "(?:campaigns|adGroups|ads|targets)/export",
      "adsApi/v1/(?:create|query|update|delete)/(?:campaigns|adGroups|ads|targets|adExtensions)",
    ].join("|")
  })(?:/|$)`,
);
const NAMES_ACCOUNT = /account|advertiserid|entityid|instanceid|manager/i;
const ADVERTISER_ACCOUNT = /-ads-accountid$/i;

/**
 * Throws unless a request only concerns the profile that sends it, or its account.
 *
 * @param profile The sender; `undefined` for a request of the login.
 * @throws {ConfigurationError} when it reaches beyond.
 */
export async function checkReach(request: ReachedRequest, profile: ProfileScope | undefined): Promise<void> {
  const { method, path, json, headers = {}, scope, signal } = request;
  const named = accountsNamed(headers, json);
  const isAbout = scope !== undefined && ABOUT_PROFILE.test(path) && ABOUT_PROFILE.test(plainPath(path));
  if (profile === undefined || named === undefined || (named.length === 0 && !isAbout)) {
    throw beyond(method, path);
  }
  const countries = new Set<string>(named.length === 0 ? [profile.countryCode] : []);
  for (const id of named) {
    const account = await accountById(profile, id, signal);
    if (account === undefined || !isWithinLimit(account, profile)) throw beyond(method, path);
    for (const country of account.profiles.values()) if (country) countries.add(normalizeCountry(country));
  }
  const other = marketplacesIn(json).find((country) => !countries.has(country));
  if (other === undefined) return;
  throw new ConfigurationError(
    `Cannot send ${method} ${path}: it names the marketplace ${other}, beyond the profiles that this client is limited to`,
  );
}

function beyond(method: string, path: string): ConfigurationError {
  return new ConfigurationError(
    `Cannot send ${method} ${path}: it reaches beyond the profiles that this client is limited to. ` +
      "Use what is about one of these profiles",
  );
}

function accountsNamed(
  headers: Readonly<Record<string, string>>,
  json: unknown,
): readonly string[] | undefined {
  const named: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (!NAMES_ACCOUNT.test(name)) continue;
    if (!ADVERTISER_ACCOUNT.test(name.trim()) || /manager/i.test(name)) return undefined;
    named.push(value);
  }
  const { accessRequestedAccounts: asked } = fieldsOf(json);
  if (asked === undefined) return named;
  for (const one of Array.isArray(asked) ? asked : [undefined]) {
    const { advertiserAccountId: id, ...others } = fieldsOf(one);
    if (typeof id !== "string" || Object.keys(others).length > 0) return undefined;
    named.push(id);
  }
  return named;
}

function marketplacesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    /^marketplaces?$/.test(name)
      ? [part].flat().map((one) => typeof one === "string" ? normalizeCountry(one) : JSON.stringify(one))
      : marketplacesIn(part)
  );
}
