import { type Answer, jsonAnswer } from "../answer.ts";
import type { Context } from "../context.ts";
import type { JsonObject } from "../json.ts";
import { readObject, readTexts, steady } from "./read.ts";

const MOST_IDS = 100;
const QUARTER = 15 * 60_000;

/** Something with a budget whose use can be asked for. */
export interface Budgeted {
  /** Its collection. */
  readonly collection: string;
  /** Its id field. */
  readonly idField: string;
  /** The body's list of ids. */
  readonly listField: string;
  /** Its budget; `undefined` when it has none. */
  readonly budgetOf: (entity: JsonObject) => number | undefined;
}

/** Answers how much of today's budget is used, item by item. The use grows with the profile's day. */
export function answerBudgetUsage(kind: Budgeted, context: Context): Answer {
  const body = readObject(context.body, [kind.listField]);
  const ids = readTexts(body[kind.listField], kind.listField, MOST_IDS);
  const success: JsonObject[] = [];
  const error: JsonObject[] = [];
  for (const [index, id] of ids.entries()) {
    const entity = context.profile.collection(kind.collection).get(id);
    const budget = entity === undefined ? undefined : kind.budgetOf(entity);
    const place = { [kind.idField]: id, index };
    if (entity === undefined) error.push({ ...place, code: "NOT_FOUND", details: `${id} was not found` });
    else if (budget === undefined) {
      error.push({ ...place, code: "INVALID_ARGUMENT", details: `${id} has no budget` });
    } else success.push({ ...place, budget, ...usageOf(entity, id, context) });
  }
  return jsonAnswer(207, { success, error }, { type: context.answerType });
}

function usageOf(entity: JsonObject, id: string, { clock, profile }: Context): JsonObject {
  const { timezone } = profile.record;
  const appetite = entity.state === "ENABLED" ? steady(`${id} ${clock.day(timezone)}`, 30, 140) : 0;
  const percent = Math.min(100, appetite * dayShare(clock.now(), timezone));
  return {
    budgetUsagePercent: Number(percent.toFixed(2)),
    usageUpdatedTimestamp: new Date(Math.floor(clock.now() / QUARTER) * QUARTER).toISOString(),
  };
}

/** How much of the day is over in a time zone, from 0 to 1. */
function dayShare(now: number, timeZone: string): number {
  const format = { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const [hours, minutes] = new Intl.DateTimeFormat("en-GB", format).format(now).split(":");
  return (Number(hours) * 60 + Number(minutes)) / (24 * 60);
}
