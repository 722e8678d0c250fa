import { canonicalJson } from "../../base/json/canonical_json.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import type { JournalReading } from "../apply/journal_reading.ts";
import type { ChangePlan } from "../change_plan/change_plan.ts";
import type { Change } from "../model/change.ts";
import { plannedCall, undoingCall } from "../model/planned_call.ts";
import { PlanPlaces } from "./plan_places.ts";
import type { StoredPlan } from "./plan_status.ts";
import { readRecord } from "./read_record.ts";
import { isPutBack, mayBeDone } from "./undo_chain.ts";

export type ReadablePlan = Extract<StoredPlan, { readonly status: unknown }>;

/** The last of what plans that undo one another did to a part of a plan. */
export interface LastWord {
  /** False once the part was put back; `undefined` if that is uncertain. */
  readonly isIn: boolean | undefined;
  /** Time, ISO 8601. */
  readonly at: string;
  /** Id of the plan that did it. */
  readonly by: string;
}

/** Plans that undo one another, under any id: undos, undos of undos, and parts and copies of either. */
export class UndoFamilies {
  readonly #plans: ReadonlyMap<string, ReadablePlan>;
  readonly #undoing: ReadonlyMap<string, readonly ReadablePlan[]>;
  readonly #words = new Map<string, Promise<ReadonlyMap<string, LastWord>>>();
  readonly #orBegun: boolean;

  /** @param options.orBegun True to count also what plans did, or may do, that are being sent. @default false */
  constructor(plans: readonly ReadablePlan[], { orBegun = false }: { orBegun?: boolean } = {}) {
    this.#orBegun = orBegun;
    const reversing = plans.filter(({ plan }) => plan.reverses !== null);
    this.#plans = new Map(reversing.map((one) => [keyOf(one.plan.profileId, one.id), one]));
    this.#undoing = Map.groupBy(reversing, ({ plan }) => keyOf(plan.profileId, plan.reverses));
  }

  undoing(profileId: string, id: string): readonly ReadablePlan[] {
    return this.#undoing.get(keyOf(profileId, id)) ?? [];
  }

  /**
   * Returns what was last done to the parts of a plan, by {@linkcode partsOf}; nothing for a part that no other plan
   * changed. All plans of a family that put the same part back, or that bring it in again, count alike: the account
   * holds what the last of them wrote.
   */
  async lastWords(profileId: string, id: string): Promise<ReadonlyMap<string, LastWord>> {
    const above = [id];
    for (let up = this.#above(profileId, id); up && !above.includes(up); up = this.#above(profileId, up)) {
      above.push(up);
    }
    const first = above.at(-1)!;
    const key = keyOf(profileId, first);
    const words = this.#words.get(key) ?? this.#wordsOn(profileId, [first]);
    this.#words.set(key, words);
    const isUndo = above.length % 2 === 0;
    return isUndo ? new Map([...await words].map(([part, word]) => [part, turned(word)])) : await words;
  }

  #above(profileId: string, id: string): string | null | undefined {
    return this.#plans.get(keyOf(profileId, id))?.plan.reverses;
  }

  async #wordsOn(profileId: string, within: readonly string[]): Promise<ReadonlyMap<string, LastWord>> {
    const words = new Map<string, LastWord>();
    for (const undo of this.undoing(profileId, within.at(-1)!)) {
      const { state } = undo.status;
      const isBegun = state === "unfinished" || state === "queued";
      if (within.includes(undo.id) || state !== "applied" && !(this.#orBegun && isBegun)) continue;
      const did = await didBy(undo, this.#orBegun);
      if (did.size === 0) continue;
      const later = await this.#wordsOn(profileId, [...within, undo.id]);
      for (const [part, own] of did) {
        const word = turned(later.get(part) ?? own);
        const known = words.get(part);
        // Of two at the same time, an undo that nobody undid counts.
        const isLater = known === undefined || word.at > known.at ||
          word.at === known.at && word.isIn === false;
        if (isLater) words.set(part, word);
      }
    }
    return words;
  }
}

/** Names each field of an entity, because another plan may put back only some of them, and each call. */
export function partsOf(change: Change): string[] {
  const { kind, op, id, before, after } = change;
  const call = plannedCall(change);
  if (call !== undefined) {
    // What undoes a call is named as the call itself.
    const other = undoingCall(change) ?? { ...call, body: before["body"] };
    return [JSON.stringify([op, ...[call, other].map(canonicalJson).sort()])];
  }
  return Object.keys(after).map((field) => JSON.stringify([kind, op, id ?? after, field]));
}

function turned(word: LastWord): LastWord {
  return { ...word, isIn: word.isIn === undefined ? undefined : !word.isIn };
}

async function didBy(one: ReadablePlan, orBegun: boolean): Promise<Map<string, LastWord>> {
  const { id, plan, status } = one;
  const at = "at" in status ? status.at : "";
  const outcomes = await outcomesOf(one, orBegun);
  return new Map(
    plan.changes.flatMap((change, index) => {
      const outcome = outcomes === undefined ? "unknown" : outcomes[index];
      if (!mayBeDone(outcome)) return [];
      const word: LastWord = { isIn: isPutBack(outcome) ? true : undefined, at, by: id };
      return partsOf(change).map((part) => [part, word]);
    }),
  );
}

/** Returns `undefined` for a damaged record. */
async function outcomesOf(
  { id, path, plan, status }: ReadablePlan,
  orBegun: boolean,
): Promise<unknown[] | undefined> {
  const places = new PlanPlaces(PlanPlaces.folderOf(path));
  const isApplied = status.state === "applied";
  const read = isApplied && !orBegun ? undefined : await journalOf(places.journal(id), plan);
  // What is not sent yet may be sent at any moment.
  const isBeingSent = !isApplied || read?.resuming === true;
  const sent = read?.statuses.map(({ state }) => isBeingSent && state === "not_sent" ? "unknown" : state);
  if (!isApplied) return sent;
  const verdicts: unknown = (await readRecord(places.result(id)))?.["changes"];
  if (!Array.isArray(verdicts)) return undefined;
  // A process that resumed the plan may have sent more than the result knows.
  return verdicts.map((verdict, at) => {
    const { outcome } = fieldsOf(verdict);
    return outcome === "not_sent" ? sent?.[at] ?? outcome : outcome;
  });
}

async function journalOf(place: string, plan: ChangePlan): Promise<JournalReading | undefined> {
  const { ApplyJournal } = await import("../apply/apply_journal.ts");
  return await new ApplyJournal(place, Date.now).read(plan).catch(() => undefined);
}

function keyOf(profileId: string, id: string | null): string {
  return `${profileId} ${id}`;
}
