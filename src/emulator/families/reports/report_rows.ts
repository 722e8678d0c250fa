import type { ProfileState } from "../../state/profile_state.ts";
import { campaignDay } from "../../traffic/campaign_day.ts";
import { dayAt, daySpans, eachDay } from "../../core/day_span.ts";
import { Market } from "../../traffic/market.ts";
import { readCampaigns } from "../../traffic/read_campaigns.ts";
import { advertisedProducts } from "../../traffic/vocabulary.ts";
import type { ReportFacts, ReportRow, RowSubject } from "./column.ts";
import { columnNamed } from "./columns.ts";
import { asReport, type ReportConfiguration, statusOf } from "./report_record.ts";
import type { ReportType } from "./report_types.ts";
import { Tally } from "./tally.ts";
import type { FileSource } from "../../state/file_store.ts";
import { findType, firstKeptDay } from "./check_report_request.ts";

function familyOf({ adProduct }: ReportType): "sp" | "sb" | "sd" {
  return adProduct === "SPONSORED_PRODUCTS" ? "sp" : adProduct === "SPONSORED_BRANDS" ? "sb" : "sd";
}

interface RowSource {
  readonly profile: ProfileState;
  readonly seed: string;
  readonly asOf: number;
  readonly type: ReportType;
  readonly startDate: string;
  readonly endDate: string;
  /** First day kept at the time of the request; earlier days have no rows. */
  readonly keptFrom: string;
  readonly configuration: ReportConfiguration;
}

function* reportRows(source: RowSource): Generator<string> {
  const { profile, type, startDate, endDate, configuration, asOf } = source;
  const market = new Market(profile, source);
  const asins = advertisedProducts(profile);
  const spans = daySpans(
    eachDay(startDate, endDate).filter((day) => day >= source.keptFrom),
    market.timeZone,
  );
  const { currencyCode, unit } = market;
  const { countryCode, timezone } = profile.record;
  const report: ReportFacts = {
    asOf,
    startDate,
    endDate,
    currencyCode,
    unit,
    account: { ...profile.record.accountInfo, countryCode, timezone },
    marketplaceId: profile.record.accountInfo.marketplaceStringId,
  };
  const columns = configuration.columns.map((name) => ({
    label: JSON.stringify(name),
    value: columnNamed(name),
  }));
  const filters = (configuration.filters ?? []).map(({ field, values }) => ({
    value: columnNamed(field),
    values,
  }));
  const passes = (row: ReportRow) =>
    filters.every(({ value, values }) => values.includes(String(value(row, report))));

  const whole = new Rows(configuration.timeUnit === "DAILY");
  for (const campaign of readCampaigns(profile, familyOf(type), market)) {
    const rows = type.isAcross ? whole : new Rows(configuration.timeUnit === "DAILY");
    for (const span of spans) {
      const traffic = campaignDay(campaign, span, { market, asins });
      type.split(traffic, (key, subject) => rows.find(span.day, key, { campaign, ...subject }), asOf);
    }
    if (!type.isAcross) yield* texts(rows);
  }
  yield* texts(whole);

  function* texts(rows: Rows): Generator<string> {
    for (const row of rows.all()) {
      if (!passes(row)) continue;
      yield `{${columns.map(({ label, value }) => `${label}:${written(value(row, report))}`).join(",")}}`;
    }
  }
}

function written(value: string | number | bigint | null): string {
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}

class Rows {
  readonly #rows = new Map<string, ReportRow>();
  readonly #isDaily: boolean;

  constructor(isDaily: boolean) {
    this.#isDaily = isDaily;
  }

  find(day: string, key: string, subject: RowSubject): Tally {
    const rowDay = this.#isDaily ? day : "";
    const rowKey = `${rowDay} ${key}`;
    let row = this.#rows.get(rowKey);
    if (row === undefined) {
      row = { day: rowDay, ...subject, tally: new Tally() };
      this.#rows.set(rowKey, row);
    }
    return row.tally;
  }

  all(): Iterable<ReportRow> {
    return this.#rows.values();
  }
}

export function reportFile(
  profile: ProfileState,
  id: string,
  { seed, now }: { seed: string; now: number },
): FileSource | undefined {
  const found = profile.collection("reports").get(id);
  if (found === undefined) return undefined;
  const report = asReport(found);
  if (statusOf(report, now) !== "COMPLETED") return undefined;
  const type = findType(report.configuration);
  const keptFrom = firstKeptDay(type, dayAt(report.createdAt, profile.record.timezone));
  const { configuration, startDate, endDate, endsAt: asOf } = report;
  const { format } = configuration;
  const terms = JSON.stringify([seed, asOf, startDate, endDate, keptFrom, configuration]);
  return {
    rows: () => reportRows({ ...report, keptFrom, profile, seed, type, asOf }),
    format: format === "CSV" || format === "XLSX" ? format : "GZIP_JSON",
    basis: () => profile.unchanged && { account: profile.unchanged, terms },
  };
}
