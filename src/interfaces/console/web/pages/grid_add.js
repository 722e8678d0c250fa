// @ts-check
/// <reference lib="dom" />
/** The dialog that adds rows from a pasted list; the result is a plan. */
import { counted } from "../format.js";
import { matchesOf, readCampaigns, readList } from "../grid_lists.js";
import { html, Notice, Select, signal, visible } from "../ui.js";

/** Ad groups to choose from, and mistakes that are listed. */
const MAX_SHOWN = 200;

/**
 * @param {{ close: () => void, add: (body: Record<string, unknown>) => Promise<any>, done: (plan: string) => void, frame: typeof import("./grid_dialogs.js").frame }} parts
 */
export function addDialog({ close, add, done, frame }) {
  const form = signal({ text: "", match: "exact", find: "", place: "", targeting: "MANUAL", state: "PAUSED" });
  const busy = signal(false);
  const problem = signal(/** @type {unknown} */ (undefined));
  const set = (/** @type {Record<string, string>} */ values) => (form.value = { ...form.value, ...values });
  /** @param {import("./grid_dialogs.js").Grid} grid */
  const draw = ({ adGroups, decimals, table, current, names, taken }) => {
    const isCampaigns = table === "campaigns";
    const { text, find, targeting, state } = form.value;
    const match = matchesOf(table).includes(form.value.match) ? form.value.match : "exact";
    const wanted = find.trim().toLowerCase();
    const found = isCampaigns ? [] : adGroups.filter(({ label, id }) => `${label} ${id}`.toLowerCase().includes(wanted)).slice(0, MAX_SHOWN);
    const place = found.some(({ id }) => id === form.value.place) ? form.value.place : found.some(({ id }) => id === current) ? current : found[0]?.id;
    const { lines, problems } = isCampaigns ? readCampaigns(text, { decimals, portfolios: names, taken }) : readList(text, { decimals, table });
    const make = async (/** @type {any} */ event) => {
      const note = new FormData(event.currentTarget).get("note");
      const common = isCampaigns ? { targeting, state } : table === "targets" ? {} : { match };
      busy.value = true;
      problem.value = undefined;
      try {
        const { plan_id: plan } = await add({ ...isCampaigns ? {} : { ad_group_id: place }, lines: lines.map((line) => ({ ...common, ...line })), note });
        set({ text: "" });
        close();
        done(plan);
      } catch (error) {
        problem.value = error;
      } finally {
        busy.value = false;
      }
    };
    const word = isCampaigns ? counted(lines.length, "campaign") : counted(lines.length, "line");
    const off = busy.value || lines.length === 0 || problems.length > 0 || (!isCampaigns && place === undefined);
    return frame(`Add ${table}`, close, html`
      ${isCampaigns ? html`<p class="under">A line for each campaign of Sponsored Products, split by tabs or semicolons: name, budget, targeting (auto or manual), default bid, state, start, end, portfolio. Only name and budget are needed; a header such as <code>name ⇥ budget ⇥ portfolio</code> may name other columns. A campaign with a bid also gets an ad group of its name.</p>`
      : html`<p class="under">One per line: ${table === "targets" ? "ASIN" : "text or ASIN, match type if different"}${table === "negatives" ? "" : ", bid"}, split by tabs or semicolons. An ASIN becomes a product target.</p>`}
      <label class="line">Lines<textarea rows="6" autofocus value=${text} onInput=${(/** @type {any} */ { target }) => set({ text: target.value })}></textarea></label>
      ${isCampaigns ? html`<p class="under">Defaults:</p><div class="toolbar"><${Select} label="Targeting" value=${targeting} options=${[["MANUAL", "manual"], ["AUTO", "auto"]]} onChange=${(/** @type {string} */ value) => set({ targeting: value })} />
        <${Select} label="State" value=${state} options=${[["PAUSED", "paused"], ["ENABLED", "enabled"]]} onChange=${(/** @type {string} */ value) => set({ state: value })} /></div>`
      : html`<div class="toolbar">${table !== "targets" && html`<${Select} label="Match" value=${match} options=${matchesOf(table).map((one) => [one, one])} onChange=${(/** @type {string} */ value) => set({ match: value })} />`}
        <label>Find ad group <input type="search" value=${find} onInput=${(/** @type {any} */ { target }) => set({ find: target.value })} /></label>
        <${Select} label="Ad group" value=${place} options=${found.map(({ id, label }) => [id, visible(label)])} onChange=${(/** @type {string} */ value) => set({ place: value })} /></div>`}
      <label class="line">Reason<input name="note" maxlength="2000" /></label>
      <p class="under" role="status">${word}${problems.length > 0 ? `; ${counted(problems.length, "problem")}` : ""}.</p>
      ${problems.length > 0 && html`<ul class="rows tight">${problems.slice(0, MAX_SHOWN).map((one) => html`<li><span class="bad">!</span><span>${visible(one)}</span></li>`)}</ul>`}
      ${problem.value && html`<${Notice} error=${problem.value} />`}`, { word: busy.value ? "Making the plan …" : `Make a plan of ${word}`, run: make, off });
  };
  return { draw };
}
