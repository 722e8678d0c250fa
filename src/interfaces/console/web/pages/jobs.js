// @ts-check
/// <reference lib="dom" />
import { api, newestOnly } from "../api.js";
import { counted } from "../format.js";
import { fieldLabel, formTexts, formValues } from "../job_forms.js";
import { go, query, setQuery } from "../router.js";
import { about } from "../shell.js";
import { html, Loading, Notice, Select, signal, Switch, visible } from "../ui.js";
import { previewView } from "./job_preview.js";

/** @typedef {import("../job_forms.js").JobField} JobField */

export function jobsPage() {
  const jobs = signal(/** @type {any[] | undefined} */ (undefined));
  const profiles = signal(/** @type {any[]} */ ([]));
  const problem = signal(/** @type {unknown} */ (undefined));
  const texts = signal(/** @type {Record<string, Record<string, string>>} */ ({}));
  const found = signal(/** @type {any} */ (undefined));
  /** Lines of where goals stand, as `plan goals show` prints them. */
  const stands = signal(/** @type {string[] | undefined} */ (undefined));
  const busy = signal("");
  const failed = (/** @type {unknown} */ error) => (problem.value = error);
  void api("/api/jobs").then((all) => (jobs.value = all.jobs), failed);
  void api("/api/profiles").then((all) => (profiles.value = all.profiles), failed);

  const job = () => jobs.value?.find((/** @type {any} */ { path }) => path === `plan/${query.value["job"] ?? "bids"}`) ?? jobs.value?.[0];
  const profile = () => query.value["profile"] ?? profiles.value[0]?.profile_id;
  const isReadOnly = () => about.value?.["read_only"] !== false;
  /** Form values, initially from the URL, through which other pages link to a job. */
  const own = () => texts.value[job()?.path] ?? Object.fromEntries(Object.entries(query.value).filter(([name]) => job()?.fields.some((/** @type {JobField} */ field) => field.name === name)));
  const preview = newestOnly();
  /** Drops the preview of an earlier form and cancels one in progress. */
  const forget = () => {
    preview.drop();
    if (busy.value !== "plan") busy.value = "";
    found.value = undefined;
    stands.value = undefined;
  };
  const set = (/** @type {Record<string, string>} */ values) => {
    texts.value = { ...texts.value, [job().path]: { ...own(), ...values } };
    forget();
  };
  const show = (/** @type {Record<string, string>} */ values) => {
    texts.value = { ...texts.value, [job().path]: values };
    problem.value = undefined;
    forget();
  };
  /** @param {"preview" | "plan" | "show"} what */
  const run = async (what) => {
    const { path, fields } = job();
    const { values, problems } = formValues(fields, own());
    problem.value = undefined;
    if (problems.length > 0) return void failed(new Error(problems.join(". ")));
    busy.value = what;
    try {
      const address = `/api/profiles/${profile()}/${path}`;
      if (what === "preview") found.value = await preview.ask(`${address}/preview`, values);
      else if (what === "show") stands.value = (await preview.ask(`${address}/show`, { goals: values["goals"] })).lines;
      else {
        const { plan_id: plan } = await api(address, { body: values });
        if (plan === null) failed(new Error("Cannot make a plan: there is nothing left to change"));
        else go(`/plans/${plan}`);
      }
    } catch (error) {
      failed(error);
    } finally {
      busy.value = "";
    }
  };

  const view = () => {
    const chosen = job();
    if (chosen === undefined) return html`<div class="head"><h1>Weekly jobs</h1></div>${problem.value ? html`<${Notice} error=${problem.value} />` : html`<${Loading} />`}`;
    const { fields, examples } = chosen;
    const isRare = (/** @type {JobField} */ { rare }) => rare;
    const off = isReadOnly() || busy.value !== "" || profile() === undefined;
    return html`<div class="head"><h1>Weekly jobs</h1>
        <${Switch} label="Job" value=${chosen.path} options=${(jobs.value ?? []).map((/** @type {any} */ { path, title }) => [path, jobWord(path, title)])} onChange=${(/** @type {string} */ path) => {
      setQuery({ job: path.slice(5) });
      problem.value = undefined;
      forget();
    }} />
        ${profiles.value.length > 0 && html`<${Select} label="Profile" value=${profile()} options=${profiles.value.map((/** @type {any} */ each) => [each.profile_id, `${each.country_code} · ${visible(each.name ?? "").slice(0, 60)} · ${each.profile_id}`])} onChange=${(/** @type {string} */ value) => {
      setQuery({ profile: value });
      forget();
    }} />`}</div>
      <p>${chosen.summary}. Nothing is sent: you review the plan first.</p>
      ${examples.length > 0 && html`<p class="buttons" role="group" aria-label="Examples">${examples.map((/** @type {any} */ { about: word, input }) => html`<button type="button" onClick=${() => show(formTexts(fields, input))}>${word}</button>`)}</p>`}
      <form class="section" aria-label=${chosen.title} onSubmit=${(/** @type {any} */ event) => {
      event.preventDefault();
      void run("preview");
    }}>
        <div class="form">${fields.filter((/** @type {JobField} */ one) => !isRare(one)).map((/** @type {JobField} */ one) => input(one, own(), set))}</div>
        <details><summary>More options</summary><div class="form">${fields.filter(isRare).map((/** @type {JobField} */ one) => input(one, own(), set))}</div></details>
        <div class="buttons"><button type="submit" class=${found.value === undefined ? "primary" : ""} disabled=${off}>${busy.value === "preview" ? "Working it out …" : "Preview"}</button>
          <button type="button" class=${found.value?.changes > 0 ? "primary" : ""} disabled=${off || !(found.value?.changes > 0)} onClick=${() => run("plan")}>${busy.value === "plan" ? "Making the plan …" : found.value === undefined ? "Make the plan" : `Make a plan of ${counted(found.value.changes, "change")}`}</button>
          ${chosen.path === "plan/goals" && html`<button type="button" disabled=${busy.value !== "" || profile() === undefined} onClick=${() => run("show")}>${busy.value === "show" ? "Reading …" : "Show where they stand"}</button>`}</div>
        ${isReadOnly() && html`<p class="under">The console was started with --read-only.</p>`}
        ${["preview", "plan"].includes(busy.value) && html`<p class="under" role="status">Missing reports are fetched first, which can take some minutes.</p>`}
      </form>
      ${problem.value && html`<${Notice} error=${problem.value} />`}
      ${stands.value && html`<pre class="section" tabindex="0" aria-label="Where the goals stand">${stands.value.map(visible).join("\n")}</pre>`}
      ${found.value && previewView(found.value, (map) => set({ map }), own()["map"] ?? "")}
      <details class="section"><summary>How it works</summary><p>${visible(chosen.details)}</p></details>`;
  };
  return { title: () => "Weekly jobs", view };
}

/**
 * @param {string} path
 * @param {string} title
 */
function jobWord(path, title) {
  return { "plan/bids": "Bids", "plan/budgets": "Budgets", "plan/harvest": "Harvest", "plan/negatives": "Negatives", "plan/goals": "Goals" }[path] ?? title;
}

/**
 * @param {JobField} field
 * @param {Record<string, string>} texts
 * @param {(values: Record<string, string>) => void} set
 */
function input(field, texts, set) {
  const { name, type, choices, columns, required } = field;
  const { words, help } = fieldLabel(field);
  const value = texts[name] ?? "";
  const change = (/** @type {any} */ { target }) => set({ [name]: target.type === "checkbox" ? target.checked ? "true" : "" : target.value });
  if (type === "switch") return html`<label class="line" key=${name}><span><input type="checkbox" checked=${value === "true"} onChange=${change} /> ${words}</span> <span class="under">${help}</span></label>`;
  const control = columns !== null || type === "document" ? html`<textarea rows="6" spellcheck=${false} required=${required} value=${value} onInput=${change}></textarea>`
    : choices !== null && type === "choice" ? html`<select value=${value} onChange=${change}><option value=""></option>${choices.map((one) => html`<option value=${one} selected=${one === value}>${one}</option>`)}</select>`
    : html`<input required=${required} value=${value} inputmode=${["whole", "amount", "share"].includes(type) && field.or === null ? "decimal" : undefined} onInput=${change} />`;
  return html`<label class=${`line${columns !== null || type === "document" || name === "where" ? " broad" : ""}`} key=${name}>${words} ${control} <span class="under">${help}</span></label>`;
}
