// @ts-check
/// <reference lib="dom" />
import { api, reachable } from "./api.js";
import { allKeys, commonKeys, keysOn, switchKeys } from "./keys.js";
import { shortTime } from "./format.js";
import { lastChange, syncing } from "./live.js";
import { go, path } from "./router.js";
import { effect, html, Icon, signal, untracked, visible } from "./ui.js";

/** @type {[group: string, pages: [address: string, name: string][]][]} */
const NAVIGATION = [
  ["", [["/", "Overview"], ["/inbox", "Inbox"]]],
  ["Change", [["/grid", "Grid"], ["/jobs", "Weekly jobs"], ["/terms", "Search terms"], ["/plans", "Plans"], ["/schedules", "Schedules"], ["/experiments", "Experiments"]]],
  ["Inspect", [["/explore", "Explore"], ["/account", "Account"]]],
  ["Tools", [["/operations", "Operations"], ["/service", "Service"]]],
];

export const about = signal(/** @type {Record<string, any> | undefined} */ (undefined));
const counts = signal(/** @type {Record<string, number>} */ ({}));
const isOpen = signal(false);
const dialog = signal("");
const plans = signal(/** @type {any[]} */ ([]));
const wanted = signal("");

const marketOption = signal(/** @type {string | undefined} */ (undefined));
/** @type {Promise<void> | undefined} */
let marketRead;

/**
 * A command for the terminal that works as it is: with the options by which this console reaches its account and store.
 *
 * @param {string} words
 * @param {{ market?: boolean, store?: boolean }} [needs] what the command is about
 * @returns {string} empty until these options are known
 */
export function adsctl(words, { market = false, store = false } = {}) {
  if (about.value === undefined) return "";
  const options = about.value["command_options"];
  if (market && marketOption.value === undefined) {
    marketRead ??= readMarket();
    return "";
  }
  return ["adsctl", words, market && marketOption.value, options?.account, store && options?.store].filter(Boolean).join(" ");
}

async function readMarket() {
  const { profiles: [first] } = await api("/api/profiles").catch(() => ({ profiles: [] }));
  marketOption.value = first ? `-m ${first.country_code}` : "";
}

async function readCounts() {
  counts.value = await api("/api/counts").catch(() => counts.value);
}

export function startShell() {
  effect(() => {
    lastChange.value;
    untracked(() => void readCounts());
  });
  effect(() => {
    path.value;
    untracked(() => (isOpen.value = false));
  });
  commonKeys([
    { key: "/", does: "go to a page or plan", run: openGoto },
    { key: "?", does: "show all shortcuts", run: () => (dialog.value = "keys") },
    {
      key: "f",
      does: "find",
      run: () => {
        const field = document.querySelector("main input[type=search]");
        if (field instanceof HTMLElement) field.focus();
      },
    },
  ]);
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape") isOpen.value = false;
  });
}

function openGoto() {
  wanted.value = "";
  dialog.value = "goto";
  void api("/api/plans").then((found) => (plans.value = found.plans), () => {});
}

/** @param {string} address */
function isCurrent(address) {
  return address === "/" ? path.value === "/" : path.value.startsWith(address);
}

/**
 * The frame around a page.
 *
 * @param {unknown} content
 * @param {string} title
 */
export function frame(content, title) {
  const { demo = false, rehearsal = null, read_only: readOnly = false, synced_at: synced } = about.value ?? {};
  const groups = NAVIGATION.map(([group, pages]) => /** @type {typeof NAVIGATION[number]} */ ([
    group,
    group === "Tools" && demo ? [...pages, ["/emulator", "Emulator"]] : pages,
  ]));
  const alerts = counts.value["alerts"] ?? 0;
  const count = (/** @type {string} */ address) => address === "/inbox" ? alerts : address === "/plans" ? counts.value["plans"] ?? 0 : 0;
  return html`
    <a class="skip" href="#main" onClick=${(/** @type {any} */ event) => {
    event.preventDefault();
    document.getElementById("main")?.focus();
  }}>Skip to the content</a>
    ${!reachable.value && html`<p class="gone" role="alert">The console is not responding. You cannot change anything until it is back; this page keeps trying.</p>`}
    <div class="frame">
      <header class="bar">
        <button type="button" class="menu" aria-label="Pages" aria-expanded=${isOpen.value} onClick=${openMenu}><${Icon} name="menu" /></button>
        <strong class="cut">${title}</strong>
        ${alerts > 0 && html`<a href="/inbox">Inbox ${alerts}</a>`}
      </header>
      ${isOpen.value && html`<button type="button" class="shade" aria-label="Close the list of pages" onClick=${() => (isOpen.value = false)}></button>`}
      <aside class=${`side${isOpen.value ? " open" : ""}`} aria-label="Console">
        <div class="brand">Ads console</div>
        <button type="button" class="goto" onClick=${openGoto}>Go to … <kbd>/</kbd></button>
        <nav aria-label="Pages">${groups.map(([group, pages]) => html`
          ${group !== "" && html`<h2>${group}</h2>`}
          ${pages.map(([address, name]) => html`<a href=${address} aria-current=${isCurrent(address) ? "page" : undefined}><span>${name}</span>${
    count(address) > 0 && html`<span class="count">${count(address)}</span>`}</a>`)}`)}
        </nav>
        <div class="state">
          ${demo && html`<strong>${rehearsal === null ? "Demo account" : `Rehearsal, copy from ${rehearsal.slice(0, 10)}`}</strong>`}
          ${readOnly && html`<strong>Read-only</strong>`}
          ${syncing.value?.state === "running" ? html`<a href="/explore?view=coverage">Syncing, ${syncing.value.done} of ${syncing.value.total}</a>` : synced && html`<a class="muted" href="/explore?view=coverage">Synced ${shortTime(synced)}</a>`}
        </div>
      </aside>
      <main id="main" tabindex="-1">${content}</main>
    </div>
    ${dialog.value === "goto" && gotoDialog()}${dialog.value === "keys" && keyDialog()}`;
}

function openMenu() {
  isOpen.value = !isOpen.value;
  const first = document.querySelector(".side nav a");
  if (isOpen.value && first instanceof HTMLElement) requestAnimationFrame(() => first.focus());
}

/** @param {any} element */
export function showModal(element) {
  if (element !== null && !element.open) element.showModal();
}

function gotoDialog() {
  const close = () => (dialog.value = "");
  const all = [
    ...NAVIGATION.flatMap(([, pages]) => pages).map(([address, name]) => ({ address, name, under: "page" })),
    ...plans.value.map((/** @type {any} */ plan) => ({
      address: `/plans/${plan.id}`,
      name: plan.note || `Plan ${plan.id}`,
      under: `plan, ${plan.country_code ?? ""} ${plan.id}`,
    })),
  ];
  const found = all.filter(({ name, under }) => `${name} ${under}`.toLowerCase().includes(wanted.value.toLowerCase())).slice(0, 12);
  const open = (/** @type {string} */ address) => {
    close();
    go(address);
  };
  return html`<dialog aria-label="Go to" ref=${showModal} onClose=${close}>
    <form onSubmit=${(/** @type {any} */ event) => {
    event.preventDefault();
    if (found[0] !== undefined) open(found[0].address);
  }}><label class="line">Page or plan<input type="search" autofocus value=${wanted.value} onInput=${(/** @type {any} */ { target }) => (wanted.value = target.value)} /></label></form>
    <ul class="rows tight">${found.map(({ address, name, under }) => html`<li><span></span>
      <a href=${address} onClick=${close}><bdi>${visible(name)}</bdi></a><span class="under end">${visible(under)}</span></li>`)}</ul>
    ${found.length === 0 && html`<p class="under">No page or plan matches.</p>`}
    <div class="buttons"><button type="button" onClick=${close}>Close</button></div></dialog>`;
}

function keyDialog() {
  const close = () => (dialog.value = "");
  return html`<dialog aria-labelledby="keys-title" ref=${showModal} onClose=${close}>
    <h2 id="keys-title">Keyboard shortcuts</h2>
    <dl class="facts">${allKeys().map(({ key, does }) => html`<dt><kbd>${key}</kbd></dt><dd>${does}</dd>`)}</dl>
    <p><label><input type="checkbox" checked=${keysOn.value} onChange=${() => switchKeys(!keysOn.value)} /> Use keyboard shortcuts</label></p>
    <div class="buttons"><button type="button" onClick=${close}>Close</button></div></dialog>`;
}
