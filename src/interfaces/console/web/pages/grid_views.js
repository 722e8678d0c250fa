// @ts-check
/// <reference lib="dom" />
import { api } from "../api.js";
import { go, query } from "../router.js";
import { html, Notice, signal, visible } from "../ui.js";

const KEPT = ["table", "profile", "q", "state", "where", "label", "campaign", "only", "cols", "sort"];

/** @param {{ isReadOnly: () => boolean }} parts */
export function gridViews({ isReadOnly }) {
  const views = signal(/** @type {{ name: string, query: string }[]} */ ([]));
  const problem = signal(/** @type {unknown} */ (undefined));
  const renaming = signal("");
  const take = (/** @type {Promise<any>} */ asked) =>
    asked.then((found) => {
      views.value = found.views;
      problem.value = undefined;
      renaming.value = "";
    }, (error) => void (problem.value = error));
  void take(api("/api/views"));
  const now = () => new URLSearchParams(Object.entries(query.value).filter(([key]) => KEPT.includes(key))).toString();
  /** @param {any} event */
  const save = (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    void take(api("/api/views", { body: { name: String(new FormData(form).get("name") ?? ""), query: now() } })).then(() => problem.value ?? form.reset());
  };
  const draw = () => {
    const own = now();
    const current = views.value.find((/** @type {any} */ one) => one.query === own);
    return html`<details class="choose views"><summary>${current === undefined ? "Views" : html`View: <bdi>${visible(current.name)}</bdi>`}</summary><div>
      ${views.value.length === 0 ? html`<p class="under">No views are saved yet. A view holds table, profile, filters, columns and order.</p>` : html`<ul class="rows tight">${views.value.map((/** @type {any} */ { name, query: saved }) => html`<li key=${name}><span></span>${
      renaming.value === name ? html`<form class="line" onSubmit=${(/** @type {any} */ event) => {
        event.preventDefault();
        void take(api("/api/views/rename", { body: { name, to: String(new FormData(event.currentTarget).get("to") ?? "") } }));
      }}><input name="to" aria-label=${`New name of ${visible(name)}`} maxlength="100" value=${name} ref=${(/** @type {any} */ element) => element?.focus()} /><button type="submit">Rename</button></form>`
      : html`<span><a href=${`/grid?${saved}`} aria-current=${saved === own ? "true" : undefined} onClick=${(/** @type {MouseEvent} */ event) => {
        event.preventDefault();
        go(`/grid?${saved}`);
      }}><bdi>${visible(name)}</bdi></a></span>`}
        ${!isReadOnly() && renaming.value !== name && html`<span class="end nowrap"><button type="button" class="link" aria-label=${`Rename ${visible(name)}`} onClick=${() => (renaming.value = name)}>Rename</button> · <button type="button" class="link" aria-label=${`Delete ${visible(name)}`} onClick=${() => void take(api("/api/views/delete", { body: { name } }))}>Delete</button></span>`}</li>`)}</ul>`}
      ${!isReadOnly() && html`<form onSubmit=${save}><label class="line">Save this view as<input name="name" maxlength="100" required /></label><button type="submit">Save view</button></form>`}
      ${problem.value && html`<${Notice} error=${problem.value} />`}</div></details>`;
  };
  return { draw };
}
