import { type HttpResponse, jsonResponse } from "../http/http_response.ts";
import type { Context } from "../routing/context.ts";
import type { FaultItemErrors } from "../faults/fault_rule.ts";
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import type { Random } from "../core/random.ts";
import { refusal } from "../http/refusal.ts";
import { type ItemError, itemError, toWireErrors } from "./item_error.ts";
import type { EntityResource, RuleContext } from "./entity_resource.ts";

export type Verdict = { readonly entity: JsonObject } | { readonly errors: readonly ItemError[] };

const FAULT_REASONS: Readonly<Record<string, string>> = {
  throttledError: "THROTTLED",
  internalServerError: "INTERNAL_ERROR",
};

export function readItems(resource: EntityResource, body: Json | undefined): Json[] {
  if (!isObject(body)) throw refusal(400, "Request body must be an object");
  const unknown = Object.keys(body).find((name) => name !== resource.collection);
  if (unknown !== undefined) {
    throw refusal(400, `The noted field is not allowed with this API endpoint : ${unknown}`);
  }
  const items = body[resource.collection];
  if (!Array.isArray(items) || items.length === 0) {
    throw refusal(400, `${resource.collection} must not be empty`);
  }
  if (items.length > resource.maxItems) {
    throw refusal(400, `${resource.collection} must have at most ${resource.maxItems} items`);
  }
  return items;
}

/** A fault rule may replace an item's result, before or after the item is applied. */
export function runItems<Item, Outcome>(
  items: readonly Item[],
  { faults }: Pick<Context, "faults">,
  { act, spoil }: { act: (item: Item) => Outcome; spoil: (fault: FaultItemErrors) => Outcome },
): Outcome[] {
  const fault = faults.itemErrors;
  return items.map((item, index) => {
    if (fault === undefined || !isFaulty(fault, index)) return act(item);
    if (fault.acted) act(item);
    return spoil(fault);
  });
}

export function runBatch<Item>(
  items: readonly Item[],
  act: (item: Item, rules: RuleContext) => Verdict,
  { resource, context }: { resource: EntityResource; context: Context },
): HttpResponse {
  const rules = ruleContext(context);
  const verdicts = runItems<Item, Verdict>(items, context, {
    act: (item) => act(item, rules),
    spoil: (fault) => ({ errors: [faultError(fault)] }),
  });
  const success: JsonObject[] = [];
  const error: JsonObject[] = [];
  const echo = (context.headers.prefer ?? "").includes("return=representation");
  for (const [index, verdict] of verdicts.entries()) {
    if ("errors" in verdict) {
      error.push(toWireErrors(verdict.errors, { collection: resource.collection, index }));
    } else {
      success.push(successOf(resource, verdict.entity, { index, echo }, context));
    }
  }
  const value = { [resource.collection]: { success: inResponseOrder(success, context), error } };
  return jsonResponse(207, value, { type: context.responseType });
}

function successOf(
  resource: EntityResource,
  entity: JsonObject,
  { index, echo }: { index: number; echo: boolean },
  context: Context,
): JsonObject {
  const { idField } = context.profile.collection(resource.kind);
  return {
    index,
    [resource.resultIdField]: entity[idField]!,
    ...(echo ? { [resource.echoField]: entity } : {}),
  };
}

export function ruleContext(
  { profile, clock, state }: Pick<Context, "profile" | "clock" | "state">,
): RuleContext {
  return { profile, clock, state, today: clock.day(profile.record.timezone) };
}

export function isFaulty(fault: FaultItemErrors | undefined, index: number): boolean {
  if (fault === undefined) return false;
  return (fault.at?.includes(index) ?? false) ||
    (fault.every !== undefined && (index + 1) % fault.every === 0);
}

function faultError(fault: FaultItemErrors): ItemError {
  const reason = FAULT_REASONS[fault.errorType] ?? "OTHER_ERROR";
  return itemError([fault.errorType, reason], "", "The item was not processed, please try again");
}

export function inResponseOrder(success: JsonObject[], { quirks, faults, random }: Context): JsonObject[] {
  if (!quirks.shuffleSuccess && !faults.shuffleSuccess) return success;
  return differently(success, random);
}

function differently(items: JsonObject[], random: Random): JsonObject[] {
  const shuffled = random.shuffled(items);
  return shuffled.every((item, index) => item === items[index]) ? shuffled.reverse() : shuffled;
}
