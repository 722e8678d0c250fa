// @ts-check
/// <reference lib="dom" />
/** The weekly jobs as forms: fill one in, see the changes that it would plan, and make the plan. */
import { api, newestOnly } from "../api.js";
import { counted, kindWord, money, whole } from "../format.js";
import { fieldLabel, formTexts, formValues } from "../job_forms.js";
import { go, query, setQuery } from "../router.js";
import { about } from "../shell.js";
import { html, Loading, Notice, Select, signal, Switch, visible } from "../ui.js";

/** @typedef {import("../job_forms.js").JobField} JobField */

export function jobsPage() {
  const jobs = signal(/** @type {any[] | undefined} */ (undefined));
  const profiles = signal(/** @type {any[]} */ ([]));
  const problem = signal(/** @type {unknown} */ (undefined));
  /** Texts of the form by job. */
  const texts = signal(/** @type {Record<string, Record<string, string>>} */ ({}));
  const found = signal(/** @type {any} */ (undefined));
  const busy = signal("");
  const failed = (/** @type {unknown} */ error) => (problem.value = error);
  void api("/api/jobs").then((all) => (jobs.value = all.jobs), failed);
  void api("/api/profiles").then((all) => (profiles.value = all.profiles), failed);

  const job = () => jobs.value?.find((/** @type {any} */ { path }) => path === `plan/${query.value["job"] ?? "bids"}`) ?? jobs.value?.[0];
  const profile = () => query.value["profile"] ?? profiles.value[0]?.profile_id;
  const isReadOnly = () => about.value?.["read_only"] !== false;
  /** Texts of the form; at first those of the address, by which other pages ask for a job. */
  const own = () => texts.value[job()?.path] ?? Object.fromEntries(Object.entries(query.value).filter(([name]) => job()?.fields.some((/** @type {JobField} */ field) => field.name === name)));
  const preview = newestOnly();
  /** Forgets the preview of an earlier form, even one that is still being worked out. */
  const forget = () => {
    preview.drop();
    if (busy.value === "preview") busy.value = "";
    found.value = undefined;
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
  /** @param {"preview" | "plan"} what */
  const run = async (what) => {
    const { path, fields } = job();
    const { values, problems } = formValues(fields, own());
    problem.value = undefined;
    if (problems.length > 0) return void failed(new Error(problems.join(". ")));
    busy.value = what;
    try {
      const address = `/api/profiles/${profile()}/${path}`;
      if (what === "preview") found.value = await preview.ask(`${address}/preview`, values);
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
          <button type="button" class=${found.value?.changes > 0 ? "primary" : ""} disabled=${off || !(found.value?.changes > 0)} onClick=${() => run("plan")}>${busy.value === "plan" ? "Making the plan …" : found.value === undefined ? "Make the plan" : `Make a plan of ${counted(found.value.changes, "change")}`}</button></div>
        ${isReadOnly() && html`<p class="under">The console was started with --read-only.</p>`}
        ${busy.value !== "" && html`<p class="under" role="status">Missing reports are fetched first, which can take some minutes.</p>`}
      </form>
      ${problem.value && html`<${Notice} error=${problem.value} />`}
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

/**
 * @param {any} found
 * @param {(map: string) => void} useMap
 * @param {string} map
 */
function previewView({ changes, campaigns, spend, left_out: leftOut, considered, warnings, suggestions = [], decimals, currency }, useMap, map) {
  const left = Object.entries(leftOut ?? {});
  const rows = campaigns.flatMap((/** @type {any} */ { campaign_name: name, campaign_id: id, changes: own }) => own.map((/** @type {any} */ change) => ({ ...change, campaign: name ?? id ?? "" })));
  const usable = suggestions.filter((/** @type {any} */ { target }) => target !== null);
  const lines = usable.map((/** @type {any} */ { source, target }) => `${source}\t${target}`);
  return html`<section class="section" aria-label="Preview"><div class="section-head"><h2>${changes === 0 ? "Nothing to change" : counted(changes, "change")}</h2>
      <span class="under">${considered !== undefined && `${whole(considered)} looked at. `}${spend && html`Spend a day: ${visible(spend)}. `}Amounts in ${currency}.</span></div>
    ${warnings.map((/** @type {string} */ text) => html`<p class="warn">${visible(text)}</p>`)}
    ${left.length > 0 && html`<p class="under">Left out: ${left.map(([reason, count]) => `${whole(count)} ${reason.replaceAll("_", " ")}`).join(", ")}.</p>`}
    ${suggestions.length > 0 && html`<p>The map does not name ${counted(suggestions.length, "ad group")} with terms that sell. ${usable.length > 0 && html`<button type="button" class="link" onClick=${() => useMap([map, ...lines].filter(Boolean).join("\n"))}>Add ${counted(usable.length, "suggested line")} to the map</button>`}</p>
      <table class="plain cards"><thead><tr><th scope="col">From</th><th scope="col" class="number">Terms</th><th scope="col" class="number">Orders</th><th scope="col">To</th></tr></thead><tbody>${suggestions.map((/** @type {any} */ one) => html`<tr><td class="wide"><bdi>${visible(one.source_name)}</bdi> <span class="under">${one.source}</span></td>
        <td class="number" data-label="Terms">${whole(one.terms)}</td><td class="number" data-label="Orders">${whole(one.orders)}</td><td data-label="To">${one.target === null ? html`<span class="under">no ad group with exact keywords fits</span>` : html`<bdi>${visible(one.target_name)}</bdi> <span class="under">${one.target}</span>`}</td></tr>`)}</tbody></table>`}
    ${rows.length > 0 && html`<table class="plain cards"><thead><tr><th scope="col">What</th><th scope="col">Campaign</th><th scope="col" class="number">Before</th><th scope="col" class="number">After</th><th scope="col" class="number">Clicks</th><th scope="col" class="number">Spend</th><th scope="col" class="number">Orders</th></tr></thead>
      <tbody>${rows.map((/** @type {any} */ { change, kind, label, op, campaign, fields, evidence: { clicks, cost, orders } = {} }) => html`<tr key=${change}><td class="wide"><bdi>${visible(label)}</bdi> <span class="under">${op === "create" ? "new " : ""}${kindWord(kind).toLowerCase()}</span></td><td><bdi>${visible(campaign)}</bdi></td>
        <td class="number" data-label="Before">${op === "create" ? "" : amounts(fields, "before", decimals)}</td><td class="number strong" data-label="After">${op === "create" ? amounts(fields.filter((/** @type {any} */ { field }) => /bid$|budget/i.test(field)), "after", decimals) : amounts(fields, "after", decimals)}</td>
        <td class="number" data-label="Clicks">${whole(clicks)}</td><td class="number" data-label="Spend">${money(cost, decimals)}</td><td class="number" data-label="Orders">${whole(orders)}</td></tr>`)}</tbody></table>
      ${rows.length < changes && html`<p class="under">The ${whole(rows.length)} most important of ${whole(changes)}; the plan shows all.</p>`}`}
  </section>`;
}

/**
 * @param {any[]} fields
 * @param {"before" | "after"} which
 * @param {number} decimals
 */
function amounts(fields, which, decimals) {
  return fields.map(({ [which]: value, difference }) => typeof value === "number" && difference !== undefined ? money(value, decimals) : value === null || value === undefined ? "none" : visible(typeof value === "object" ? JSON.stringify(value) : value)).join(", ");
}
