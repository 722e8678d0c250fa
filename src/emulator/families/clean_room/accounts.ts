import { isObject, type JsonObject } from "../../core/json.ts";
import { hash } from "../../core/random.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { RouteRefusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { ProfileState } from "../../state/profile_state.ts";

function accountsAt({ host, state }: Pick<Context, "host" | "state">): ProfileState[] {
  return state.profiles(host === "SANDBOX" ? undefined : host)
    .filter(({ record }) => record.accountInfo.subType === undefined);
}

function instanceIdOf({ id }: ProfileState): string {
  const part = (salt: string): string =>
    (hash(`${salt} ${id}`) >>> 0).toString(36).padStart(7, "0").slice(-5);
  return `amc${part("room")}${part("instance")}`;
}

function accountOf(context: Context): ProfileState {
  const { id, marketplaceId } = context.advertiser;
  if (id === undefined) throw new RouteRefusal(400, "AdvertiserId header is missing");
  if (marketplaceId === undefined) throw new RouteRefusal(400, "MarketplaceId header is missing");
  const account = accountsAt(context).find(({ record: { accountInfo } }) =>
    accountInfo.id === id && accountInfo.marketplaceStringId === marketplaceId
  );
  if (account === undefined) {
    throw new RouteRefusal(403, `Not authorized for advertiser ${id} in marketplace ${marketplaceId}`);
  }
  return account;
}

export function roomOf(context: Context): ProfileState {
  const account = accountOf(context);
  if (context.params.instanceId !== instanceIdOf(account)) {
    throw new RouteRefusal(404, `Instance ${context.params.instanceId} was not found`);
  }
  return account;
}

export function listAccounts(context: Context): HttpResponse {
  const amcAccounts = accountsAt(context).map(({ record: { accountInfo } }) => ({
    accountId: accountInfo.id,
    accountName: accountInfo.name,
    marketplaceId: accountInfo.marketplaceStringId,
  }));
  return jsonResponse(200, { amcAccounts }, { type: context.responseType });
}

export function listInstances(context: Context): HttpResponse {
  return pageResponse(context, { name: "instances", all: [instanceOf(accountOf(context), context)] });
}

export function getInstance(context: Context): HttpResponse {
  const instance = instanceOf(roomOf(context), context);
  return jsonResponse(200, { instance }, { type: context.responseType });
}

function instanceOf(profile: ProfileState, { clock }: Context): JsonObject {
  const { accountInfo, countryCode } = profile.record;
  const instanceId = instanceIdOf(profile);
  return {
    instanceId,
    instanceName: `${accountInfo.name} ${countryCode}`,
    customerCanonicalName: accountInfo.name,
    advertiserTypes: ["SPONSORED_ADS"],
    entities: [accountInfo.id],
    creationStatus: "COMPLETED",
    creationDatetime: new Date(clock.now() - 400 * 86_400_000).toISOString().replace(/T.*/, "T09:00:00Z"),
    apiEndpoint: "",
    awsAccountId: "",
    dataUploadAwsAccountId: "",
    s3BucketName: `amc-${instanceId}`,
    s3BucketRegion: "us-east-1",
  };
}

const MAX_PAGE = 100;

export function pageResponse(
  { query, responseType }: Context,
  { name, all, count = 10 }: { name: string; all: readonly JsonObject[]; count?: number },
): HttpResponse {
  const limit = Number(query.get("limit") ?? count);
  const from = Number(query.get("nextToken") ?? 0);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE) {
    throw new RouteRefusal(400, `limit must be a whole number from 1 to ${MAX_PAGE}`);
  }
  if (!Number.isInteger(from) || from < 0) throw new RouteRefusal(400, "nextToken is not valid");
  const next = from + limit < all.length ? { nextToken: String(from + limit) } : {};
  return jsonResponse(200, { [name]: all.slice(from, from + limit), ...next }, { type: responseType });
}

export function bodyOf({ body }: Context): JsonObject {
  if (!isObject(body)) throw new RouteRefusal(400, "Request body must be an object");
  return body;
}
