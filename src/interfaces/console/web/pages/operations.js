// @ts-check
/// <reference lib="dom" />
import { api } from "../api.js";
import { counted, nameWords } from "../format.js";
import { go, query, setQuery } from "../router.js";
import { Sheet } from "../save_csv.js";
import { Badge, html, Loading, Notice, pageEffect, signal, untracked, visible } from "../ui.js";

/** @param {string[]} params */
export function operationsPage([encoded]) {
  const id = encoded === undefined ? undefined : decodeURIComponent(encoded);
  return id === undefined ? searchPage() : onePage(id);
}

const EXAMPLES = ["list campaigns", "update keywords bid", "create negative keywords", "budget usage", "bid recommendations", "create report", "list portfolios", "change history"];

function searchPage() {
  const found = signal(/** @type {any[] | undefined} */ (undefined));
  const families = signal(/** @type {any[] | undefined} */ (undefined));
  const problem = signal(/** @type {unknown} */ (undefined));
  let last = "";
  pageEffect(() => {
    const { q = "", api: slug = "" } = query.value;
    const wanted = String(new URLSearchParams({ q, api: slug }));
    if (wanted === last) return;
    last = wanted;
    untracked(() => {
      void api(`/api/operations?${wanted}`).then((answer) => {
        if (last !== wanted) return;
        problem.value = undefined;
        families.value = answer.families;
        found.value = q === "" && slug === "" ? undefined : answer.operations;
      }, (error) => (problem.value = error));
    });
  });
  const view = () => {
    const { q = "", api: slug = "" } = query.value;
    const titleOf = (/** @type {string} */ wanted) => families.value?.find((/** @type {any} */ one) => one.slug === wanted)?.title;
    const title = titleOf(slug);
    return html`<div class="head"><h1>Operations</h1></div>
    <div class="toolbar" role="search"><label>Find <input type="search" value=${q} placeholder="list negative keywords" onInput=${(/** @type {any} */ { target }) => setQuery({ q: target.value })} /></label>
      ${(q !== "" || slug !== "") && html`<button type="button" class="link" onClick=${() => setQuery({ q: "", api: "" })}>All APIs</button>`}</div>
    ${problem.value && html`<${Notice} error=${problem.value} />`}
    ${families.value === undefined ? !problem.value && html`<${Loading} />` : found.value === undefined ? html`
      <p>Every operation of the platform, with a form. Reads are called directly; writes become plans.</p>
      <p class="buttons">${EXAMPLES.map((words) => html`<a class="button" href=${`/operations?q=${encodeURIComponent(words)}`}>${words}</a>`)}</p>
      <section class="section" aria-label="APIs"><div class="section-head"><h2>APIs <span class="count">${families.value.length}</span></h2></div>
      <ul class="families">${families.value.map((/** @type {any} */ { slug: one, title: name, version, count }) => html`<li key=${one}><a href=${`/operations?api=${encodeURIComponent(one)}`}>${visible(name)}</a><span class="under nowrap">${version ? `${visible(version)} · ` : ""}${counted(count, "operation")}</span></li>`)}</ul></section>`
    : found.value.length === 0 ? html`<p>No operations match. Try fewer words, or <button type="button" class="link" onClick=${() => setQuery({ q: "", api: "" })}>browse the APIs</button>.</p>` : html`
      <p class="under" role="status">${counted(found.value.length, "operation")}${title ? ` of ${visible(title)}` : ""}</p>
      <${Sheet} name="operations"><table class="plain cards"><thead><tr><th scope="col">Operation</th><th scope="col">Request</th><th scope="col">Effect</th></tr></thead>
      <tbody>${found.value.map((/** @type {any} */ one) => html`<tr key=${one.id}><td class="wide"><a href=${`/operations/${encodeURIComponent(one.id)}`}>${one.summary}</a><div class="under">${visible(titleOf(one.id.split(":")[0]) ?? nameWords(one.id.split(":")[0]))} · ${nameWords(one.id.split(":")[1] ?? "")}</div></td>
        <td class="all"><code>${one.method} ${one.path}</code></td><td>${one.read_only ? html`<${Badge} kind="good">reads<//>` : html`<${Badge} kind="wait">writes<//>`}</td></tr>`)}</tbody></table><//>`}`;
  };
  return { title: () => "Operations", view };
}

/** @param {string} id */
function onePage(id) {
  const shown = signal(/** @type {any} */ (undefined));
  const profiles = signal(/** @type {any[]} */ ([]));
  const problem = signal(/** @type {unknown} */ (undefined));
  const result = signal(/** @type {any} */ (undefined));
  const busy = signal(false);
  const body = signal("");
  const failed = (/** @type {unknown} */ error) => (problem.value = error);
  void api(`/api/operations/${encodeURIComponent(id)}`).then((found) => {
    shown.value = found;
    body.value = found.example === null ? "" : JSON.stringify(found.example, null, 2);
  }, failed);
  void api("/api/profiles").then((found) => (profiles.value = found.profiles), failed);

  const submit = async (/** @type {any} */ event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const named = (/** @type {string} */ prefix) => Object.fromEntries([...form].filter(([name]) => name.startsWith(prefix)).map(([name, value]) => [name.slice(prefix.length), value]));
    problem.value = undefined;
    result.value = undefined;
    busy.value = true;
    try {
      const text = body.value.trim();
      const values = text === "" ? undefined : withFields(JSON.parse(text), named("field "));
      const call = { profile: form.get("profile"), path_params: named("path "), query: named("query "), ...(values === undefined ? {} : { body: values }) };
      const { read_only: reads } = shown.value.operation;
      const answer = await api(`/api/operations/${encodeURIComponent(id)}/${reads ? "call" : "plan"}`, { body: call });
      if (reads) result.value = answer;
      else go(`/plans/${answer.plan_id}`);
    } catch (error) {
      failed(error instanceof SyntaxError ? new Error(`The body is not JSON: ${error.message}`) : error);
    } finally {
      busy.value = false;
    }
  };

  const view = () => {
    if (shown.value === undefined) return html`<h1>${id}</h1>${problem.value ? html`<${Notice} error=${problem.value} />` : html`<${Loading} />`}`;
    const { operation, schema, response } = shown.value;
    return html`<p class="crumbs"><a href="/operations">Operations</a> / <a href=${`/operations?api=${encodeURIComponent(id.split(":")[0] ?? "")}`}>${nameWords(id.split(":")[0] ?? "")}</a></p>
      <h1>${operation.summary} <${Badge} kind=${operation.read_only ? "good" : "wait"}>${operation.read_only ? "reads" : "writes"}<//></h1>
      <p><code>${operation.method} ${operation.path}</code> <span class="under">${id}</span></p>
      ${operation.note && html`<${Notice}>${operation.note}<//>`}
      ${operation.unsupported_reason && html`<${Notice} error=${operation.unsupported_reason} />`}
      <form class="section" onSubmit=${submit}>
        <label class="line">Profile <select name="profile" required>${profiles.value.map((/** @type {any} */ one) => html`<option value=${one.profile_id}>${one.country_code} · ${visible(one.name ?? "")} · ${one.profile_id}</option>`)}</select></label>
        ${operation.path_params.map((/** @type {string} */ name) => html`<label class="line">${fieldName(name)} (path) <input name=${`path ${name}`} required /></label>`)}
        ${operation.query.map((/** @type {any} */ one) => html`<label class="line">${fieldName(one.name)} (query${one.required ? ", required" : ""}) <input name=${`query ${one.name}`} required=${one.required === true} /></label>`)}
        ${bodyFields(schema, body)}
        ${operation.has_body && html`<label class="line">Body, as JSON
          <textarea rows="10" spellcheck=${false} value=${body.value} onInput=${(/** @type {any} */ { target }) => (body.value = target.value)}></textarea></label>`}
        <div class="buttons"><button type="submit" class="primary" disabled=${busy.value || operation.unsupported_reason !== null}>${operation.read_only ? "Call" : "Make a plan"}</button></div>
        ${!operation.read_only && html`<p class="under">Nothing is sent: you can review, approve and apply the plan like any other.</p>`}
      </form>
      ${problem.value && html`<${Notice} error=${problem.value} />`}
      ${result.value && html`<section class="section"><h2>Response</h2>${result.value.findings.map((/** @type {string} */ text) => html`<p class="under">${visible(text)}</p>`)}
        <pre tabindex="0" aria-label="Response">${JSON.stringify(result.value.response, null, 2).slice(0, 200000)}</pre></section>`}
      ${response && html`<details class="section"><summary>Fields of the response</summary><pre tabindex="0" aria-label="Shape of the response">${response}</pre></details>`}`;
  };
  return { title: () => id, view };
}

/**
 * A field in words, with the platform's own name where it differs.
 *
 * @param {string} name
 */
function fieldName(name) {
  const words = nameWords(name);
  return words === name ? words : html`${words} <code class="under">${name}</code>`;
}

/**
 * Inputs for the plain fields of a body that is an object; the rest is written as JSON below.
 *
 * @param {any} schema JSON Schema of the operation
 * @param {{ value: string }} body
 */
function bodyFields(schema, body) {
  const shape = bodyShape(schema);
  const properties = Object.fromEntries(Object.entries(shape.properties ?? {}).map(([name, one]) => [name, resolved(one, shape)]));
  const plain = Object.entries(properties).filter(([, one]) => ["string", "integer", "number", "boolean"].includes(/** @type {any} */ (one).type)).slice(0, 24);
  if (plain.length === 0) return null;
  const now = parsed(body.value);
  const set = (/** @type {string} */ name, /** @type {any} */ one, /** @type {any} */ target) => {
    const text = target.type === "checkbox" ? String(target.checked) : target.value;
    const value = text === "" ? undefined : one.type === "boolean" ? text === "true" : one.type === "string" ? text : Number(text);
    body.value = JSON.stringify({ ...now, [name]: value }, null, 2);
  };
  return html`<fieldset class="fields"><legend>Fields of the body</legend>${plain.map(([name, part]) => {
    const one = /** @type {any} */ (part);
    const value = now[name];
    return html`<label class="line" key=${name}>${fieldName(name)}${shape.required?.includes(name) ? " *" : ""}
      ${one.enum || one.type === "boolean"
      ? html`<select value=${String(value ?? "")} onChange=${(/** @type {any} */ { target }) => set(name, one, target)}><option value=""></option>${(one.enum ?? ["true", "false"]).map((/** @type {string} */ word) => html`<option value=${word}>${nameWords(word.toLowerCase())}</option>`)}</select>`
      : html`<input type=${one.type === "string" ? "text" : "number"} step="any" value=${value ?? ""} onChange=${(/** @type {any} */ { target }) => set(name, one, target)} />`}</label>`;
  })}</fieldset>`;
}

/**
 * The shape of the body, with the definitions that it refers to.
 *
 * @param {any} schema
 */
function bodyShape(schema) {
  const [whole = {}] = Object.values(schema?.body?.types ?? {});
  return { ...resolved(whole, whole), $defs: whole.$defs };
}

/**
 * @param {any} shape
 * @param {any} whole
 */
function resolved(shape, whole) {
  const [, name] = /^#\/\$defs\/(.+)$/.exec(shape?.$ref ?? "") ?? [];
  return name === undefined ? shape : whole.$defs?.[name] ?? {};
}

/** @param {string} text */
function parsed(text) {
  try {
    const value = JSON.parse(text || "{}");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

/**
 * @param {unknown} body
 * @param {Record<string, unknown>} fields
 */
function withFields(body, fields) {
  return Object.keys(fields).length === 0 ? body : { .../** @type {any} */ (body), ...fields };
}
