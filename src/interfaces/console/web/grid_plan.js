// @ts-check
import { placeOf } from "./grid_draft.js";

/**
 * @typedef {import("./grid_draft.js").Edit} Edit
 * @typedef {"kept" | "changed" | "rejected"} Decision
 */

/** @type {[Decision, string][]} */
export const DECISIONS = [["kept", "kept"], ["changed", "changed"], ["rejected", "rejected"]];

/**
 * The decision about each row, from the edits that are left of what the plan proposes.
 *
 * @param {any[]} rows
 * @param {readonly Edit[]} proposed
 * @param {ReadonlyMap<string, Edit>} edits by their place
 * @returns {Map<string, Decision>} by the key of the row
 */
export function decisionsOf(rows, proposed, edits) {
  const wanted = Map.groupBy(proposed, ({ kind, id }) => `${kind} ${id}`);
  const own = Map.groupBy(edits.values(), ({ kind, id }) => `${kind} ${id}`);
  return new Map(rows.map(({ key }) => {
    const proposals = wanted.get(key) ?? [];
    const left = proposals.filter((edit) => edits.has(placeOf(edit)));
    if (left.length === 0) return [key, "rejected"];
    const isSame = left.length === proposals.length && (own.get(key) ?? []).length === left.length &&
      left.every((edit) => edits.get(placeOf(edit))?.value === edit.value);
    return [key, isSame ? "kept" : "changed"];
  }));
}

/**
 * The edits that keep rows again, as the plan proposes them; values that were changed meanwhile stay.
 *
 * @param {any[]} rows
 * @param {readonly Edit[]} proposed
 * @param {ReadonlyMap<string, Edit>} edits
 */
export function keptAgain(rows, proposed, edits) {
  const keys = new Set(rows.map(({ key }) => key));
  return proposed.filter((edit) => keys.has(`${edit.kind} ${edit.id}`) && !edits.has(placeOf(edit)));
}

/**
 * All edits of rows, whose removal rejects them.
 *
 * @param {any[]} rows
 * @param {ReadonlyMap<string, Edit>} edits
 */
export function editsOf(rows, edits) {
  const keys = new Set(rows.map(({ key }) => key));
  return [...edits.values()].filter(({ kind, id }) => keys.has(`${kind} ${id}`));
}
