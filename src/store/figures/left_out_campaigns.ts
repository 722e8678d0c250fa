import type { DayRange } from "../../base/time/calendar.ts";
import type { Coverage } from "../model/coverage.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { coverageFor, type MissingDaysOptions } from "./missing_days.ts";

const NAMED = 5;

const BRANDS = /^sb_/;

/**
 * Version 3 reports were announced to omit Brands campaigns with a single ad group, so their figures are unknown, not
 * 0. Archived ones are not named.
 */
export async function leftOutCampaigns(
  store: Pick<Warehouse, "query" | "coverage">,
  options: MissingDaysOptions & { readonly period: DayRange },
): Promise<string[]> {
  const reports = options.reports.filter((report) => BRANDS.test(report));
  const coverage = await store.coverage({ profileId: options.profileIds, report: reports });
  const covered = coverageFor(coverage, { ...options, reports });
  const [report] = covered.map(({ report }) => report);
  if (report === undefined) return [];
  const profiles = [...new Set(covered.map(({ profileId }) => profileId))];
  const { rows } = await store.query(
    `SELECT c.country_code, c.campaign_id, c.name FROM sb_campaigns_entities AS c
    WHERE CAST(c.is_multi_ad_groups_enabled AS text) IN ('false', '0') AND c.state <> 'ARCHIVED'
      AND c.profile_id IN (${profiles.map(() => "?").join(", ")})
      AND NOT EXISTS (SELECT 1 FROM ${report} AS r WHERE r.profile_id = c.profile_id
        AND r.campaign_id = c.campaign_id AND r.date BETWEEN ? AND ?)
    ORDER BY c.country_code, c.name`,
    [...profiles, options.period.start, options.period.end],
  );
  if (rows.length === 0) return [];
  const named = rows.slice(0, NAMED).map((row) =>
    `${row["country_code"]} "${row["name"] ?? row["campaign_id"]}" (${row["campaign_id"]})`
  );
  const more = rows.length > NAMED ? ` and ${rows.length - NAMED} more` : "";
  return [
    `No rows of ${rows.length} Brands ${
      rows.length === 1 ? "campaign" : "campaigns"
    } with a single ad group ` +
    `(isMultiAdGroupsEnabled false): ${
      named.join(", ")
    }${more}. Old reports are documented to leave such campaigns out` +
    ": their figures are unknown, not 0. New reports may have them (sync() with reporting: 1)",
  ];
}

export async function leftOutOfCoverage(
  store: Pick<Warehouse, "query" | "coverage">,
  lines: readonly Coverage[],
): Promise<string[]> {
  const brands = lines.filter(({ report }) => BRANDS.test(report));
  const start = brands.map(({ firstDay }) => firstDay).toSorted()[0];
  const end = brands.map(({ lastDay }) => lastDay).toSorted().at(-1);
  if (start === undefined || end === undefined) return [];
  const reports = [...new Set(brands.map(({ report }) => report))];
  return await leftOutCampaigns(store, { period: { start, end }, reports });
}
