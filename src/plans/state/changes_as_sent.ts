import { changeSubject } from "../model/change_subject.ts";
import { canonicalJson } from "../../base/json/canonical_json.ts";
import { sha256 } from "../../base/text/sha256.ts";
import { PlanStateError } from "../model/plan_errors.ts";
import type { PlacedChange } from "../model/change_result.ts";
import type { Change, EntityFields } from "../model/change.ts";
import type { PlanTarget } from "../model/plan_target.ts";
import type { AccountReading } from "./account_reading.ts";
import { plannedCall } from "../model/planned_call.ts";
import { known } from "../model/prior_state.ts";

const MAX_SHOWN = 10;

interface SentChange extends PlacedChange {
  /** True if nothing is filled in from the account when it is sent. */
  readonly isWhole: boolean;
}

export function wholeBodies(changes: readonly SentChange[]): Map<number, Change> {
  return new Map(changes.filter(({ isWhole }) => isWhole).map(({ at, change }) => [at, change]));
}

/** The hash is the same in an approval and in the journal of the approved plan. */
export function requestsHash(changes: readonly PlacedChange[]): string {
  return sha256(canonicalJson(changes.map(({ change: { after } }) => after)));
}

/**
 * Encodes and decodes each change, so that judges see the actual request body. Calls are judged when they are sent.
 *
 * @param planId Empty for a plan that is being made.
 * @throws {PlanStateError} naming all changes that differ from their bodies.
 */
export async function changesAsSent(
  planId: string,
  placed: readonly PlacedChange[],
  { client, account, signal }: {
    client: Pick<PlanTarget, "resource" | "calls">;
    account: AccountReading;
    signal: AbortSignal | undefined;
  },
): Promise<SentChange[]> {
  const found = new Map<number, { change: Change; isWhole: boolean }>();
  const problems: string[] = [];
  const groups = Map.groupBy(placed, ({ change: { kind, op } }) => `${op} ${kind}`);
  for (const group of groups.values()) {
    const [{ change: { kind, op } } = group[0]!] = group;
    if (op === "call") {
      await client.calls?.check?.(group.flatMap(({ change }) => plannedCall(change) ?? []));
      continue;
    }
    const resource = client.resource(kind);
    if (op === "archive") {
      const ids = group.map(({ change: { id } }) => id === null ? {} : { [resource.idField]: id });
      const encoded = await resource.encode?.(op, ids, { getMany: () => Promise.resolve(new Map()), signal });
      group.forEach(({ change }, index) => {
        const differences = [...fieldsOfArchive(change), ...encoded?.[index]?.differences ?? []];
        problems.push(...differences.map((difference) => `${changeSubject(change)}: ${difference}`));
      });
      continue;
    }
    const getMany = async (ids: readonly string[]): Promise<Map<string, EntityFields>> => {
      for (const id of ids) account.want(kind, id);
      await account.read((one) => one === kind);
      return new Map(ids.flatMap((id) => {
        const entity = known(account.entity(kind, id));
        return entity === undefined ? [] : [[id, entity] as const];
      }));
    };
    const items = group.map(({ change: { id, after } }) =>
      op === "update" && id !== null ? { ...after, [resource.idField]: id } : after
    );
    const encoded = await resource.encode?.(op, items, { getMany, signal });
    group.forEach(({ at, change }, index) => {
      const one = encoded?.[index];
      if (one === undefined) return;
      problems.push(...one.differences.map((difference) => `${changeSubject(change)}: ${difference}`));
      const after = Object.fromEntries(
        Object.entries(one.fields).filter(([field]) => field !== resource.idField || field in change.after),
      );
      found.set(at, { change: { ...change, after }, isWhole: one.isWhole });
    });
  }
  if (problems.length > 0) {
    const more = problems.length > MAX_SHOWN ? `\n  and ${problems.length - MAX_SHOWN} more` : "";
    throw new PlanStateError(
      `Cannot use ${
        planId === "" ? "this plan" : `plan ${planId}`
      }: its contents differ from the requests it would send. Make a new plan:\n  ${
        problems.slice(0, MAX_SHOWN).join("\n  ")
      }${more}`,
      "edited",
    );
  }
  return placed.map(({ at, change }) => ({ at, ...found.get(at) ?? { change, isWhole: false } }));
}

function fieldsOfArchive(change: Change): string[] {
  return Object.keys(change.after).filter((field) => field !== "state")
    .map((field) => `${field} is not sent by an archive`);
}
