// @ts-check
/// <reference lib="dom" />
/** The frame of every page: navigation, sign-in, and the page that the address means. */
import { api, listen, signedIn, signIn, signInProblem } from "./api.js";
import { followLink, path } from "./router.js";
import { effect, endPageEffects, html, Loading, Notice, render, signal, untracked } from "./ui.js";
import { planChanged, progressChanged } from "./live.js";

/**
 * @typedef {{ view: () => unknown, title: () => string }} Page
 * @typedef {{ pattern: RegExp, load: () => Promise<(params: string[]) => Page> }} PageEntry
 */

/** @type {PageEntry[]} */
const PAGES = [
  { pattern: /^\/$/, load: () => import("./pages/overview.js").then(({ overviewPage }) => overviewPage) },
  { pattern: /^\/plans$/, load: () => import("./pages/plans.js").then(({ plansPage }) => plansPage) },
  { pattern: /^\/plans\/([\w-]+)$/, load: () => import("./pages/plan.js").then(({ planPage }) => planPage) },
  { pattern: /^\/explore$/, load: () => import("./pages/explore.js").then(({ explorePage }) => explorePage) },
  { pattern: /^\/account$/, load: () => import("./pages/account.js").then(({ accountPage }) => accountPage) },
  {
    pattern: /^\/operations(?:\/([\w.:%-]+))?$/,
    load: () => import("./pages/operations.js").then(({ operationsPage }) => operationsPage),
  },
  { pattern: /^\/emulator$/, load: () => import("./pages/emulator.js").then(({ emulatorPage }) => emulatorPage) },
];

const NAVIGATION = [
  ["/", "Overview"],
  ["/plans", "Plans"],
  ["/explore", "Explore"],
  ["/account", "Account"],
  ["/operations", "Operations"],
];

/** What the console works on. */
const about = signal(/** @type {Record<string, any> | undefined} */ (undefined));
const page = signal(/** @type {Page | undefined} */ (undefined));
const problem = signal(/** @type {unknown} */ (undefined));

function frame() {
  const { demo = false, rehearsal = null, read_only: readOnly = false } = about.value ?? {};
  return html`
    <a class="skip" href="#main">Skip to the content</a>
    <header class="top">
      <strong class="brand">Ads console</strong>
      <nav aria-label="Pages">
        ${NAVIGATION.map(([address, name]) => html`
          <a href=${address} aria-current=${isCurrent(address) ? "page" : undefined}>${name}</a>`)}
        ${demo && html`
          <a href="/emulator" aria-current=${isCurrent("/emulator") ? "page" : undefined}>Emulator</a>`}
      </nav>
      <span class="flags">
        ${demo && html`<span class="flag">${rehearsal === null ? "Demo account" : `REHEARSAL on a copy of ${rehearsal.slice(0, 10)}`}</span>`}
        ${readOnly && html`<span class="flag">Read-only</span>`}
      </span>
    </header>
    <main id="main" tabindex="-1">${content()}</main>`;
}

function content() {
  if (!signedIn.value) {
    return html`<section class="card narrow">
      <h1>Sign in</h1>
      <p>This browser is not signed in to this console. Press <kbd>Enter</kbd> in the terminal where ${" "}<code>adsctl console</code> runs, and open the address that it prints.</p>
      ${signInProblem.value && html`<${Notice} error=${signInProblem.value} />`}
    </section>`;
  }
  if (problem.value) return html`<${Notice} error=${problem.value} />`;
  return page.value === undefined ? html`<${Loading} />` : page.value.view();
}

/** @param {string | undefined} address */
function isCurrent(address) {
  return address === "/" ? path.value === "/" : path.value.startsWith(address ?? " ");
}

await signIn();
const root = document.getElementById("root");
if (root !== null) {
  root.addEventListener("click", followLink);
  effect(() => render(frame(), root));
}
effect(() => {
  document.title = `${page.value?.title() ?? ""} · Ads console`.replace(/^ · /, "");
});
effect(() => {
  const now = path.value;
  if (signedIn.value) untracked(() => open(now));
});
if (signedIn.value) {
  about.value = await api("/api/console").catch(() => undefined);
  listen((event, data) => event === "progress" ? progressChanged(data) : planChanged(data));
}

/** @param {string} now */
async function open(now) {
  endPageEffects();
  page.value = undefined;
  problem.value = undefined;
  try {
    for (const { pattern, load } of PAGES) {
      const found = pattern.exec(now);
      if (found === null) continue;
      const make = await load();
      if (path.value === now) page.value = make(found.slice(1));
      return;
    }
    problem.value = "There is no such page";
  } catch (error) {
    problem.value = error;
  }
}
