// @ts-check
/// <reference lib="dom" />
import { api, listen, signedIn, signIn, signInProblem } from "./api.js";
import { cameBack, lastDraft, planChanged, progressChanged, rolloutChanged, syncing } from "./live.js";
import { followLink, path } from "./router.js";
import { about, frame, startShell } from "./shell.js";
import { effect, endPageEffects, html, Loading, Notice, render, signal, untracked } from "./ui.js";

/**
 * @typedef {{ view: () => unknown, title: () => string }} Page
 * @typedef {{ pattern: RegExp, load: () => Promise<(params: string[]) => Page> }} PageEntry
 */

/** @type {PageEntry[]} */
const PAGES = [
  { pattern: /^\/$/, load: () => import("./pages/overview.js").then(({ overviewPage }) => overviewPage) },
  { pattern: /^\/inbox$/, load: () => import("./pages/inbox.js").then(({ inboxPage }) => inboxPage) },
  { pattern: /^\/plans$/, load: () => import("./pages/plans.js").then(({ plansPage }) => plansPage) },
  { pattern: /^\/rollout$/, load: () => import("./pages/rollout.js").then(({ rolloutPage }) => rolloutPage) },
  { pattern: /^\/plans\/([\w-]+)$/, load: () => import("./pages/plan.js").then(({ planPage }) => planPage) },
  {
    pattern: /^\/schedules(?:\/([\w-]+))?$/,
    load: () => import("./pages/schedules.js").then(({ schedulesPage }) => schedulesPage),
  },
  {
    pattern: /^\/experiments(?:\/([\w-]+))?$/,
    load: () => import("./pages/experiments.js").then(({ experimentsPage }) => experimentsPage),
  },
  { pattern: /^\/explore$/, load: () => import("./pages/explore.js").then(({ explorePage }) => explorePage) },
  { pattern: /^\/grid$/, load: () => import("./pages/grid.js").then(({ gridPage }) => gridPage) },
  { pattern: /^\/jobs$/, load: () => import("./pages/jobs.js").then(({ jobsPage }) => jobsPage) },
  { pattern: /^\/terms$/, load: () => import("./pages/terms.js").then(({ termsPage }) => termsPage) },
  { pattern: /^\/account$/, load: () => import("./pages/account.js").then(({ accountPage }) => accountPage) },
  {
    pattern: /^\/operations(?:\/([\w.:%-]+))?$/,
    load: () => import("./pages/operations.js").then(({ operationsPage }) => operationsPage),
  },
  { pattern: /^\/service$/, load: () => import("./pages/service.js").then(({ servicePage }) => servicePage) },
  { pattern: /^\/emulator$/, load: () => import("./pages/emulator.js").then(({ emulatorPage }) => emulatorPage) },
];

const page = signal(/** @type {Page | undefined} */ (undefined));
const problem = signal(/** @type {unknown} */ (undefined));

function content() {
  if (problem.value) return html`<${Notice} error=${problem.value} />`;
  return page.value === undefined ? html`<${Loading} />` : page.value.view();
}

function signInPage() {
  return html`<main id="main" tabindex="-1" class="narrow">
    <h1>Sign in</h1>
    <p>This browser is not signed in to this console. Press <kbd>Enter</kbd> in the terminal where ${" "}<code>adsctl console</code> runs, and open the address that it prints.</p>
    ${signInProblem.value && html`<${Notice} error=${signInProblem.value} />`}
  </main>`;
}

await signIn();
const root = document.getElementById("root");
if (root !== null) {
  root.addEventListener("click", followLink);
  effect(() => render(signedIn.value ? frame(content(), page.value?.title() ?? "") : signInPage(), root));
}
effect(() => {
  document.title = `${page.value?.title() ?? ""} · Ads console`.replace(/^ · /, "");
});
effect(() => {
  const now = path.value;
  if (signedIn.value) untracked(() => open(now));
});
if (signedIn.value) {
  startShell();
  void readConsole();
  listen((event, data) => {
    if (event === "progress") progressChanged(data);
    else if (event === "draft") lastDraft.value = data;
    else if (event === "sync") {
      const hasEnded = syncing.value?.state === "running" && data.state !== "running";
      syncing.value = data;
      if (hasEnded) void readConsole();
    } else if (event === "rollout") rolloutChanged(data);
    else planChanged(data);
  }, () => {
    cameBack();
    void readConsole();
  });
}

async function readConsole() {
  about.value = await api("/api/console").catch(() => about.value);
  // Without it no command can be shown.
  if (about.value === undefined && signedIn.value) setTimeout(readConsole, 2000);
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
    problem.value = "Page not found";
  } catch (error) {
    problem.value = error;
  }
}
