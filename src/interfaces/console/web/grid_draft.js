// @ts-check
/// <reference lib="dom" />
import { api, ApiError } from "./api.js";
import { lastDraft } from "./live.js";
import { pageEffect, signal, untracked } from "./ui.js";

const MAX_SENT = 5000;

/**
 * @typedef {{ kind: string, id: string, field: string, value: string | number | null, seen: string | number | null, label: string }} Edit
 * @typedef {{ place: string, before: Edit | undefined, after: Edit | undefined }} Step
 */

/** @param {{ kind: string, id: string, field: string }} edit */
export function placeOf({ kind, id, field }) {
  return `${kind} ${id} ${field}`;
}

/**
 * The draft of a profile, or of a plan that is revised.
 *
 * @param {"profiles" | "plans"} of
 * @param {string} id
 */
export function gridDraft(of, id) {
  const path = `/api/${of}/${id}/draft`;
  const file = signal("");
  const edits = signal(/** @type {ReadonlyMap<string, Edit>} */ (new Map()));
  const planId = signal(/** @type {string | null} */ (null));
  const told = signal("");
  /** Plan that the message in `told` refers to. */
  const toldPlan = signal("");
  const problem = signal(/** @type {unknown} */ (undefined));
  const steps = signal({ done: /** @type {Step[][]} */ ([]), undone: /** @type {Step[][]} */ ([]) });
  let revision = 0;
  let isReviewing = false;
  /** The plan that this page made last; the console tells of it too. */
  let ownPlan = "";
  /** @type {Promise<unknown>} */
  let queue = Promise.resolve();

  const take = (/** @type {any} */ draft) => {
    revision = draft.revision;
    planId.value = draft.plan_id;
  };
  const load = async () => {
    const draft = await api(path);
    take(draft);
    file.value = draft.file;
    edits.value = new Map(draft.edits.map((/** @type {Edit} */ edit) => [placeOf(edit), edit]));
  };
  const reload = async (/** @type {string} */ why) => {
    told.value = why;
    toldPlan.value = "";
    steps.value = { done: [], undone: [] };
    await load();
  };
  /** Sends what a step changed, after what was changed before. @param {Step[]} step */
  const send = (step) => {
    queue = queue.then(async () => {
      for (let from = 0; from < step.length; from += MAX_SENT) {
        const part = step.slice(from, from + MAX_SENT);
        take(await api(path, { body: {
          revision,
          set: part.flatMap(({ after }) => after ?? []),
          discard: part.flatMap(({ before, after }) => after === undefined && before !== undefined ? [before] : []),
        } }));
      }
    }).catch(async (error) => {
      if (error instanceof ApiError && error.code === "DRAFT_CHANGED") await reload("These edits were changed in another tab. Your last edit was not saved. This page now shows the current edits.");
      else {
        problem.value = error;
        await load().catch(() => {});
      }
    });
    return queue;
  };
  /** @param {Step[]} step @param {boolean} [back] */
  const show = (step, back = false) => {
    const next = new Map(edits.value);
    for (const { place, before, after } of step) {
      const edit = back ? before : after;
      if (edit === undefined) next.delete(place);
      else next.set(place, edit);
    }
    edits.value = next;
    planId.value = null;
    told.value = "";
    problem.value = undefined;
  };
  /** @param {Step[]} step */
  const turned = (step) => step.map(({ place, before, after }) => ({ place, before: after, after: before }));

  pageEffect(() => {
    const { draft: changed, revision: now, plan_id: made, is_whole: isWhole } = lastDraft.value;
    if (changed !== id) return;
    const look = async () => {
      await queue;
      if (isReviewing || made === ownPlan) return;
      if (made !== undefined) {
        await reload(isWhole ? "A plan was made of these edits in another tab." : "Another tab made a plan of the earlier edits. Your latest edits are not in a plan yet.");
        toldPlan.value = made;
      } else if (now > revision) await reload("These edits were changed in another tab. This page now shows the current edits.");
    };
    untracked(() => void look().catch(() => {}));
  });

  return {
    edits,
    file,
    planId,
    told,
    toldPlan,
    problem,
    steps,
    load,
    kept: async () => {
      await queue;
      return revision;
    },
    /**
     * Makes edits; one with the value of the account is no edit.
     *
     * @param {Edit[]} wanted
     * @param {{ fresh?: boolean }} [options] `fresh`: take the value of the account that they were made on anew
     */
    change: (wanted, { fresh = false } = {}) => {
      const step = wanted.flatMap((one) => {
        const place = placeOf(one);
        const before = edits.value.get(place);
        const edit = { ...one, seen: fresh ? one.seen : before?.seen ?? one.seen };
        const after = edit.value === edit.seen ? undefined : edit;
        return before?.value === after?.value && before?.seen === after?.seen ? [] : [{ place, before, after }];
      });
      if (step.length === 0) return;
      show(step);
      steps.value = { done: [...steps.value.done, step], undone: [] };
      void send(step);
    },
    /** @param {Edit[]} unwanted @param {{ silent?: boolean }} [options] `silent`: not to be undone */
    discard: (unwanted, { silent = false } = {}) => {
      const step = unwanted.map((before) => ({ place: placeOf(before), before, after: undefined }));
      if (step.length === 0) return;
      show(step);
      if (!silent) steps.value = { done: [...steps.value.done, step], undone: [] };
      void send(step);
    },
    undo: () => {
      const step = steps.value.done.at(-1);
      if (step === undefined) return;
      show(step, true);
      steps.value = { done: steps.value.done.slice(0, -1), undone: [...steps.value.undone, step] };
      void send(turned(step));
    },
    redo: () => {
      const step = steps.value.undone.at(-1);
      if (step === undefined) return;
      show(step);
      steps.value = { done: [...steps.value.done, step], undone: steps.value.undone.slice(0, -1) };
      void send(step);
    },
    check: async () => {
      await queue;
      return await api(`${path}/check`, { body: {} });
    },
    /** @param {string} note */
    review: async (note) => {
      await queue;
      isReviewing = true;
      try {
        const found = await api(`${path}/review`, { body: { revision, note } });
        ownPlan = found.plan_id;
        revision = found.revision;
        planId.value = found.edited_since ? null : found.plan_id;
        // The plan is made, even if the edits cannot be read now.
        if (found.edited_since) await reload("A plan was made before another tab's latest edits. Those are not in a plan yet.").catch(() => {});
        return found;
      } catch (error) {
        if (error instanceof ApiError && error.code === "DRAFT_CHANGED") await reload("These edits were changed in another tab. This page now shows the current edits.").catch(() => {});
        throw error;
      } finally {
        isReviewing = false;
      }
    },
  };
}
