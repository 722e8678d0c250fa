import { ConfigurationError } from "../../errors.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { dayIn } from "../../base/time/calendar.ts";
import { readDayRange } from "../../base/time/moment.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { timeZoneOf } from "../../base/markets/markets.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import type { QueryParameter } from "../../store/model/store_driver.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { figures } from "../../store/figures/figures.ts";
import { findKind, KINDS } from "../../client/entities/kinds/kinds.ts";
import type {
  ScriptChanges,
  ScriptFiguresOptions,
  ScriptListOptions,
  ScriptPlan,
  ScriptQuery,
} from "./script.ts";

interface AnswerOptions {
  readonly profile: ProfileClient;
  readonly store?: Pick<Warehouse, "query" | "coverage"> | undefined;
  readonly query?: ScriptQuery | undefined;
  readonly plans: PlanStore;
  readonly signal: AbortSignal;
  readonly onPlan: (plan: ScriptPlan) => void;
}

const MAX_ROWS = 100_000;

/**
 * Answers a request of a script. The script's process is untrusted, so no request can send changes to the platform.
 *
 * @throws {ConfigurationError} when the method is unknown or its values are invalid.
 */
export async function answerScript(
  { method, params }: { readonly method: string; readonly params: unknown },
  options: AnswerOptions,
): Promise<unknown> {
  const given = fieldsOf(params);
  switch (method) {
    case "list":
      return await list(given, options);
    case "figures":
      return await sums(given as unknown as ScriptFiguresOptions, options);
    case "query": {
      const { sql, params: values = [] } = given;
      const store = storeOf(options);
      const { signal, query = inProcess(store) } = options;
      const asked = { sql: String(sql), params: values as readonly QueryParameter[], maxRows: MAX_ROWS };
      return (await query({ ...asked, signal })).rows;
    }
    case "plan":
      return await plan(params as ScriptChanges | readonly ScriptChanges[], options);
    default:
      throw new ConfigurationError(`Cannot answer the script: there is no method "${method}"`);
  }
}

async function list(given: Record<string, unknown>, { profile, signal }: AnswerOptions): Promise<unknown[]> {
  const { kind } = given;
  const { states, campaignIds, adGroupIds, name } = fieldsOf(given["options"]) as ScriptListOptions;
  const resource = profile.resource(kindOf(kind));
  return await resource.list({
    ...(states === undefined ? {} : { states: states as never }),
    ...(campaignIds === undefined ? {} : { campaignIds }),
    ...(adGroupIds === undefined ? {} : { adGroupIds }),
    ...(name === undefined ? {} : { name }),
    signal,
  });
}

async function sums({ by, from, to }: ScriptFiguresOptions, options: AnswerOptions): Promise<unknown[]> {
  const { profile } = options;
  const today = dayIn(timeZoneOf(profile.profile), profile.transport.now());
  const { start, end } = readDayRange({ start: from, end: to }, today);
  const found = await figures(storeOf(options), {
    by: by ?? [],
    from: start,
    to: end,
    profileIds: [profile.profileId],
    today,
  });
  return [...found.rows];
}

async function plan(
  changes: ScriptChanges | readonly ScriptChanges[],
  { profile, plans, signal, onPlan }: AnswerOptions,
): Promise<ScriptPlan> {
  const groups = [changes].flat() as readonly ScriptChanges[];
  const draft = profile.plan();
  for (const group of groups) {
    const { kind, update = [], create = [], archive = [] } = fieldsOf(group) as unknown as ScriptChanges;
    if (![update, create, archive].every(Array.isArray)) {
      throw new ConfigurationError("Cannot plan: update, create and archive must be lists");
    }
    const name = kindOf(kind);
    for (const item of update) draft.update(name, item);
    for (const item of create) draft.create(name, item);
    for (const id of archive) draft.archive(name, String(id));
  }
  const notes = groups.flatMap(({ note }) => note === undefined ? [] : String(note));
  const made = await draft.build({ signal, note: notes.length === 0 ? null : notes.join("; ") });
  const isEmpty = made.changes.length === 0;
  if (!isEmpty) await plans.save(made);
  const told: ScriptPlan = {
    id: isEmpty ? null : made.id,
    changes: made.changes.length,
    missing: made.missing,
    warnings: made.warnings,
    findings: made.findings,
  };
  if (!isEmpty) onPlan(told);
  return told;
}

function kindOf(kind: unknown): string {
  return findKind(String(kind), KINDS).kind;
}

function inProcess(store: Pick<Warehouse, "query">): ScriptQuery {
  return ({ sql, params, maxRows }) => store.query(sql, params, { maxRows, asReader: true });
}

function storeOf({ store }: AnswerOptions): NonNullable<AnswerOptions["store"]> {
  if (store !== undefined) return store;
  throw new ConfigurationError(
    "Cannot read stored figures: there is no store. Make one with sync()",
  );
}
