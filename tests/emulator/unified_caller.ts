import assert from "node:assert/strict";
import type { JsonObject } from "../../src/emulator/mod.ts";
import type { Answered, Caller, CallOptions } from "./caller.ts";

const TYPE = "application/json";
/** Ad product of Sponsored Products. */
export const PRODUCTS = "SPONSORED_PRODUCTS";
/** Ad product of Sponsored Brands. */
export const BRANDS = "SPONSORED_BRANDS";
/** A daily budget. */
export const MONEY = (value: number) => [{
  budgetType: "MONETARY",
  recurrenceTimePeriod: "DAILY",
  budgetValue: { monetaryBudgetValue: { monetaryBudget: { value } } },
}];
/** A campaign that can be created. */
export const CAMPAIGN = {
  adProduct: PRODUCTS,
  name: "Unified one",
  state: "ENABLED",
  budgets: MONEY(25),
  autoCreationSettings: { autoCreateTargets: false },
  marketplaceScope: "SINGLE_MARKETPLACE",
  startDateTime: "2026-10-01T07:00:00.000Z",
};
/** A Sponsored Brands campaign that can be created. */
export const BRAND_CAMPAIGN = {
  adProduct: BRANDS,
  name: "Unified brand",
  state: "PAUSED",
  budgets: MONEY(40),
  costType: "CPC",
  marketplaceScope: "SINGLE_MARKETPLACE",
  startDateTime: "2026-10-01T07:00:00.000Z",
};

/** Sends a unified request. */
export function ask(
  caller: Caller,
  verb: string,
  entity: string,
  body: unknown,
  options: CallOptions = {},
): Promise<Answered> {
  return caller.call("POST", `/adsApi/v1/${verb}/${entity}`, body, { type: TYPE, ...options });
}

/** Creates one entity and returns it. */
export async function create(caller: Caller, entity: string, item: unknown): Promise<JsonObject> {
  const { status, json } = await ask(caller, "create", entity, { [entity]: [item] });
  assert.equal(status, 207);
  assert.deepEqual(json.error, [], JSON.stringify(json.error));
  return json.success[0][entity.slice(0, -1)];
}

/** Every entity that a query finds, page after page. */
export async function query(
  caller: Caller,
  entity: string,
  filters: unknown = {},
  adProduct = PRODUCTS,
): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  let nextToken: string | undefined;
  do {
    const body = { adProductFilter: { include: [adProduct] }, ...filters as object, nextToken };
    const { status, json, text } = await ask(caller, "query", entity, body);
    assert.equal(status, 200, text);
    found.push(...json[entity]);
    nextToken = json.nextToken;
  } while (nextToken !== undefined);
  return found;
}

/** The one error of an item that is refused. */
export async function refusalOf(
  caller: Caller,
  verb: string,
  entity: string,
  item: unknown,
): Promise<JsonObject> {
  const { status, json } = await ask(caller, verb, entity, { [entity]: [item] });
  assert.equal(status, 207);
  assert.deepEqual(json.success, []);
  assert.equal(json.error[0].index, 0);
  return json.error[0].errors[0];
}
