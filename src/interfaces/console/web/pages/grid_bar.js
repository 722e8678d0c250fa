// @ts-check
/// <reference lib="dom" />
import { counted, whole } from "../format.js";
import { html, Notice, signal, visible } from "../ui.js";
import { keepHeight } from "./plan_actions.js";

/**
 * @param {{
 *   draft: { value: ReturnType<typeof import("../grid_drafts.js").gridDrafts> | undefined }, checked: { value: any },
 *   conflicts: { value: ReadonlyMap<string, unknown> }, dialog: { value: { name: string, text?: string } | undefined },
 *   decide: () => { decide: (wish?: "keep" | "reject") => void, counts: (decision: string) => number } | undefined,
 *   canAdd: () => boolean, canCopy: () => boolean, canFill: () => boolean, fillDown: () => void, learn: (found: any) => void, chosen: () => number, isReadOnly: () => boolean,
 * }} parts `learn`: gets what a check has read; `chosen`: rows that an edit of many would be about
 */
export function gridBar({ decide, canAdd, canCopy, canFill, fillDown, draft, checked, learn, conflicts, dialog, chosen, isReadOnly }) {
  const busy = signal(false);
  const more = signal(false);
  const problem = signal(/** @type {unknown} */ (undefined));
  const check = async () => {
    const own = draft.value;
    if (own === undefined || busy.value || isReadOnly()) return;
    busy.value = true;
    problem.value = undefined;
    try {
      const found = await own.check();
      learn(found);
      checked.value = { ...found, edits: own.edits.value };
    } catch (error) {
      problem.value = error;
    } finally {
      busy.value = false;
    }
  };
  const open = (/** @type {string} */ name) => () => {
    more.value = false;
    dialog.value = { name };
  };
  /** @param {unknown} chosenCell */
  const draw = (chosenCell) => {
    const own = draft.value;
    if (own === undefined || isReadOnly()) return html`<section class="stay" aria-label="Chosen cell" ref=${keepHeight}>${chosenCell}</section>`;
    const count = own.edits.value.size;
    const ofPlan = decide();
    const decided = ofPlan === undefined ? 0 : ofPlan.counts("changed") + ofPlan.counts("rejected");
    const { done, undone } = own.steps.value;
    const last = checked.value;
    const isCurrent = last?.edits === own.edits.value;
    const held = conflicts.value.size;
    const said = last === undefined ? 0 : last.findings.length + last.plan_findings.length;
    return html`<section class=${`stay${more.value ? " open" : ""}`} aria-label="Edits" ref=${keepHeight}>
      <dl>${ofPlan === undefined ? html`<div><dt>Edits</dt><dd>${whole(count)}</dd></div>` : html`<div><dt>Kept</dt><dd>${whole(ofPlan.counts("kept"))}</dd></div>
        <div><dt>Changed</dt><dd>${whole(ofPlan.counts("changed"))}</dd></div><div><dt>Rejected</dt><dd>${whole(ofPlan.counts("rejected"))}</dd></div>`}
        ${held > 0 && html`<div><dt>Conflicts</dt><dd class="warn">${whole(held)}</dd></div>`}
        ${last !== undefined && isCurrent && html`<div><dt>Findings</dt><dd class=${said > 0 ? "warn" : ""}>${whole(said)}</dd></div>
          <div class="more-only"><dt>Spend a day</dt><dd>${last.spend === null ? html`<span class="under">no change</span>` : visible(last.spend)}</dd></div>`}
        ${last !== undefined && !isCurrent && count > 0 && html`<div class="more-only"><dt>Findings</dt><dd class="under">outdated; check again</dd></div>`}</dl>
      <div class="buttons">
        ${ofPlan !== undefined && html`<button type="button" class="second" onClick=${() => ofPlan.decide("keep")}>Keep</button>
        <button type="button" class="second" onClick=${() => ofPlan.decide("reject")}>Reject</button>`}
        <button type="button" class="second" disabled=${chosen() === 0} onClick=${open("bulk")}>Change ${chosen() === 0 ? "many" : counted(chosen(), "row")} …</button>
        ${canFill() && html`<button type="button" class="second" onClick=${fillDown}>Fill down</button>`}
        <button type="button" class="second" onClick=${open("paste")}>Paste …</button>
        ${canCopy() && html`<button type="button" class="second" onClick=${open("copy")}>Copy …</button>`}
        ${canAdd() && html`<button type="button" class="second" onClick=${open("add")}>Add …</button>`}
        <button type="button" class="second" disabled=${done.length === 0} onClick=${own.undo}>Undo</button>
        <button type="button" class="second" disabled=${undone.length === 0} onClick=${own.redo}>Redo</button>
        <button type="button" class="second" disabled=${count === 0} onClick=${open("list")}>List</button>
        <button type="button" class="second" disabled=${count === 0 || busy.value} onClick=${check}>${busy.value ? "Checking …" : "Check"}</button>
        <button type="button" class="for-phone" aria-expanded=${more.value} aria-label="More" onClick=${() => (more.value = !more.value)}>…</button>
        ${own.plans().map(({ name, plan }) => html`<a class="button primary" href=${`/plans/${plan}`}>${name === "" ? "Open the plan" : html`Plan of <bdi>${visible(name)}</bdi>`}</a>`)}
        ${(own.pending().length > 0 || count === 0) && html`<button type="button" class="primary" disabled=${count === 0 || held > 0 || (ofPlan !== undefined && decided === 0)} onClick=${open("review")}>Review ${ofPlan === undefined ? counted(count, "edit") : counted(ofPlan.counts("kept") + ofPlan.counts("changed"), "change")} …</button>`}</div>
      ${held > 0 && html`<p class="why-not">${counted(held, "field")} ${held === 1 ? "has" : "have"} changed in the account since the edit. <button type="button" class="link" onClick=${open("list")}>Resolve each</button></p>`}
      ${problem.value && html`<div class="why-not"><${Notice} error=${problem.value} again=${check} /></div>`}
      ${last !== undefined && isCurrent && html`<div class="why-not" role="status">${last.plan_findings.map((/** @type {any} */ { message, level }) => html`<div class=${level === "deny" ? "bad" : level === "note" ? "" : "warn"}>${visible(message)}</div>`)}
        ${last.missing.length > 0 && html`<div>${counted(last.missing.length, "edit")} of entities that no longer exist.</div>`}
        ${said === 0 && held === 0 && last.missing.length === 0 && html`Checked: no problems found.`}</div>`}
      ${chosenCell}</section>`;
  };
  const review = () => {
    const own = draft.value;
    const ofPlan = decide();
    const isSame = ofPlan !== undefined && ofPlan.counts("changed") + ofPlan.counts("rejected") === 0;
    if (own !== undefined && !isReadOnly() && own.pending().length > 0 && own.edits.value.size > 0 && conflicts.value.size === 0 && !isSame) open("review")();
  };
  return { draw, check, review };
}
