// @ts-check
import { counted, whole } from "../format.js";

/** @param {any[]} sending */
export function undoWords(sending) {
  const archived = sending.filter(({ op }) => op === "archive").length;
  const called = sending.filter(({ op }) => op === "call").length;
  if (archived + called === 0) return "You can undo them.";
  return [archived > 0 && `${counted(archived, "entity", "entities")} ${archived === 1 ? "is" : "are"} archived for good.`, called > 0 && `${counted(called, "call")} cannot be undone.`,
    archived + called < sending.length && "You can undo the rest."].filter(Boolean).join(" ");
}

/**
 * A response that did not arrive: what is known of the plan until the console is back, and the page reads it again.
 *
 * @param {string} what the decision that was sent
 * @param {{ sent: number, total: number } | undefined} progress last heard of the plan
 * @param {number} total changes that were to be sent
 */
export function lostWords(what, progress, total) {
  if (what !== "apply" && what !== "resume") return "The console's response was lost. The page reads the plan's state when the console is back";
  const known = progress === undefined
    ? `It is not known yet how many of ${counted(total, "change")} were sent`
    : `${whole(progress.sent)} of ${counted(progress.total, "change")} had been sent when the console was last heard from`;
  return `The console's response was lost. ${known}; the page finds out the rest when the console is back`;
}
