// @ts-check
import { signal } from "./ui.js";

export const progress = signal(/** @type {Record<string, any>} */ ({}));

/** The last change of one plan, or of any plan (`*`). The number increases with every change. */
export const lastChange = signal({ id: "", number: 0 });

/** The last change of a draft, by the id of its profile or plan, and the plan if one was made of the draft. */
export const lastDraft = signal(/** @type {{ draft: string, revision: number, plan_id?: string, is_whole?: boolean }} */ ({ draft: "", revision: 0 }));

export const syncing = signal(/** @type {any} */ (undefined));

/** Rollouts that are being sent, by folder. */
export const rollouts = signal(/** @type {Record<string, any>} */ ({}));

/** @param {{ folder: string, state: string }} data */
export function rolloutChanged(data) {
  const { [data.folder]: _before, ...others } = rollouts.value;
  rollouts.value = data.state === "ended" ? others : { ...others, [data.folder]: data };
}

/** Resets progress after a reconnect, because the console first reports all running plans. */
export function cameBack() {
  progress.value = {};
  rollouts.value = {};
  lastChange.value = { id: "*", number: lastChange.value.number + 1 };
}

/** @param {{ id: string }} data */
export function progressChanged(data) {
  progress.value = { ...progress.value, [data.id]: data };
}

/** @param {{ id: string }} data */
export function planChanged({ id }) {
  const { [id]: _ended, ...others } = progress.value;
  progress.value = others;
  lastChange.value = { id, number: lastChange.value.number + 1 };
}
