import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import type { Context } from "../../routing/context.ts";
import type { JsonObject } from "../../core/json.ts";
import { type BudgetShare, usageMoment } from "./budget_shares.ts";
import { readObject, readTexts } from "../../routing/read_request.ts";

const MAX_IDS = 100;

/** Something with a budget whose use can be requested. */
export interface Budgeted {
  readonly collection: string;
  readonly idField: string;
  /** The body's list of ids. */
  readonly listField: string;
  /** Its budget; `undefined` when it has none. */
  readonly budgetOf: (entity: JsonObject) => number | undefined;
  /** Used shares, computed once for all requested entities. */
  readonly shares: (ids: readonly string[], context: Context) => BudgetShare;
}

/** Responds with how much of a budget is used, item by item, up to the last quarter of an hour. */
export function getBudgetUsage(kind: Budgeted, context: Context): HttpResponse {
  const body = readObject(context.body, [kind.listField]);
  const ids = readTexts(body[kind.listField], kind.listField, MAX_IDS);
  const collection = context.profile.collection(kind.collection);
  const share = kind.shares(ids, context);
  const success: JsonObject[] = [];
  const error: JsonObject[] = [];
  for (const [index, id] of ids.entries()) {
    const entity = collection.get(id);
    const budget = entity === undefined ? undefined : kind.budgetOf(entity);
    const place = { [kind.idField]: id, index };
    if (entity === undefined) error.push({ ...place, code: "NOT_FOUND", details: `${id} was not found` });
    else if (budget === undefined) {
      error.push({ ...place, code: "INVALID_ARGUMENT", details: `${id} has no budget` });
    } else {
      const percent = Math.min(100, 100 * share(entity));
      success.push({
        ...place,
        budget,
        budgetUsagePercent: Number(percent.toFixed(2)),
        usageUpdatedTimestamp: new Date(usageMoment(context)).toISOString(),
      });
    }
  }
  return jsonResponse(207, { success, error }, { type: context.responseType });
}
