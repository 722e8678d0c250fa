// @ts-check
/// <reference lib="dom" />
import { api } from "../api.js";
import { counted } from "../format.js";
import { html, Notice, Select, signal, visible } from "../ui.js";

/**
 * @param {{ close: () => void, done: (plan: string) => void, frame: typeof import("./grid_dialogs.js").frame }} parts
 */
export function copyDialog({ close, done, frame }) {
  const busy = signal(false);
  const problem = signal(/** @type {unknown} */ (undefined));
  const form = signal({ to: "", rename: "{name}", state: "PAUSED", rate: "" });
  /** @param {{ profile: string, profiles: any[], rows: any[] }} parts */
  const draw = ({ profile, profiles, rows }) => {
    const from = profiles.find((/** @type {any} */ one) => one.profile_id === profile);
    const to = form.value.to || profiles.find((/** @type {any} */ one) => one.profile_id !== profile)?.profile_id || profile;
    const target = profiles.find((/** @type {any} */ one) => one.profile_id === to);
    const needsRate = from?.currency !== target?.currency;
    const rate = Number(form.value.rate.replace(",", "."));
    const set = (/** @type {Record<string, string>} */ values) => (form.value = { ...form.value, ...values });
    const input = (/** @type {string} */ label, /** @type {"rename" | "rate"} */ name, /** @type {string} */ mode) => html`<label class="line">${label}<input inputmode=${mode} value=${form.value[name]} onInput=${(/** @type {any} */ event) => set({ [name]: event.target.value })} /></label>`;
    const make = async (/** @type {any} */ event) => {
      const note = new FormData(event.currentTarget).get("note");
      busy.value = true;
      problem.value = undefined;
      try {
        const given = { rename: form.value.rename.trim(), state: form.value.state, note, ...needsRate ? { rate } : {} };
        const filled = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
        const body = { campaign_ids: rows.map(({ id }) => id), to, ...filled };
        const { plan_id: plan } = await api(`/api/profiles/${profile}/copy`, { body });
        close();
        done(plan);
      } catch (error) {
        problem.value = error;
      } finally {
        busy.value = false;
      }
    };
    return frame(`Copy ${counted(rows.length, "campaign")}`, close, html`
      <p class="under">With ad groups, keywords, targets, negatives and ads. The copies become a plan of the other profile, which opens for review.</p>
      <ul class="rows tight">${rows.slice(0, 5).map((/** @type {any} */ { name }) => html`<li><span></span><bdi>${visible(name)}</bdi></li>`)}</ul>
      ${rows.length > 5 && html`<p class="under">and ${counted(rows.length - 5, "more campaign")}</p>`}
      <div class="toolbar"><${Select} label="To" value=${to} options=${profiles.map((/** @type {any} */ one) => [one.profile_id, `${one.country_code} · ${visible(one.name ?? "").slice(0, 60)} · ${one.profile_id}`])} onChange=${(/** @type {string} */ value) => set({ to: value })} />
        <${Select} label="State" value=${form.value.state} options=${[["PAUSED", "paused"], ["ENABLED", "enabled"], ["", "as the original"]]} onChange=${(/** @type {string} */ value) => set({ state: value })} /></div>
      ${input("Name of each copy", "rename", "text")}
      ${needsRate && input(`Value of 1 ${from?.currency ?? ""} in ${target?.currency ?? "the other currency"}`, "rate", "decimal")}
      <label class="line">Reason<input name="note" maxlength="2000" /></label>
      ${problem.value && html`<${Notice} error=${problem.value} />`}`, { word: busy.value ? "Making the plan …" : "Make the plan", run: make, off: busy.value || rows.length === 0 || (needsRate && !(rate > 0)) });
  };
  return { draw };
}
