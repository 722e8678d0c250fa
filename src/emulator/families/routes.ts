import { loadedOnce } from "../core/loaded_once.ts";
import type { Route } from "../routing/route.ts";
import { type RouteMatch, Router, spellRoute } from "../routing/router.ts";
import type { WireNames } from "../routing/wire_names.ts";

type LoadRoutes = () => Promise<readonly Route[]>;

const portfolios: LoadRoutes = async () => (await import("./account/portfolio_routes.ts")).PORTFOLIO_ROUTES;
const products: LoadRoutes = async () =>
  (await import("./sponsored_products/routes.ts")).SPONSORED_PRODUCTS_ROUTES;
const brands: LoadRoutes = async () => (await import("./sponsored_brands/routes.ts")).SPONSORED_BRANDS_ROUTES;
const display: LoadRoutes = async () =>
  (await import("./sponsored_display/routes.ts")).SPONSORED_DISPLAY_ROUTES;
const exports: LoadRoutes = async () => (await import("./long_jobs/export_routes.ts")).EXPORT_ROUTES;
const invoices: LoadRoutes = async () => (await import("./account/invoice_routes.ts")).INVOICE_ROUTES;

const longJobs: LoadRoutes = async () => [
  ...(await import("./long_jobs/routes.ts")).LONG_JOB_ROUTES,
  ...(await import("./long_jobs/upload_routes.ts")).UPLOAD_ROUTES,
];

/** Adds the routes for budgets, which all four have. */
function withBudgets(load: LoadRoutes): LoadRoutes {
  return async () => [...await load(), ...(await import("./budgets/routes.ts")).CAMPAIGN_BUDGET_ROUTES];
}

/** By first path segment. Add a family's list here. */
const FAMILIES: ReadonlyMap<string, LoadRoutes> = new Map([
  ["v2", async () => (await import("./account/profile_routes.ts")).PROFILE_ROUTES],
  ["portfolios", withBudgets(portfolios)],
  ["sp", withBudgets(products)],
  ["sb", withBudgets(brands)],
  ["sd", withBudgets(display)],
  ["history", async () => (await import("./account/history_routes.ts")).HISTORY_ROUTES],
  ["reporting", async () => (await import("./reports/routes.ts")).REPORT_ROUTES],
  ["adsApi", async () => (await import("./ads_api_routes.ts")).ADS_API_ROUTES],
  ...["campaigns", "adGroups", "ads", "targets", "exports"].map((name) => [name, exports] as const),
  ...["invoices", "invoiceSummaries"].map((name) => [name, invoices] as const),
  ["eligibility", async () => (await import("./account/eligibility_routes.ts")).ELIGIBILITY_ROUTES],
  ["amc", async () => (await import("./clean_room/routes.ts")).CLEAN_ROOM_ROUTES],
  ...["insights", "accounts", "mmm", "adm", "dp", "dsp"].map((name) => [name, longJobs] as const),
  ["assets", async () => (await import("./account/asset_routes.ts")).ASSET_ROUTES],
  ["attribution", async () => (await import("./account/attribution_routes.ts")).ATTRIBUTION_ROUTES],
  ["streams", async () => (await import("./streams/routes.ts")).STREAM_ROUTES],
]);

export async function allRoutes(): Promise<Route[]> {
  return [...new Set((await Promise.all([...FAMILIES.values()].map((load) => load()))).flat())];
}

export class ServedRoutes {
  readonly #wire: WireNames;
  readonly #families: ReadonlyMap<string, LoadRoutes>;
  readonly #routers = new Map<LoadRoutes, () => Promise<Router>>();

  constructor(wire: WireNames, families = FAMILIES) {
    this.#wire = wire;
    this.#families = families;
  }

  async find(method: string, path: string): Promise<RouteMatch | undefined> {
    const load = this.#families.get(path.split("/")[1] ?? "");
    if (load === undefined) return undefined;
    let router = this.#routers.get(load);
    if (router === undefined) {
      router = loadedOnce(async () =>
        new Router((await load()).map((route) => spellRoute(route, this.#wire)))
      );
      this.#routers.set(load, router);
    }
    return (await router()).find(method, path);
  }
}

interface PublishedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

export function operationsWithRules(
  routes: readonly Route[],
  published: readonly PublishedOperation[],
): ReadonlySet<string> {
  const paths = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  const shared = published.filter(({ id, method, path }) =>
    /^v1-s[pb]-/.test(id) && paths.has(`${method} ${path}`)
  );
  return new Set([...routes.map(({ operation }) => operation), ...shared.map(({ id }) => id)]);
}
