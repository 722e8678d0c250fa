/**
 * Imported as text by name, so that a checkout, JSR, npm and a compiled program all contain them. Only these files are
 * served; no request path reaches the disk.
 */
const FILES = {
  "app.html": () => import("./web/app.html", { with: { type: "text" } }),
  "app.css": () => import("./web/app.css", { with: { type: "text" } }),
  "parts.css": () => import("./web/parts.css", { with: { type: "text" } }),
  "app.js": () => import("./web/app.js", { with: { type: "text" } }),
  "api.js": () => import("./web/api.js", { with: { type: "text" } }),
  "ui.js": () => import("./web/ui.js", { with: { type: "text" } }),
  "keys.js": () => import("./web/keys.js", { with: { type: "text" } }),
  "shell.js": () => import("./web/shell.js", { with: { type: "text" } }),
  "sql_chart.js": () => import("./web/sql_chart.js", { with: { type: "text" } }),
  "sync.js": () => import("./web/sync.js", { with: { type: "text" } }),
  "live.js": () => import("./web/live.js", { with: { type: "text" } }),
  "format.js": () => import("./web/format.js", { with: { type: "text" } }),
  "router.js": () => import("./web/router.js", { with: { type: "text" } }),
  "big_table.js": () => import("./web/big_table.js", { with: { type: "text" } }),
  "grid_columns.js": () => import("./web/grid_columns.js", { with: { type: "text" } }),
  "grid_edits.js": () => import("./web/grid_edits.js", { with: { type: "text" } }),
  "grid_drafts.js": () => import("./web/grid_drafts.js", { with: { type: "text" } }),
  "grid_rows.js": () => import("./web/grid_rows.js", { with: { type: "text" } }),
  "grid_fill.js": () => import("./web/grid_fill.js", { with: { type: "text" } }),
  "grid_lists.js": () => import("./web/grid_lists.js", { with: { type: "text" } }),
  "grid_plan.js": () => import("./web/grid_plan.js", { with: { type: "text" } }),
  "grid_draft.js": () => import("./web/grid_draft.js", { with: { type: "text" } }),
  "inbox_list.js": () => import("./web/inbox_list.js", { with: { type: "text" } }),
  "job_forms.js": () => import("./web/job_forms.js", { with: { type: "text" } }),
  "pages/terms.js": () => import("./web/pages/terms.js", { with: { type: "text" } }),
  "pages/job_preview.js": () => import("./web/pages/job_preview.js", { with: { type: "text" } }),
  "pages/jobs.js": () => import("./web/pages/jobs.js", { with: { type: "text" } }),
  "pages/grid.js": () => import("./web/pages/grid.js", { with: { type: "text" } }),
  "pages/grid_cells.js": () => import("./web/pages/grid_cells.js", { with: { type: "text" } }),
  "pages/grid_bar.js": () => import("./web/pages/grid_bar.js", { with: { type: "text" } }),
  "pages/grid_add.js": () => import("./web/pages/grid_add.js", { with: { type: "text" } }),
  "pages/grid_copy.js": () => import("./web/pages/grid_copy.js", { with: { type: "text" } }),
  "pages/grid_views.js": () => import("./web/pages/grid_views.js", { with: { type: "text" } }),
  "pages/grid_dialogs.js": () => import("./web/pages/grid_dialogs.js", { with: { type: "text" } }),
  "pages/plans.js": () => import("./web/pages/plans.js", { with: { type: "text" } }),
  "pages/rollout.js": () => import("./web/pages/rollout.js", { with: { type: "text" } }),
  "pages/plan.js": () => import("./web/pages/plan.js", { with: { type: "text" } }),
  "pages/plan_rows.js": () => import("./web/pages/plan_rows.js", { with: { type: "text" } }),
  "pages/plan_findings.js": () => import("./web/pages/plan_findings.js", { with: { type: "text" } }),
  "pages/plan_words.js": () => import("./web/pages/plan_words.js", { with: { type: "text" } }),
  "pages/plan_comments.js": () => import("./web/pages/plan_comments.js", { with: { type: "text" } }),
  "pages/plan_cells.js": () => import("./web/pages/plan_cells.js", { with: { type: "text" } }),
  "pages/plan_actions.js": () => import("./web/pages/plan_actions.js", { with: { type: "text" } }),
  "pages/plan_outcome.js": () => import("./web/pages/plan_outcome.js", { with: { type: "text" } }),
  "pages/overview.js": () => import("./web/pages/overview.js", { with: { type: "text" } }),
  "pages/inbox.js": () => import("./web/pages/inbox.js", { with: { type: "text" } }),
  "pages/schedule_pacing.js": () => import("./web/pages/schedule_pacing.js", { with: { type: "text" } }),
  "pages/schedules.js": () => import("./web/pages/schedules.js", { with: { type: "text" } }),
  "pages/experiments.js": () => import("./web/pages/experiments.js", { with: { type: "text" } }),
  "pages/service.js": () => import("./web/pages/service.js", { with: { type: "text" } }),
  "pages/explore.js": () => import("./web/pages/explore.js", { with: { type: "text" } }),
  "pages/explore_sql.js": () => import("./web/pages/explore_sql.js", { with: { type: "text" } }),
  "pages/coverage.js": () => import("./web/pages/coverage.js", { with: { type: "text" } }),
  "pages/account.js": () => import("./web/pages/account.js", { with: { type: "text" } }),
  "pages/account_drift.js": () => import("./web/pages/account_drift.js", { with: { type: "text" } }),
  "pages/operations.js": () => import("./web/pages/operations.js", { with: { type: "text" } }),
  "pages/emulator.js": () => import("./web/pages/emulator.js", { with: { type: "text" } }),
  "figure_columns.js": () => import("./web/figure_columns.js", { with: { type: "text" } }),
  "save_csv.js": () => import("./web/save_csv.js", { with: { type: "text" } }),
  "chart.js": () => import("./web/chart.js", { with: { type: "text" } }),
  "heat.js": () => import("./web/heat.js", { with: { type: "text" } }),
  "csv.js": () => import("../../base/text/csv_text.js", { with: { type: "text" } }),
  "lib/preact.js": () => import("./web/lib/preact.js", { with: { type: "text" } }),
  "lib/htm.js": () => import("./web/lib/htm.js", { with: { type: "text" } }),
  "lib/signals.js": () => import("./web/lib/signals.js", { with: { type: "text" } }),
  "lib/LICENSES.txt": () => import("./web/lib/LICENSES.txt", { with: { type: "text" } }),
} as const;

type AssetName = keyof typeof FILES;

export const ASSET_NAMES: readonly AssetName[] = Object.keys(FILES).filter(isAssetName);

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css",
  html: "text/html",
  js: "text/javascript",
  txt: "text/plain",
};

/** Files that the pages share with other parts; those in `web` only re-export them. */
const SHARED: Partial<Readonly<Record<AssetName, string>>> = { "csv.js": "../../base/text/csv_text.js" };

export async function assetText(name: AssetName): Promise<string> {
  if ("Deno" in globalThis) return String((await FILES[name]()).default);
  // Node imports no text without a flag; there the files are where they are here.
  const { readFile } = await import("node:fs/promises");
  return await readFile(new URL(SHARED[name] ?? `./web/${name}`, import.meta.url), "utf8");
}

export async function assetResponse(path: string): Promise<Response | undefined> {
  const name = path.replace(/^\/assets\//, "");
  if (name === path || !isAssetName(name)) return undefined;
  const type = TYPES[name.slice(name.lastIndexOf(".") + 1)];
  return new Response(await assetText(name), { headers: { "content-type": `${type}; charset=utf-8` } });
}

/**
 * Serves the same page, without data, for the address of every view. The page names the view's modules, so that the
 * browser loads them at once instead of discovering imports one by one.
 */
export async function pageResponse(path: string): Promise<Response> {
  const view = (await views()).find(({ pattern }) => pattern.test(path));
  const modules = view === undefined ? [] : await modulesOf(view.module);
  const links = modules.map((name) => `<link rel="modulepreload" href="/assets/${name}">`);
  const html = (await assetText("app.html")).replace(
    /(?=<script)/,
    links.map((link) => `${link}\n    `).join(""),
  );
  const headers = { "content-type": "text/html; charset=utf-8" };
  return new Response(html, { status: view === undefined ? 404 : 200, headers });
}

/** Path patterns of the views and their modules, as listed in `app.js`. */
async function views(): Promise<{ readonly pattern: RegExp; readonly module: string }[]> {
  const entries = /pattern: \/(\^.*?\$)\/,\s*load: \(\) => import\("\.\/(pages\/\w+\.js)"\)/g;
  return [...(await assetText("app.js")).matchAll(entries)].map(([, pattern = "", module = ""]) => ({
    pattern: new RegExp(pattern),
    module,
  }));
}

/** A module and its imports, except modules that the page loads anyway. */
async function modulesOf(first: string): Promise<string[]> {
  const html = await assetText("app.html");
  const found = new Set([first]);
  for (const name of found) {
    if (!isAssetName(name)) continue;
    const folder = new URL(name, "http://assets/");
    for (
      const [, path = ""] of (await assetText(name)).matchAll(/^(?:import|export) [^;]*?from "(\.[^"]+)"/gm)
    ) {
      const next = new URL(path, folder).pathname.slice(1);
      if (!html.includes(`"/assets/${next}"`)) found.add(next);
    }
  }
  return [...found];
}

function isAssetName(name: string): name is AssetName {
  return Object.hasOwn(FILES, name);
}
