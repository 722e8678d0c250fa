// @ts-check
/// <reference lib="dom" />
/** What a person can decide about a plan, each behind a dialog that says what will happen. */
import { api } from "../api.js";
import { counted, time } from "../format.js";
import { progress } from "../live.js";
import { go } from "../router.js";
import { html, Notice, signal, visible } from "../ui.js";

/**
 * @param {{ id: string, shown: any, review: any, out: any, findings: any, reload: () => Promise<void> }} parts
 */
export function actions({ id, shown, review, out, findings, reload }) {
  const problem = signal(/** @type {unknown} */ (undefined));
  const done = signal("");
  const busy = signal("");
  const dialog = signal("");
  const about = signal(/** @type {any} */ (undefined));

  void api("/api/console").then((found) => (about.value = found), () => {});

  const fingerprint = () => shown.value.plan.fingerprint;
  const asking = () => findings.value.all.filter((/** @type {any} */ { level }) => level === "approve");
  const byPolicy = () => asking().some((/** @type {any} */ { code }) => code.startsWith("POLICY"));
  const decided = () => ({
    fingerprint: fingerprint(),
    shown: review.value?.shown,
    accepted: asking().map((/** @type {any} */ { code, change, rule }) =>
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
    if (about.value?.approval_key === "none" && passphrase !== form.get("again")) {
      problem.value = new Error("The passphrases differ");
      return undefined;
    }
    return about.value?.approval_key === "open" || passphrase === null ? {} : { passphrase };
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
      problem.value = error;
    } finally {
      busy.value = "";
      await reload();
    }
  };
  /** @param {string} name */
  const open = async (name) => {
    problem.value = undefined;
    about.value = await api("/api/console").catch(() => ({}));
    dialog.value = name;
  };

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
    const form = new FormData(event.currentTarget);
    const secret = byPolicy() ? secretOf(form) : {};
    if (secret === undefined) return;
    dialog.value = "";
    void act("apply", { ...decided(), ...secret, skip_drifted: form.get("skip") === "on" });
  };

  const dialogs = () => {
    const close = () => (dialog.value = "");
    if (dialog.value === "approve") {
      return modal("Approve for an agent", close, approve, html`
        <p>An agent may then apply exactly it, for half an hour: ${counted(shown.value.plan.counts.create + shown.value.plan.counts.update + shown.value.plan.counts.archive, "change")} to profile ${shown.value.plan.profile_id} (${shown.value.plan.country_code}).</p>
        ${accept(asking())}
        ${passphrase(about.value?.approval_key)}
        ${problem.value && html`<${Notice} error=${problem.value} />`}`, busy.value ? "Signing …" : "Approve", busy.value !== "");
    }
    if (dialog.value === "apply") {
      const drifted = review.value?.drift.length ?? 0;
      return modal("Apply now", close, apply, html`
        <p>This sends ${counted(shown.value.plan.counts.create + shown.value.plan.counts.update + shown.value.plan.counts.archive, "change")} to profile ${shown.value.plan.profile_id} (${shown.value.plan.country_code}). Spend follows at once.</p>
        ${accept(asking())}
        ${byPolicy() && passphrase(about.value?.approval_key)}
        ${problem.value && html`<${Notice} error=${problem.value} />`}
        ${drifted > 0 && html`<p><label><input type="checkbox" name="skip" /> Leave out ${counted(drifted, "change")} that no longer fit the account; otherwise nothing is sent</label></p>`}`, "Apply");
    }
    if (dialog.value === "refuse") {
      return modal("Refuse this plan", close, (/** @type {any} */ event) => {
        event.preventDefault();
        void act("refuse", { fingerprint: fingerprint() });
      }, html`<p>A refusal is final: nobody can apply this plan any more.</p>`, "Refuse");
    }
    return null;
  };

  return () => {
    const { state, maker, approved_until: until, running, rollback_plan_id: undo, time_zone: zone } = shown.value;
    const readOnly = about.value?.read_only === true;
    const now = progress.value[id];
    const without = out.value.size;
    const denied = findings.value.all.some((/** @type {any} */ { level }) => level === "deny");
    return html`<section class="actions" aria-label="Decide">
      ${now && sending(now)}
      ${until && state === "waiting" && html`<p class="notice" role="status">Approved: the agent may apply it until ${time(until, zone)}.</p>`}
      ${done.value && html`<p class="notice" role="status">${done.value}</p>`}
      ${problem.value && dialog.value === "" && html`<${Notice} error=${problem.value} />`}
      ${denied && state === "waiting" && html`<p class="notice bad" role="alert">The policy denies this plan: it cannot be applied as it is.</p>`}
      <div class="buttons">
        ${state === "waiting" && !running && !now && (without > 0
          ? html`<button type="button" class="primary" disabled=${readOnly || busy.value !== ""}
              onClick=${() => act("part", { fingerprint: fingerprint(), leave_out: [...out.value] }, ({ plan_id: next }) => {
                out.value = new Set();
                go(`/plans/${next}`);
              })}>Make a plan without ${counted(without, "change")}</button>
            <button type="button" onClick=${() => (out.value = new Set())}>Take all in again</button>`
          : html`
            <button type="button" class=${maker === "agent" ? "primary" : ""} disabled=${denied || readOnly || busy.value !== "" || review.value === undefined}
              onClick=${() => open("approve")}>Approve for an agent …</button>
            <button type="button" class=${maker === "agent" ? "" : "primary"} disabled=${denied || readOnly || busy.value !== "" || review.value === undefined}
              onClick=${() => open("apply")}>Apply now …</button>
            <button type="button" disabled=${readOnly || busy.value !== ""} onClick=${() => open("refuse")}>Refuse …</button>`)}
        ${state === "unfinished" && !running && !now && html`
          <button type="button" class="primary" disabled=${readOnly || busy.value !== ""} onClick=${() => act("resume", decided())}>Finish sending</button>`}
        ${(undo || state === "unfinished") && !running && !now && state !== "rolled_back" && html`
          <button type="button" disabled=${readOnly || busy.value !== ""}
            onClick=${() => act("undo", {}, ({ plan_id: next }) => go(`/plans/${next}`))}>Undo …</button>`}
      </div>
      ${dialogs()}
    </section>`;
  };
}

/**
 * What a person must have seen; the box has to be ticked.
 *
 * @param {any[]} asking
 */
function accept(asking) {
  if (asking.length === 0) return null;
  return html`<p><label><input type="checkbox" required /> I have read what asks for a person (${counted(asking.length, "finding")}), such as: ${visible(asking[0].message)}</label></p>`;
}

/** @param {string} key state of the approval key */
function passphrase(key) {
  if (key === "open") return html`<p class="under">Your approval key has no passphrase.</p>`;
  if (key === "passphrase") {
    return html`<label class="line">Passphrase of your approval key
      <input type="password" name="passphrase" autocomplete="off" required /></label>`;
  }
  return html`<p>This is your first approval, so a key is made for it. Choose a passphrase; without one, any program that
      runs as you could use the key.</p>
    <label class="line">New passphrase <input type="password" name="passphrase" autocomplete="new-password" /></label>
    <label class="line">Once more <input type="password" name="again" autocomplete="new-password" /></label>`;
}

/**
 * @param {string} title
 * @param {() => void} close
 * @param {(event: any) => void} submit
 * @param {unknown} content
 * @param {string} word
 * @param {boolean} [busy]
 */
function modal(title, close, submit, content, word, busy = false) {
  return html`<dialog aria-labelledby="dialog-title" ref=${showModal} onClose=${close}>
    <form onSubmit=${submit}>
      <h2 id="dialog-title">${title}</h2>
      ${content}
      <div class="buttons">
        <button type="submit" class="primary" disabled=${busy}>${word}</button>
        <button type="button" onClick=${close}>Cancel</button>
      </div>
    </form>
  </dialog>`;
}

/** @param {any} element */
function showModal(element) {
  if (element !== null && !element.open) element.showModal();
}

/** @param {any} progress */
function sending({ sent, total, requests }) {
  return html`<div class="sending">
    <label for="sending">Sending: ${counted(sent, "change")} of ${total}</label>
    <progress id="sending" max=${total} value=${sent}></progress>
    <ol class="requests">${requests.slice(-8).map((/** @type {any} */ { what, changes, outcomes }) => html`<li>${what}: ${counted(changes, "change")} ${outcomes === undefined ? "under way" : Object.entries(outcomes).map(([name, count]) => `${count} ${name.replace("_", " ")}`).join(", ")}</li>`)}</ol>
  </div>`;
}
