// @ts-check
/// <reference lib="dom" />
import { api } from "./api.js";
import { clock, counted, whole } from "./format.js";
import { syncing } from "./live.js";
import { about, adsctl } from "./shell.js";
import { Command, CommandWords, html, Notice, signal, visible } from "./ui.js";

/** The reports that pages read, by the name that `adsctl sync --report` has for them. */
const SHOWN = { reports: ["pages"] };

const problem = signal(/** @type {unknown} */ (undefined));

/**
 * @param {string} path
 * @param {Record<string, unknown>} [body]
 */
async function send(path, body = {}) {
  problem.value = undefined;
  try {
    syncing.value = await api(path, { body });
  } catch (error) {
    problem.value = error;
  }
}

/**
 * @param {{ word: string, options?: { profiles?: string[] }, first?: boolean }} props `first` where nothing is stored yet
 */
export function Sync({ word, options = {}, first = false }) {
  const now = syncing.value;
  if (now?.state === "running") return running(now);
  const profiles = options.profiles === undefined ? "--all-profiles" : `--profiles ${options.profiles.join(",")}`;
  const command = adsctl(`sync ${profiles} --report pages`, { store: true });
  if (about.value?.["read_only"]) return first ? html`<${Command} text=${command} />` : null;
  return html`<div class="sync"><div class="buttons"><button type="button" class=${first ? "primary" : ""} title=${`The same as ${command}`} onClick=${() => send("/api/sync", { ...SHOWN, ...options })}>${word}</button></div>
    ${first && html`<p class="under">The same as <${CommandWords} text=${command} /></p>`}
    ${problem.value && html`<${Notice} error=${problem.value} />`}${now && ended(now)}</div>`;
}

/** @param {any} now */
function running({ total, done, failed, rows, running: parts, started_at: at }) {
  return html`<section class="sync" aria-label="Sync"><div class="section-head"><h2 role="status">${total === 0 ? "Reading the account …" : `${whole(done)} of ${counted(total, "report")} fetched`}</h2>
      <span class="under">${counted(rows, "row")}${failed > 0 ? `, ${counted(failed, "report")} failed` : ""} · since ${clock(at, "UTC")}</span>
      <button type="button" class="push" onClick=${() => send("/api/sync/stop")}>Stop</button></div>
    <progress max=${Math.max(total, 1)} value=${done} aria-label="Reports fetched"></progress>
    <ul class="rows tight">${parts.map((/** @type {any} */ one) => html`<li key=${`${one.profile_id} ${one.name}`}><span class="strong">${one.country_code}</span><span>${visible(one.name)}</span><span class="under end">${visible(one.step)} · ${whole(one.seconds)} s</span></li>`)}</ul>
    <p class="under">You can go on working: pages read their figures again when it is done.</p></section>`;
}

/** @param {any} now */
function ended({ state, summary = "", problems = [], warnings = [] }) {
  if (state === "done") return html`<p class="under" role="status">Done: ${visible(summary)}.</p>${warnings.map((/** @type {string} */ text) => html`<p class="under warn">${visible(text)}</p>`)}`;
  if (state === "stopped") return html`<${Notice}>Stopped. What was fetched is stored; the next sync continues.<//>`;
  return html`<${Notice} error=${["Not everything could be fetched", ...problems].join(". ")} />`;
}
