import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { Route } from "../../routing/route.ts";
import { accountIdOf, profilesAt } from "../reporting1/advertiser_accounts.ts";

const TYPES = ["application/json"];
const OBJECT_TYPES = ["AD_GROUP", "CAMPAIGN", "DEAL", "INVENTORY_GROUP"];
const SHARED = {
  method: "POST",
  requestTypes: TYPES,
  responseTypes: TYPES,
  scoped: false,
  errors: "unified",
} as const;

/** Largest list of each filter that takes several values. */
const FILTERS: Readonly<Record<string, number>> = {
  labelIdFilter: 50,
  labelNameFilter: 10,
  labelObjectIdFilter: 50,
};

/** Labels of an account, and the campaigns and ad groups that they are on. They are kept in the console alone. */
export const LABEL_ROUTES: readonly Route[] = [
  {
    ...SHARED,
    operation: "v1-all-labels:QueryLabel",
    path: "/adsApi/v1/query/labels",
    handle: (context) =>
      page(context, { field: "labels", most: 1000 }, (label) => [{
        labelId: label.labelId,
        labelName: label.labelName,
      }]),
  },
  {
    ...SHARED,
    operation: "v1-all-label-object-associations:QueryLabelObjectAssociation",
    path: "/adsApi/v1/query/labelObjectAssociations",
    handle: (context) => {
      const wanted = included(asBody(context.body), "labelObjectIdFilter");
      return page(
        context,
        { field: "labelObjectAssociations", most: 5000 },
        (label) =>
          (label.labelObjectIds as string[]).filter((id) => wanted?.includes(id) ?? true).map((id) => ({
            labelObjectAssociationId: `${label.labelId}.${id}`,
            labelId: label.labelId,
            labelObjectId: id,
            labelObjectType: label.labelObjectType,
          })),
      );
    },
  },
];

/** A page of what the labels of the account give that a request asks for. */
function page(
  context: Context,
  { field, most }: { readonly field: string; readonly most: number },
  rows: (label: JsonObject) => JsonObject[],
): HttpResponse {
  const body = asBody(context.body);
  const [type, ...more] = included(body, "labelObjectTypeFilter") ?? [];
  if (!OBJECT_TYPES.includes(type!) || more.length > 0) {
    throw bad(`labelObjectTypeFilter must include one of ${OBJECT_TYPES.join(", ")}`);
  }
  for (const [name, max] of Object.entries(FILTERS)) {
    const values = included(body, name);
    if (values !== undefined && (values.length === 0 || values.length > max)) {
      throw bad(`${name} must include from 1 to ${max} values`);
    }
  }
  const max = Number(body.maxResults ?? 100);
  const from = Number(body.nextToken ?? 0);
  if (!Number.isInteger(max) || max < 1 || max > most || !Number.isInteger(from) || from < 0) {
    throw bad(`maxResults must be from 1 to ${most}, and nextToken one that was given`);
  }
  const [ids, names] = [included(body, "labelIdFilter"), included(body, "labelNameFilter")];
  const all = labelsOf(context)
    .filter(({ labelObjectType }) => labelObjectType === type)
    .filter(({ labelId }) => ids?.includes(String(labelId)) ?? true)
    .filter(({ labelName }) => names?.includes(String(labelName)) ?? true)
    .flatMap(rows);
  const next = from + max < all.length ? { nextToken: String(from + max) } : {};
  return jsonResponse(200, { [field]: all.slice(from, from + max), ...next });
}

/** The labels of the account that the header names. */
function labelsOf(context: Context): JsonObject[] {
  const [, accountId] = Object.entries(context.headers).find(([name]) => name.endsWith("-ads-accountid")) ??
    [];
  if (accountId === undefined) throw bad("The header with the account's id is missing");
  const profiles = profilesAt(context).filter((profile) => accountIdOf(profile) === accountId);
  if (profiles.length === 0) throw refusal(403, `Account ${accountId} was not found`, "unified");
  return profiles.flatMap((profile) => [...profile.collection("labels").all()]);
}

function asBody(body: Json | undefined): JsonObject {
  if (isObject(body ?? null)) return body as JsonObject;
  throw bad("Request body does not match the expected structure");
}

function included(body: JsonObject, name: string): string[] | undefined {
  const filter = body[name];
  if (filter === undefined) return undefined;
  if (isObject(filter) && Array.isArray(filter.include)) return filter.include.map(String);
  throw bad(`${name} must have a list "include"`);
}

function bad(text: string): Error {
  return refusal(400, text, "unified");
}
