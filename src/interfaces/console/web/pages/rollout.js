// @ts-check
/// <reference lib="dom" />
/** A rollout: plans of many profiles, reviewed together, and applied or undone stage by stage while the page shows each. */
import { ApiError, api, newestOnly, reachable } from "../api.js";
import { counted, time, whole } from "../format.js";
import { lastChange, rollouts } from "../live.js";
import { query, setQuery } from "../router.js";
import { Sheet } from "../save_csv.js";
import { about } from "../shell.js";
import { Badge, html, Loading, Notice, pageEffect, Select, Sign, signal, untracked, visible } from "../ui.js";
import { asks, keepHeight, modal, passphrase } from "./plan_actions.js";
import { spendView } from "./plans.js";

/** @type {Record<string, [kind: string, word: string]>} */
const STATES = {
  open: ["wait", "Not sent"], queued: ["now", "Queued"], unfinished: ["bad", "Interrupted"], done: ["good", "Applied"],
  failed: ["bad", "Partly applied"], refused: ["muted", "Refused"], undone: ["undo", "Undone"],
};
/** @type {[sizes: string, words: string][]} */
const SIZES = [["", "all profiles at once"], ["1,100%", "one profile, then all others"], ["1,10%,100%", "one profile, then 10 %, then all others"], ["1", "one profile after another"]];
/** @type {[portion: string, words: string][]} */
const FAILURES = [["", "the first failed profile"], ["10%", "more than 10 % of a stage"], ["50%", "more than half of a stage"], ["100%", "never stop"]];

export function rolloutPage() {
  const data = signal(/** @type {any} */ (undefined));
  const problem = signal(/** @type {unknown} */ (undefined));
  /** The review to confirm in a dialog; `loading` while accounts are read. */
  const asked = signal(/** @type {any} */ (undefined));
  const ending = signal(/** @type {any} */ (undefined));
  const busy = signal("");
  const boxes = signal(0);
  const folder = () => query.value["folder"] ?? "";
  const stages = () => ({ ...query.value["serial"] ? { serial: query.value["serial"] } : {}, ...query.value["failures"] ? { stop_on_failures: query.value["failures"] } : {} });
  const reading = newestOnly();
  const load = async () => {
    try {
      data.value = await reading.ask(`/api/rollout?${new URLSearchParams({ folder: folder(), ...stages() })}`);
    } catch (error) {
      problem.value = error;
    }
  };
  pageEffect(() => {
    lastChange.value;
    query.value;
    untracked(() => void load());
  });
  pageEffect(() => {
    if (reachable.value && problem.value instanceof ApiError && problem.value.status === 0) problem.value = undefined;
  });

  const open = async (/** @type {"apply" | "undo"} */ verb) => {
    problem.value = undefined;
    ending.value = undefined;
    boxes.value = 0;
    busy.value = `review ${verb}`;
    try {
      const [found, now] = await Promise.all([api(`/api/rollout/review?${new URLSearchParams({ folder: folder(), verb, ...stages() })}`), api("/api/console")]);
      about.value = { ...about.value, ...now };
      asked.value = found;
    } catch (error) {
      problem.value = error;
    } finally {
      busy.value = "";
    }
  };
  /** @param {any} event */
  const send = async (event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const { verb, plans } = asked.value;
    const [secret, again] = [form.get("passphrase"), form.get("again")];
    if (secret !== null && again !== null && secret !== again) {
      problem.value = new Error("The passphrases differ");
      return;
    }
    const decided = Object.fromEntries(plans.map((/** @type {any} */ one) => [one.plan_id, { shown: one.shown, accepted: one.asks.map((/** @type {any} */ { key }) => key) }]));
    const body = { folder: folder(), ...stages(), decided, skip_drifted: plans.some((/** @type {any} */ one) => one.drifted > 0), ...secret === null || about.value?.["approval_key"] === "open" ? {} : { passphrase: secret } };
    asked.value = undefined;
    problem.value = undefined;
    busy.value = verb;
    try {
      ending.value = { verb, ...await api(`/api/rollout/${verb}`, { body }) };
    } catch (error) {
      problem.value = error instanceof ApiError && error.status === 0 ? new ApiError(0, error.code, "The console's response was lost. The page reads the state of each profile when the console is back") : error;
    } finally {
      busy.value = "";
      if (reachable.value) await load();
    }
  };

  const dialog = () => {
    const { verb, plans } = asked.value;
    const close = () => {
      asked.value = undefined;
      problem.value = undefined;
    };
    const asking = plans.flatMap((/** @type {any} */ one) => one.asks.map((/** @type {any} */ ask) => ({ ...ask, message: `${one.country_code}: ${ask.message}` })));
    const drifted = plans.reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one.drifted, 0);
    const sizes = [...Map.groupBy(plans, (/** @type {any} */ one) => one.stage).values()].map((own) => whole(own.length));
    const sums = plans.reduce((/** @type {any} */ sum, /** @type {any} */ { counts }) => ({ update: sum.update + counts.update, create: sum.create + counts.create, archive: sum.archive + counts.archive }), { update: 0, create: 0, archive: 0 });
    const word = `${verb === "apply" ? "Apply" : "Undo"} in ${counted(plans.length, "profile")}`;
    const isByPolicy = asking.some((/** @type {any} */ { code }) => code.startsWith("POLICY"));
    const wanted = Math.min(asking.length, 13);
    return modal(word, send, html`
      <p class="under">${verb === "apply" ? `These changes are sent immediately and affect spend. ${sums.archive > 0 ? `${counted(sums.archive, "entity", "entities")} ${sums.archive === 1 ? "is" : "are"} archived for good. You can undo the rest.` : "You can undo them."}`
        : "The earlier values are sent immediately. After that, you can't apply this rollout."} After a failure, no further stage starts.</p>
      <dl class="facts"><dt>Stages</dt><dd>${sizes.join(", then ")}</dd><dt>Changes</dt><dd>${[["update", "changed"], ["create", "new"], ["archive", "archived"]].filter(([op]) => sums[/** @type {string} */ (op)] > 0).map(([op, name]) => `${whole(sums[/** @type {string} */ (op)])} ${name}`).join(", ")}</dd>
        ${drifted > 0 && html`<dt>Left out</dt><dd>${counted(drifted, "change")} of entities that changed since the plans were made</dd>`}</dl>
      <ul class="rows tight">${plans.map((/** @type {any} */ one) => html`<li key=${one.plan_id}><span class="strong">${one.country_code}</span><span class="low"><bdi>${visible(one.account_name ?? one.profile_id)}</bdi><div class="under">${one.facts.join(" · ")}</div>${one.warnings.map((/** @type {string} */ text) => html`<div class="under warn">${visible(text)}</div>`)}</span></li>`)}</ul>
      ${asks(asking, [], boxes)}${isByPolicy && passphrase(about.value?.["approval_key"])}${problem.value && html`<${Notice} error=${problem.value} />`}`,
    { close, word, busy: busy.value !== "" || !reachable.value, unread: wanted - boxes.value });
  };

  const view = () => {
    const found = data.value;
    const crumbs = html`<p class="crumbs"><a href="/plans">Plans</a> / Rollout</p>`;
    if (found === undefined) return html`${crumbs}${problem.value ? html`<${Notice} error=${problem.value} again=${load} />` : html`<${Loading} />`}`;
    const now = rollouts.value[found.folder];
    const count = (/** @type {string[]} */ ...states) => found.plans.filter((/** @type {any} */ { state }) => states.includes(state)).length;
    const openCount = found.undone_at ? 0 : count("open", "unfinished");
    const undoable = found.plans.filter((/** @type {any} */ one) => one.undoable).length;
    const isOff = about.value?.["read_only"] === true || !reachable.value || busy.value !== "" || now !== undefined;
    const { serial = "", failures = "" } = query.value;
    return html`${crumbs}<div class="head"><h1><bdi>${visible(found.note || "Rollout")}</bdi></h1></div>
      <p class="under">${counted(found.plans.length, "profile")} · made ${time(found.created_at)}${found.undone_at ? ` · undo began ${time(found.undone_at)}` : ""} · <code>${visible(found.folder)}</code></p>
      ${problem.value && asked.value === undefined && html`<${Notice} error=${problem.value} />`}
      ${ending.value && endView(ending.value)}
      ${now ? sendingView(now, () => void api("/api/rollout/stop", { body: { folder: found.folder } }).catch((error) => (problem.value = error))) : html`<div class="toolbar">
        <${Select} label="Stages" value=${serial} options=${SIZES.some(([sizes]) => sizes === serial) ? SIZES : [...SIZES, [serial, serial]]} onChange=${(/** @type {string} */ value) => setQuery({ serial: value })} />
        <${Select} label="Stop after" value=${failures} options=${FAILURES.some(([portion]) => portion === failures) ? FAILURES : [...FAILURES, [failures, failures]]} onChange=${(/** @type {string} */ value) => setQuery({ failures: value })} /></div>`}
      ${table(found.plans, now)}
      ${[...found.left_out, ...found.unreachable].length > 0 && html`<details class="section"><summary>${counted(found.left_out.length + found.unreachable.length, "profile")} without a plan</summary><ul class="rows tight">
        ${found.left_out.map((/** @type {any} */ one) => html`<li><span class="strong">${one.country_code}</span><span><bdi>${visible(one.account_name ?? one.profile_id)}</bdi>: ${visible(one.reason)}</span></li>`)}
        ${found.unreachable.map((/** @type {any} */ one) => html`<li><span>${visible(one.name)}: ${visible(one.reason)}</span></li>`)}</ul></details>`}
      <section class="stay" aria-label="Decide" ref=${keepHeight}><dl><div><dt>Not sent</dt><dd>${counted(openCount, "profile")}</dd></div><div><dt>Applied</dt><dd>${counted(count("done", "failed"), "profile")}</dd></div></dl>
        <div class="buttons">${undoable > 0 && html`<button type="button" class=${openCount === 0 ? "primary" : "second"} disabled=${isOff} onClick=${() => open("undo")}>${busy.value === "review undo" ? "Reading the accounts …" : "Undo …"}</button>`}
          ${openCount > 0 && html`<button type="button" class="primary" disabled=${isOff} onClick=${() => open("apply")}>${busy.value === "review apply" ? "Reading the accounts …" : `${openCount < found.plans.length ? "Continue" : "Apply"} in ${counted(openCount, "profile")} …`}</button>`}</div></section>
      ${asked.value && dialog()}`;
  };
  return { title: () => data.value?.note || "Rollout", view };
}

/**
 * @param {any} now
 * @param {() => void} stop
 */
function sendingView({ verb, state, total, done, failed, stage, running }, stop) {
  const isChecking = total === null;
  return html`<section class="sending" aria-label="Progress"><div class="section-head"><h2 role="status">${isChecking ? "Checking every account once more, before the first stage is sent …" : html`${verb === "undo" ? "Undoing" : "Applying"}: ${whole(done)} of ${counted(total, "profile")}${failed > 0 ? `, ${whole(failed)} failed` : ""}, stage ${whole(stage)}`}</h2>
      <button type="button" class="push" disabled=${state === "stopping"} onClick=${stop}>${state === "stopping" ? "Stopping …" : "Stop"}</button></div>
    ${!isChecking && html`<progress max=${total} value=${done + failed} aria-label="Profiles"></progress>
    <p class="under">${running.length > 0 ? `Being sent: ${running.map((/** @type {any} */ one) => one.country_code).join(", ")}` : "Waiting for the first response"}</p>`}</section>`;
}

/** @param {any} ending */
function endView({ verb, ok, stopped, plans }) {
  const done = plans.filter((/** @type {any} */ { state }) => state === "done").length;
  const word = `${verb === "apply" ? "Applied" : "Undone"} in ${whole(done)} of ${counted(plans.length, "profile")}`;
  if (ok) return html`<${Notice}>${word}.<//>`;
  const bad = plans.filter((/** @type {any} */ { state, summary }) => state !== "done" && summary);
  return html`<div class="notice bad" role="alert"><div>${word}. ${stopped ? `Stopped: ${visible(stopped)}. No more stages were started.` : ""}${bad.map((/** @type {any} */ one) => html`<div>${one.country_code}: ${visible(one.summary)}</div>`)}</div></div>`;
}

/**
 * @param {any[]} plans
 * @param {any} now
 */
function table(plans, now) {
  const running = new Set(now?.running.map((/** @type {any} */ one) => one.plan_id));
  const staged = Map.groupBy(plans, ({ stage }) => stage);
  return html`<${Sheet} name="rollout"><table class="plain cards"><thead><tr><th scope="col">Profile</th><th scope="col">State</th><th scope="col" class="number">Changes</th><th scope="col" class="number">Spend a day</th></tr></thead>
    <tbody>${[...staged].map(([stage, own]) => html`<tr class="group" key=${`stage ${stage}`}><th colspan="4" scope="rowgroup" class="all">Stage ${stage} · ${counted(own.length, "profile")}</th></tr>${own.map((one) => {
    const [kind, word] = STATES[one.state] ?? ["muted", one.state];
    return html`<tr key=${one.plan_id}><td class="wide"><a class="strong two-lines" href=${`/plans/${one.plan_id}`}><bdi>${one.country_code} · ${visible(one.account_name ?? one.profile_id)}</bdi></a><div class="under">${one.plan_id}</div></td>
      <td>${running.has(one.plan_id) ? html`<${Badge} kind="now">Being sent<//>` : html`<${Sign} kind=${kind}>${word}<//>`}${one.summary && html`<div class="under">${visible(one.summary)}</div>`}</td>
      <td class="number" data-label="Changes">${whole(one.counts.update + one.counts.create + one.counts.archive)}</td><td class="number" data-label="Spend a day">${spendView(one.spend)}</td></tr>`;
  })}`)}</tbody></table><//>`;
}
