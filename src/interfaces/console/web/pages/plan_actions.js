// @ts-check
/// <reference lib="dom" />
import { ApiError, api, reachable } from "../api.js";
import { clock, counted, money, percent, time, whole } from "../format.js";
import { progress } from "../live.js";
import { go } from "../router.js";
import { about, showModal } from "../shell.js";
import { computed, Copy, html, Notice, pageEffect, signal, visible } from "../ui.js";
import { lostWords, undoWords } from "./plan_words.js";
import { spendView } from "./plans.js";

const BOXES = 12;

/**
 * @param {{ id: string, shown: any, review: any, unticked: any, fixed: any, changes: any, findings: any, reload: () => Promise<void> }} parts
 */
export function planActions({ id, shown, review, unticked, fixed, changes, findings, reload }) {
  const problem = signal(/** @type {unknown} */ (undefined));
  const done = signal("");
  const busy = signal("");
  const dialog = signal("");
  const more = signal(false);
  const boxes = signal(0);
  const givesUp = signal("");

  const fingerprint = () => shown.value.plan.fingerprint;
  const asking = computed(() => findings.value.all.filter((/** @type {any} */ { level }) => level === "approve"));
  const byPolicy = () => asking.value.some((/** @type {any} */ { code }) => code.startsWith("POLICY"));
  const isDenied = () => findings.value.all.some((/** @type {any} */ { level, change }) => level === "deny" && !fixed.value.has(change));
  const left = computed(() => new Set([...fixed.value, ...unticked.value]));
  const sending = computed(() => changes.value.filter((/** @type {any} */ { change }) => !left.value.has(change)));
  const decided = () => ({
    fingerprint: fingerprint(),
    shown: review.value?.shown,
    accepted: asking.value.map((/** @type {any} */ { code, change, rule }) =>
      [code, change, code.startsWith("POLICY_RULE") ? rule : undefined].filter((part) => part !== undefined).join(" ")
    ),
  });
  /**
   * The passphrase of a form; `undefined` where two differ.
   *
   * @param {FormData} form
   */
  const secretOf = (form) => {
    const passphrase = form.get("passphrase");
    if (about.value?.["approval_key"] === "none" && passphrase !== form.get("again")) {
      problem.value = new Error("The passphrases differ");
      return undefined;
    }
    return about.value?.["approval_key"] === "open" || passphrase === null ? {} : { passphrase };
  };

  /**
   * @param {string} what
   * @param {Record<string, unknown>} body
   * @param {(result: any) => void} [then]
   */
  const act = async (what, body, then) => {
    busy.value = what;
    problem.value = undefined;
    done.value = "";
    try {
      const result = await api(`/api/plans/${id}/${what}`, { body });
      dialog.value = "";
      then?.(result);
    } catch (error) {
      const isLost = error instanceof ApiError && error.status === 0;
      if (error instanceof ApiError && error.code === "GIVES_UP") {
        givesUp.value = error.message;
        dialog.value = "undo";
        return;
      }
      if (isLost && dialog.value !== "") dialog.value = "";
      problem.value = isLost ? new ApiError(0, error.code, lostWords(what, progress.value[id], sending.value.length)) : error;
    } finally {
      busy.value = "";
      if (reachable.value) await reload();
    }
  };
  pageEffect(() => {
    if (reachable.value && problem.value instanceof ApiError && problem.value.status === 0) problem.value = undefined;
  });
  pageEffect(() => {
    // Another tab, a person or an agent decided meanwhile: there is nothing left to ask.
    const asksIn = dialog.value === "undo" ? "unfinished" : "waiting";
    if (shown.value !== undefined && shown.value.state !== asksIn && dialog.value !== "") dialog.value = "";
  });
  /** @param {string} name */
  const open = async (name) => {
    problem.value = undefined;
    more.value = false;
    boxes.value = 0;
    about.value = { ...about.value, ...await api("/api/console").catch(() => ({})) };
    dialog.value = name;
  };
  const drop = (/** @type {number[]} */ positions) =>
    act("part", { fingerprint: fingerprint(), leave_out: [...new Set([...positions, ...unticked.value])] }, ({ plan_id: next }) => {
      unticked.value = new Set();
      go(`/plans/${next}`);
    });

  /** @param {any} event */
  const approve = (event) => {
    event.preventDefault();
    const secret = secretOf(new FormData(event.currentTarget));
    if (secret === undefined) return;
    void act("approve", { ...decided(), ...secret }, () => (done.value = "Approved: the agent can apply this plan now"));
  };
  /** @param {any} event */
  const apply = (event) => {
    event.preventDefault();
    const secret = byPolicy() ? secretOf(new FormData(event.currentTarget)) : {};
    if (secret === undefined) return;
    dialog.value = "";
    void act("apply", { ...decided(), ...secret, skip_drifted: review.value.drift.length > 0 });
  };

  const whyNot = () => {
    const { plan } = shown.value;
    if (about.value?.["read_only"] === true) return "The console was started with --read-only.";
    if (!reachable.value) return "The console is not responding.";
    if (review.value === undefined) return "The account is being read.";
    if (isDenied()) return "The policy denies this plan. Drop the denied changes, or make another plan.";
    if (sending.value.length === 0) {
      return plan.campaigns.length === 0 ? "The plan changes nothing." : "Nothing would be sent: every change is left out, no longer fits the account, or cannot be sent.";
    }
    return undefined;
  };

  const dialogs = () => {
    const close = () => (dialog.value = "");
    const count = counted(sending.value.length, "change");
    const wanted = Math.min(asking.value.length, BOXES + 1);
    const unread = wanted - boxes.value;
    const parts = { close, busy: busy.value !== "" || !reachable.value, unread };
    if (dialog.value === "approve") {
      return modal(`Approve ${count}`, approve, html`
        <p class="under">Your signature covers this list. An agent can then apply exactly these changes, once, within half an hour.</p>
        ${facts(shown.value, review.value, sending.value, left.value.size)}
        ${asks(asking.value, changes.value, boxes)}
        ${passphrase(about.value?.["approval_key"])}
        ${problem.value && html`<${Notice} error=${problem.value} />`}`, { ...parts, word: busy.value ? "Signing …" : `Approve ${count}` });
    }
    if (dialog.value === "apply") {
      return modal(`Apply ${count}`, apply, html`
        <p class="under">These changes are sent immediately and affect spend. ${undoWords(sending.value)}</p>
        ${shown.value.plan.warnings.map((/** @type {string} */ text) => html`<p class="warn">${visible(text)}</p>`)}
        ${facts(shown.value, review.value, sending.value, left.value.size)}
        ${asks(asking.value, changes.value, boxes)}
        ${byPolicy() && passphrase(about.value?.["approval_key"])}
        ${problem.value && html`<${Notice} error=${problem.value} />`}`, { ...parts, word: `Apply ${count}` });
    }
    if (dialog.value === "refuse") {
      return modal("Refuse this plan", (/** @type {any} */ event) => {
        event.preventDefault();
        void act("refuse", { fingerprint: fingerprint() });
      }, html`<p>This is final: the plan can never be applied. Its maker can make a new plan.</p>`, { ...parts, unread: 0, word: "Refuse" });
    }
    if (dialog.value === "undo") {
      return modal("Give up the rest of this plan", (/** @type {any} */ event) => {
        event.preventDefault();
        void act("undo", { give_up: true }, toUndo);
      }, html`<p>${visible(givesUp.value)}</p>
        ${problem.value && html`<${Notice} error=${problem.value} />`}`, { ...parts, unread: 0, word: "Give up the rest" });
    }
    return null;
  };
  const toUndo = (/** @type {any} */ { plan_id: next }) => go(`/plans/${next}`);

  const draw = () => {
    const { state, maker, approved_until: until, running, rollback_plan_id: undo, time_zone: zone, plan } = shown.value;
    const now = progress.value[id];
    const isOpen = state === "waiting" && !running && !now;
    const why = state === "waiting" ? whyNot() : undefined;
    const isOff = why !== undefined || busy.value !== "";
    const count = counted(sending.value.length, "change");
    const readOnly = about.value?.["read_only"] === true || !reachable.value;
    const agent = maker === "agent";
    const isApproved = state === "waiting" && Boolean(until);
    const button = (/** @type {string} */ name, /** @type {string} */ word, /** @type {boolean} */ isFirst) => html`
      <button type="button" class=${isFirst ? "primary" : "second"} disabled=${isOff} onClick=${() => open(name)}>${word}</button>`;
    return html`
      ${until && state === "waiting" && html`<p class="notice" role="status">Approved: the agent may apply it until ${time(until, zone)}.</p>`}
      ${done.value && html`<p class="notice" role="status">${done.value}</p>`}
      ${problem.value && dialog.value === "" && html`<${Notice} error=${problem.value} />`}
      ${now && progressView(now)}
      <section class=${`stay${more.value ? " open" : ""}`} aria-label="Decide" ref=${keepHeight}>
        <dl><div><dt>${state === "waiting" ? "To be sent" : "Changes"}</dt><dd>${state === "waiting" ? `${whole(sending.value.length)} of ` : ""}${counted(changes.value.length, "change")}</dd></div>
          ${directions("Bids", plan.bids)}${directions("Budgets", plan.daily_budgets)}
          <div><dt>Spend</dt><dd>${spendView((review.value ?? shown.value).spend)}</dd></div>
          ${state === "waiting" && html`<div class="more-only"><dt>Left out</dt><dd>${whole(left.value.size)}</dd></div>`}
          ${asking.value.length > 0 && html`<div class="more-only"><dt>Need approval</dt><dd>${whole(asking.value.length)}</dd></div>`}</dl>
        <div class="buttons">
          ${isOpen && (unticked.value.size > 0
      ? html`<button type="button" class="second" onClick=${() => (unticked.value = new Set())}>Include all again</button>
            <button type="button" class="primary" disabled=${readOnly || busy.value !== "" || sending.value.length === 0} onClick=${() => drop([...left.value])}>Make a plan with ${count}</button>`
      : html`<button type="button" class="second" disabled=${readOnly || busy.value !== ""} onClick=${() => open("refuse")}>Refuse …</button>
            ${agent ? button("apply", `Apply ${count} …`, false) : button("approve", "Approve for an agent …", false)}
            ${agent ? isApproved ? html`<button type="button" class="primary" disabled>Approved until ${clock(until, zone)}</button>` : button("approve", `Approve ${count} …`, true) : button("apply", `Apply ${count} …`, true)}
            <button type="button" class="for-phone" aria-expanded=${more.value} aria-label="More" onClick=${() => (more.value = !more.value)}>…</button>`)}
          ${state === "unfinished" && !running && !now && html`
            <button type="button" class="primary" disabled=${readOnly || busy.value !== ""} onClick=${() => act("resume", decided())}>Finish sending</button>`}
          ${(undo || state === "unfinished") && !running && !now && state !== "undone" && html`
            <button type="button" disabled=${readOnly || busy.value !== ""} onClick=${() => act("undo", {}, toUndo)}>Undo …</button>`}
        </div>
        ${isOpen && unticked.value.size === 0 && why && review.value !== undefined && html`<p class="why-not" role="status">${why}</p>`}
      </section>
      ${dialogs()}`;
  };
  return {
    draw,
    drop,
    decide: () => {
      if (shown.value?.state === "waiting" && unticked.value.size === 0 && whyNot() === undefined) void open(shown.value.maker === "agent" ? "approve" : "apply");
    },
  };
}

/** @param {any} element its height is where the head of the table stays below */
export function keepHeight(element) {
  if (element === null || element.seen) return;
  element.seen = true;
  new ResizeObserver(() => document.documentElement.style.setProperty("--stay", `${innerWidth < 640 ? 0 : element.offsetHeight}px`)).observe(element);
}

/**
 * @param {string} name
 * @param {any} amounts
 */
function directions(name, { raised, lowered }) {
  if (raised + lowered === 0) return null;
  return html`<div class="more-only"><dt>${name}</dt><dd>${[lowered && `${whole(lowered)} lowered`, raised && `${whole(raised)} raised`].filter(Boolean).join(", ")}</dd></div>`;
}

/**
 * What a person decides about, in full.
 *
 * @param {any} shown
 * @param {any} review
 * @param {any[]} sending
 * @param {number} left
 */
function facts({ plan, decimals }, review, sending, left) {
  const steps = sending.flatMap(({ fields }) => fields.flatMap((/** @type {any} */ { percent: by }) => by ?? []));
  const amounts = sending.flatMap(({ fields }) => fields.flatMap((/** @type {any} */ { after, difference }) => difference === undefined ? [] : [after]));
  const ops = Map.groupBy(sending, ({ op }) => op);
  const signed = (/** @type {number} */ by) => `${by < 0 ? "−" : "+"}${Math.abs(by).toFixed(1)} %`;
  const range_ = (/** @type {number[]} */ values) => [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const [least, most] = steps.length > 0 ? range_(steps) : [0, 0];
  return html`<dl class="facts"><dt>Account</dt><dd>${review?.account ? html`<bdi>${visible(review.account)}</bdi>, ${plan.country_code}` : `${plan.country_code}, profile ${plan.profile_id}`}</dd>
    <dt>Changes</dt><dd>${[["update", "changed"], ["create", "new"], ["archive", "archived"], ["call", "calls"]].filter(([op]) => ops.has(op)).map(([op, word]) => `${whole(ops.get(op)?.length)} ${word}`).join(", ")}</dd>
    ${left > 0 && html`<dt>Left out</dt><dd>${whole(left)}: no longer fit the account, or cannot be sent</dd>`}
    ${(review?.facts ?? []).length > 0 && html`<dt>Effect</dt><dd>${review.facts.map((/** @type {string} */ line) => html`<div>${line}</div>`)}</dd>`}
    ${steps.length > 0 && html`<dt>Largest steps</dt><dd>${least === most ? signed(least ?? 0) : `${signed(least ?? 0)} and ${signed(most ?? 0)}`} · amounts ${range_(amounts).map((one) => money(one, decimals)).join(" to ")} ${plan.currency ?? ""}</dd>`}
    <dt>Fingerprint</dt><dd><code>${plan.fingerprint.slice(0, 16)} …</code> <${Copy} text=${plan.fingerprint} /></dd></dl>`;
}

/**
 * A box for each finding that asks for a person.
 *
 * @param {any[]} asking
 * @param {any[]} changes
 * @param {{ value: number }} boxes how many are ticked
 */
export function asks(asking, changes, boxes) {
  if (asking.length === 0) return null;
  const byChange = new Map(changes.map((change) => [change.change, change]));
  const ticked = (/** @type {any} */ { currentTarget }) => (boxes.value = currentTarget.closest("form").querySelectorAll("[name=ask]:checked").length);
  const box = (/** @type {unknown} */ text) => html`<li><label><input type="checkbox" name="ask" required onChange=${ticked} /> <span>${text}</span></label></li>`;
  const figures = (/** @type {any} */ { evidence: { acos, orders } = {} } = {}) =>
    [acos !== undefined && `ACOS ${percent(acos)}`, orders !== undefined && counted(orders, "order")].filter(Boolean).join(", ");
  return html`<h3>Needs approval</h3><ul class="asks">${asking.slice(0, BOXES).map(({ message, change }) => {
    const known = figures(byChange.get(change));
    return box(html`${visible(message)}${known && html` <span class="muted">· ${known}</span>`}`);
  })}${asking.length > BOXES && box(`I have read the other ${asking.length - BOXES} findings that need approval`)}</ul>`;
}

/** @param {string} key state of the approval key */
export function passphrase(key) {
  if (key === "open") return html`<p class="under">Your approval key has no passphrase.</p>`;
  if (key === "passphrase") {
    return html`<label class="line">Passphrase of your approval key
      <input type="password" name="passphrase" autocomplete="off" required /></label><p class="under">Used only for this signature, and not stored.</p>`;
  }
  return html`<p>This is your first approval, so a key is created. Choose a passphrase: without one, any program that
      runs under your user account could use the key.</p>
    <label class="line">New passphrase <input type="password" name="passphrase" autocomplete="new-password" /></label>
    <label class="line">Repeat the passphrase <input type="password" name="again" autocomplete="new-password" /></label>`;
}

/**
 * @param {string} title
 * @param {(event: any) => void} submit
 * @param {unknown} content
 * @param {{ close: () => void, word: string, busy: boolean, unread: number }} parts
 */
export function modal(title, submit, content, { close, word, busy, unread }) {
  return html`<dialog aria-labelledby="dialog-title" ref=${showDecision} onClose=${close}>
    <form onSubmit=${submit}>
      <h2 id="dialog-title">${title}</h2>
      ${content}
      <div class="buttons">
        <button type="button" onClick=${close}>Cancel</button>
        <span class="under grow" style=${{ textAlign: "right" }} role="status">${unread > 0 && `${unread} ${unread === 1 ? "box is" : "boxes are"} not ticked`}</span>
        <button type="submit" class="primary" disabled=${busy || unread > 0}>${word}</button>
      </div>
    </form>
  </dialog>`;
}

/**
 * Opens a dialog on what is to be decided: its first box, its passphrase, or its button.
 *
 * @param {any} element
 */
function showDecision(element) {
  if (element === null || element.open) return;
  showModal(element);
  (element.querySelector("[name=ask]") ?? element.querySelector("[type=password]") ?? element.querySelector("[type=submit]"))?.focus();
}

/** @param {any} progress */
function progressView({ sent, total, requests }) {
  return html`<div class="sending" role="status">
    <label for="sending">Sending: ${whole(sent)} of ${counted(total, "change")}</label>
    <progress id="sending" max=${total} value=${sent}></progress>
    <ol class="requests">${requests.slice(-8).map((/** @type {any} */ { what, changes, outcomes }) => html`<li>${what}: ${counted(changes, "change")} ${outcomes === undefined ? "under way" : Object.entries(outcomes).map(([name, count]) => `${count} ${name.replace("_", " ")}`).join(", ")}</li>`)}</ol>
  </div>`;
}
