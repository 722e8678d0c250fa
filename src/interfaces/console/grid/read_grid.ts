import { idOf } from "../../../base/json/id_of.ts";
import type { ResourceKind } from "../../../client/entities/kinds/kinds.ts";
import type { ConsoleContext } from "../http/console_context.ts";
import { marketView } from "../plans/plan_summary.ts";
import { figuresOf } from "../http/figures_of.ts";
import type { GridSource } from "./grid_source.ts";
import { editableFields, GRID_TABLES, type GridRow, gridRow, type GridTable } from "./grid_tables.ts";

const FIGURES = ["impressions", "clicks", "cost", "sales", "orders"] as const;

/** Reads a table of the grid: settings, stored figures, and the names of the entities that rows belong to. */
export async function readGrid(
  source: GridSource,
  table: GridTable,
  context: Pick<ConsoleContext, "storePlace" | "store" | "now">,
): Promise<Record<string, unknown>> {
  const hasDisplay = await source.hasDisplay();
  const isThere = (kind: string): boolean => hasDisplay || !kind.startsWith("sd.");
  const kinds: ResourceKind[] = GRID_TABLES[table].filter(isThere);
  const listed = (kind: ResourceKind) => source.list(kind);
  const isBelow = table !== "campaigns" && table !== "portfolios";
  const campaignKinds = isBelow ? GRID_TABLES.campaigns.filter(isThere) : [];
  const adGroupKinds = isBelow && table !== "ad_groups" ? GRID_TABLES.ad_groups.filter(isThere) : [];
  const [own, campaigns, adGroups, portfolios] = await Promise.all([
    Promise.all(kinds.map(listed)),
    Promise.all(campaignKinds.map(listed)),
    Promise.all(adGroupKinds.map(listed)),
    table === "campaigns" ? listed("portfolios") : [],
  ]);
  const rows = kinds.flatMap((kind, at) => (own[at] ?? []).flatMap((entity) => gridRow(kind, entity) ?? []));
  const figures = await figuresOf(source, rows, context);
  return {
    ...marketView(source.countryCode),
    currency: source.currency,
    stored: source.stored ?? null,
    rows: rows.map((row) => withFigures(row, figures.get(row.id))),
    fields: Object.fromEntries(kinds.map((kind) => [kind, editableFields(kind)])),
    names: {
      campaigns: namesOf(campaigns.flat(), "campaignId"),
      ad_groups: namesOf(adGroups.flat(), "adGroupId"),
      portfolios: namesOf(portfolios, "portfolioId"),
    },
    ad_group_campaigns: Object.fromEntries(
      (adGroups[adGroupKinds.indexOf("sp.ad_groups")] ?? []).flatMap((adGroup) => {
        const [id, campaignId] = [idOf(adGroup, "adGroupId"), idOf(adGroup, "campaignId")];
        return id === undefined || campaignId === undefined ? [] : [[id, campaignId]];
      }),
    ),
  };
}

function withFigures(row: GridRow, figures: Readonly<Record<string, unknown>> | undefined): GridRow {
  const known = FIGURES.flatMap((name) => {
    const value = figures?.[`${name}30d`];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...row, ...Object.fromEntries(known) };
}

function namesOf(
  entities: readonly Readonly<Record<string, unknown>>[],
  idField: string,
): Record<string, string> {
  return Object.fromEntries(entities.flatMap((entity) => {
    const id = idOf(entity, idField);
    return id === undefined ? [] : [[id, String(entity["name"] ?? "")]];
  }));
}
