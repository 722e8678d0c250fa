// @ts-check
/// <reference lib="dom" />
import { api } from "../api.js";
import { bigTable } from "../big_table.js";
import { path } from "../router.js";
import { time } from "../format.js";
import { saveCsv } from "../save_csv.js";
import { html, Loading, Notice, signal, visible } from "../ui.js";

export function emulatorPage() {
  const state = signal(/** @type {any} */ (undefined));
  const requests = signal(/** @type {any[]} */ ([]));
  const problem = signal(/** @type {unknown} */ (undefined));
  const load = async () => {
    try {
      const found = await api(`/api/emulator?after=${requests.value[0]?.number ?? 0}`);
      state.value = found;
      if (found.requests.length > 0) requests.value = [...found.requests.reverse(), ...requests.value].slice(0, 2000);
    } catch (error) {
      problem.value = error;
    }
  };
  const follow = async () => {
    while (path.value === "/emulator" && problem.value === undefined) {
      await load();
      await new Promise((done) => setTimeout(done, 1500));
    }
  };
  void follow();
  const act = async (/** @type {string} */ name, /** @type {Record<string, unknown>} */ body) => {
    try {
      await api(`/api/emulator/${name}`, { body });
      if (name === "reset") requests.value = [];
      await load();
    } catch (error) {
      problem.value = error;
    }
  };
  const table = bigTable({
    name: "Requests",
    columns: () => [{ name: "No", class: "number", width: "70px" }, { name: "Time", width: "210px" }, { name: "Request" }, { name: "Status", class: "number", width: "90px" }],
    rows: () => requests.value,
    key: ({ number }) => String(number),
    rowClass: () => "any",
    height: () => innerWidth < 640 ? 90 : 28,
    cells: (one) => html`<td class="number">${one.number}</td><td class="wide">${time(one.time)}</td><td class="group" title=${one.operation ?? ""}>${one.method} ${visible(one.path)}</td><td class="number">${one.status ?? (one.dropped ? "cut" : "")}</td>`,
  });
  const save = () => saveCsv("requests", ["number", "time", "method", "path", "operation", "status"], requests.value.map((/** @type {any} */ one) => [one.number, one.time, one.method, one.path, one.operation, one.status]));
  const view = () => html`<div class="head"><h1>Emulator</h1></div>
    ${problem.value && html`<${Notice} error=${problem.value} />`}
    ${state.value === undefined ? html`<${Loading} />` : html`
      <div class="columns"><section><h2>Clock</h2><p>${time(state.value.clock.now)}${state.value.clock.frozen ? ", stopped" : ""}</p>
        <div class="buttons">${[["1 hour", 3600], ["1 day", 86400], ["1 week", 604800]].map(([word, seconds]) => html`<button type="button" onClick=${() => act("clock", { advance: seconds })}>Advance ${word}</button>`)}</div></section>
      <section><h2>Faults</h2><p>${state.value.faults.rules.length === 0 ? "No faults." : `${state.value.faults.rules.length} rules are active.`}</p>
        <div class="buttons">${[["Calm", "calm"], ["Busy day", "busy-day"], ["Storm", "storm"]].map(([word, name]) => html`<button type="button" onClick=${() => act("faults", { profile: name })}>${word}</button>`)}</div></section>
      <section><h2>Account</h2><p>Discard all changes and requests.</p>
        <div class="buttons"><button type="button" onClick=${() => act("reset", {})}>Reset the demo account</button></div></section></div>
      <section class="section"><div class="section-head"><h2>Requests</h2><button type="button" class="push" onClick=${save}>Save as CSV</button></div>${table.draw()}</section>`}`;
  return { title: () => "Emulator", view };
}
