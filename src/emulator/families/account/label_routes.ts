import { isObject, type Json, type JsonObject, writeJson } from "../../core/json.ts";
import { includedTexts } from "../../entities/filter.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { inUnifiedWords, refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { Route } from "../../routing/route.ts";
import { accountIdOf, profilesAt } from "../reporting1/advertiser_accounts.ts";
import { pageOf, readPageSize } from "../unified/query.ts";

interface LabelQuery {
  readonly operation: string;
  readonly field: string;
  readonly page: number;
  readonly filters: Readonly<Record<string, number>>;
  readonly rows: (label: JsonObject) => JsonObject[];
}

const OBJECT_TYPES = ["AD_GROUP", "CAMPAIGN", "DEAL", "INVENTORY_GROUP"];
const COMMON = { adProductFilter: 1, labelObjectTypeFilter: 1, labelIdFilter: 50 };
const PAGE = 100;

const QUERIES: readonly LabelQuery[] = [
  {
    operation: "v1-all-labels:QueryLabel",
    field: "labels",
    page: 1000,
    filters: { ...COMMON, labelNameFilter: 10 },
    rows: ({ labelId, labelName }) => [{ labelId, labelName }],
  },
  {
    operation: "v1-all-label-object-associations:QueryLabelObjectAssociation",
    field: "labelObjectAssociations",
    page: 5000,
    filters: { ...COMMON, labelObjectIdFilter: 50 },
    rows: ({ labelId, labelObjectType, labelObjectIds }) =>
      (labelObjectIds as string[]).map((labelObjectId) => ({
        labelObjectAssociationId: `${labelId}.${labelObjectId}`,
        labelId,
        labelObjectId,
        labelObjectType,
      })),
  },
];

/** Read-only, because labels can only be set in the platform's console. */
export const LABEL_ROUTES: readonly Route[] = QUERIES.map((query) => ({
  operation: query.operation,
  method: "POST",
  path: `/adsApi/v1/query/${query.field}`,
  requestTypes: ["application/json"],
  responseTypes: ["application/json"],
  scoped: false,
  errors: "unified",
  handle: (context) => inUnifiedWords(() => respond(query, context)),
}));

function respond({ field, filters, page: most, rows }: LabelQuery, context: Context): HttpResponse {
  const { body = {} } = context;
  if (!isObject(body)) throw refusal(400, "Request body must be an object");
  const { nextToken, maxResults = PAGE, ...asked } = body;
  const wanted = Object.entries(asked).map(([name, value]) =>
    [name, valuesOf(filters, name, value)] as const
  );
  const type = wanted.find(([name]) => name === "labelObjectTypeFilter")?.[1][0];
  if (type === undefined || !OBJECT_TYPES.includes(type)) {
    throw refusal(400, `labelObjectTypeFilter must include one of ${OBJECT_TYPES.join(", ")}`);
  }
  const size = readPageSize(maxResults, most);
  const [accountId, labels] = labelsOf(context);
  const found = labels.flatMap((label) =>
    rows(label).filter((row) =>
      wanted.every(([name, values]) => {
        const value = { ...label, ...row }[name.replace(/Filter$/, "")];
        // Labels of the console name no ad product here.
        return value === undefined || values.includes(String(value));
      })
    )
  );
  const identity = `${accountId} ${field} ${writeJson(asked)}`;
  const { items, more } = pageOf(found, { size, nextToken, identity }, context);
  return jsonResponse(200, { [field]: items, ...more });
}

function valuesOf(filters: LabelQuery["filters"], name: string, value: Json | undefined): readonly string[] {
  const most = Object.hasOwn(filters, name) ? filters[name] : undefined;
  if (most === undefined) {
    throw refusal(400, `The noted field is not allowed with this API endpoint : ${name}`);
  }
  return includedTexts(value, name, most);
}

function labelsOf(context: Context): [accountId: string, labels: readonly JsonObject[]] {
  const { accountId } = context;
  if (accountId === undefined) throw refusal(400, "The header with the account's id is missing");
  const profiles = profilesAt(context).filter((profile) => accountIdOf(profile) === accountId);
  if (profiles.length === 0) throw refusal(403, `Account ${accountId} was not found`);
  return [accountId, profiles.flatMap((profile) => [...profile.collection("labels").all()])];
}
