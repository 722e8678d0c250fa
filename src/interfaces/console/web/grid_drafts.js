// @ts-check
/// <reference lib="dom" />
/**
 * Combines the drafts of one or several profiles. Each edit goes into its profile's draft, and each draft becomes a
 * separate plan.
 */
import { gridDraft, placeOf } from "./grid_draft.js";
import { computed, signal } from "./ui.js";

/**
 * @typedef {import("./grid_draft.js").Edit} Edit
 * @typedef {ReturnType<typeof gridDraft>} Draft
 * @typedef {{ id: string, plan?: string, error?: unknown }} Made the plan of a profile, or why there is none
 */

/**
 * @param {"profiles" | "plans"} of
 * @param {readonly string[]} ids of the profiles, or of the plan
 * @param {{ profileOf: (edit: Edit) => string | undefined, nameOf: (id: string) => string }} rows `profileOf`: profile of the
 *   row that an edit is about
 */
export function gridDrafts(of, ids, { profileOf, nameOf }) {
  const drafts = new Map(ids.map((id) => [id, gridDraft(of, id)]));
  const all = [...drafts.values()];
  const [only] = all.length === 1 ? all : [];
  /** Drafts changed by each step, in the order of the steps. */
  const order = signal({ done: /** @type {Draft[][]} */ ([]), undone: /** @type {Draft[][]} */ ([]) });
  const edits = /** @type {{ readonly value: ReadonlyMap<string, Edit> }} */ (computed(() => only?.edits.value ?? new Map(all.flatMap((one) => [...one.edits.value]))));
  /** @param {Edit} edit */
  const ownerOf = (edit) => only ?? all.find((one) => one.edits.value.has(placeOf(edit))) ?? drafts.get(profileOf(edit) ?? "");
  /** @param {Edit[]} some @param {(draft: Draft, own: Edit[]) => void} act */
  const each = (some, act) => {
    const touched = [...Map.groupBy(some, ownerOf)].flatMap(([draft, own]) => {
      if (draft === undefined) return [];
      const before = draft.steps.value;
      act(draft, own);
      return draft.steps.value === before ? [] : [draft];
    });
    if (touched.length > 0) order.value = { done: [...order.value.done, touched], undone: [] };
  };
  /** @param {"done" | "undone"} from @param {"done" | "undone"} to @param {"undo" | "redo"} act */
  const turn = (from, to, act) => {
    const left = [...order.value[from]];
    for (let group = left.pop(); group !== undefined; group = left.pop()) {
      // Steps of a draft that another tab changed are forgotten.
      const some = group.filter((/** @type {Draft} */ one) => one.steps.value[from].length > 0);
      if (some.length === 0) continue;
      for (const one of some) one[act]();
      order.value = /** @type {typeof order.value} */ (/** @type {unknown} */ ({ [from]: left, [to]: [...order.value[to], some] }));
      return;
    }
  };
  const edited = () => [...drafts].filter(([, one]) => one.edits.value.size > 0);
  /** @template Value @param {(draft: Draft) => Value} value @returns {{ readonly value: Value | undefined }} that of the first draft with one */
  const first = (value) => computed(() => all.map(value).find(Boolean));
  return {
    edits,
    /** Paths of the draft files that contain edits, on the console's disk. */
    files: () => edited().map(([, one]) => one.file.value),
    /** Plans made of exactly these edits. */
    plans: () => edited().flatMap(([id, one]) => one.planId.value === null ? [] : [{ name: only === undefined ? nameOf(id) : "", plan: one.planId.value }]),
    /** Profiles whose edits are not in a plan. */
    pending: () => edited().flatMap(([id, one]) => one.planId.value === null ? [id] : []),
    told: first((one) => one.told.value),
    toldPlan: first((one) => one.toldPlan.value),
    problem: first((one) => one.problem.value),
    steps: computed(() => ({ done: all.flatMap((one) => one.steps.value.done), undone: all.flatMap((one) => one.steps.value.undone) })),
    load: async () => void await Promise.all(all.map((one) => one.load())),
    /** Makes edits, as the draft of their profile does. @param {Edit[]} wanted @param {{ fresh?: boolean }} [options] */
    change: (wanted, options) => each(wanted, (draft, own) => draft.change(own, options)),
    /** @param {Edit[]} unwanted @param {{ silent?: boolean }} [options] */
    discard: (unwanted, options) => each(unwanted, (draft, own) => draft.discard(own, options)),
    undo: () => turn("done", "undone", "undo"),
    redo: () => turn("undone", "done", "redo"),
    check: async () => {
      const found = await Promise.all(edited().map(async ([id, one]) => ({ id, ...await one.check() })));
      const list = (/** @type {string} */ name) => found.flatMap((one) => one[name]);
      const spend = found.flatMap((one) => one.spend === null ? [] : only === undefined ? `${nameOf(one.id)}: ${one.spend}` : one.spend);
      return {
        findings: list("findings"), plan_findings: list("plan_findings"), conflicts: list("conflicts"), done: list("done"), missing: list("missing"),
        spend: spend.length === 0 ? null : spend.join("; "),
      };
    },
    /**
     * Makes a plan of the edits of each profile; that one of them fails stops no other.
     *
     * @param {string} note
     * @returns {Promise<Made[]>}
     */
    review: async (note) => {
      /** @type {Made[]} */
      const made = [];
      for (const [id, one] of edited()) {
        if (one.planId.value !== null) continue;
        made.push(await one.review(note).then(({ plan_id: plan }) => ({ id, plan }), (error) => ({ id, error })));
      }
      return made;
    },
  };
}
