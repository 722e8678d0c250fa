import { nearest } from "../../base/text/nearest.ts";
import type { DayRange } from "../../base/time/calendar.ts";
import type { ProfileScope } from "../../platform/transport/profile_scope.ts";
import type { EarlierJobs } from "../jobs/run_jobs.ts";
import { presetReport } from "./requests/named_report.ts";
import { REPORT_PRESETS, type ReportPresetName } from "./requests/presets.ts";
import type { ReportRequest } from "./requests/report_requests.ts";
import { columnType, type ReportRow } from "./file/report_row.ts";
import type { ReportProgress, RunOptions } from "./requests/run_options.ts";
import { lookUp } from "./check_fields.ts";
import { fieldTable } from "./field_table.ts";
import type { FieldCondition, FieldsReport } from "./fields_report.ts";
import type { ReportFieldCheck } from "./report_field.ts";
import {
  isFigure,
  missingColumns,
  presetFields,
  type PresetSource,
  presetSources,
  TARGET_FIELDS,
  unjoinedText,
} from "./preset_sources.ts";
import { checkedFields, fieldsRows } from "./run_fields.ts";
import { type EntitiesByKind, listedTargets, TargetIds } from "./target_ids.ts";

export interface PresetAsked {
  readonly report: ReportPresetName;
  readonly start: string;
  readonly end: string;
  readonly accountType: string | undefined;
  readonly today: string;
}

interface FieldsOfPreset {
  readonly sources: readonly PresetSource[];
  readonly report: FieldsReport;
  readonly check: ReportFieldCheck;
}

export async function fieldsOfPreset(
  { report, start, end, accountType, today }: PresetAsked,
  options: Pick<RunOptions, "columns" | "filters" | "format" | "timeUnit" | "name" | "check"> = {},
): Promise<FieldsOfPreset> {
  const { adProduct, columns } = REPORT_PRESETS[report];
  const chosen = options.columns ?? columns;
  for (const column of chosen) {
    if (column === "date" || columnType(column) !== undefined) continue;
    const near = nearest(column, columns);
    throw new TypeError(
      `Cannot ask for a column "${column}" of ${report}: ${
        near === undefined ? `it has ${columns.join(", ")}` : `did you mean ${near}?`
      }`,
    );
  }
  const { needed, sources } = await sourcesOfPreset(report, accountType, options.columns);
  if (sources.every(({ missing }) => missing !== undefined)) {
    throw new TypeError(
      `Cannot read these columns of ${report} from new reports: ${missingColumns(sources).join("; ")}`,
    );
  }
  if (options.name !== undefined) {
    throw new TypeError(`Cannot name this report "${options.name}": new reports have no names`);
  }
  if (options.check === false) {
    throw new TypeError(
      "Cannot leave new reports unchecked: the platform refuses what does not fit",
    );
  }
  const fields = presetFields(needed, { isDaily: options.timeUnit !== "SUMMARY" });
  const asked: FieldsReport = {
    fields,
    start,
    end,
    filter: { "adProduct.value": adProduct, ...await conditions(report, options.filters) },
    format: formatOf(options.format),
  };
  return { sources, report: asked, check: await checkedFields(asked, today) };
}

/** @returns In `needed`, also the hidden columns that distinguish rows, which would otherwise be summed. */
export async function sourcesOfPreset(
  report: ReportPresetName,
  accountType: string | undefined,
  chosen?: readonly string[],
): Promise<{ readonly needed: readonly PresetSource[]; readonly sources: readonly PresetSource[] }> {
  const { adProduct, key, columns } = REPORT_PRESETS[report];
  const shown = chosen ?? columns;
  const needed = await presetSources({
    adProduct,
    key,
    accountType,
    columns: [...new Set([...shown, ...key])],
  });
  const sources = needed.filter(({ column }) =>
    shown.includes(column) || chosen === undefined && !key.includes(column)
  );
  return { needed, sources };
}

export async function* presetRows(
  scope: ProfileScope,
  asked: PresetAsked,
  options: RunOptions & {
    readonly entities?: EntitiesByKind | undefined;
    readonly asked?: EarlierJobs<DayRange> | undefined;
  },
): AsyncGenerator<ReportRow[]> {
  const { onProgress, onWarning, signal, poll, maxPoll, timeout } = options;
  const { sources, report, check } = await fieldsOfPreset(asked, options);
  for (const message of missingColumns(sources)) onWarning?.(message);
  const { adProduct } = REPORT_PRESETS[asked.report];
  const ids = sources.some(({ joined }) => joined)
    ? new TargetIds(adProduct, options.entities ?? await listedTargets(scope, adProduct, signal))
    : undefined;
  const mapping = new PresetMapping(sources, { ids, isDaily: options.timeUnit !== "SUMMARY" });
  const running = {
    today: asked.today,
    asked: options.asked,
    check,
    signal,
    timeout,
    onEmpty: onWarning,
    ...(poll === undefined ? {} : { poll }),
    ...(maxPoll === undefined ? {} : { maxPoll }),
    onProgress: ({ start, end, ...told }: Parameters<NonNullable<Told>>[0]): void => {
      const request = requestOf(asked.report, { ...report, start, end }, sources);
      onProgress?.({ ...told, request } satisfies ReportProgress);
    },
  };
  for await (const batch of fieldsRows(scope, report, running)) yield mapping.rows(batch, asked);
  const { unjoined, all } = mapping;
  if (unjoined > 0) onWarning?.(unjoinedText(unjoined, all));
}

type Told = Parameters<typeof fieldsRows>[2]["onProgress"];

export class PresetMapping {
  readonly #sources: readonly PresetSource[];
  readonly #ids: TargetIds | undefined;
  readonly #isDaily: boolean;
  readonly #halo: readonly string[];
  unjoined = 0;
  all = 0;

  constructor(
    sources: readonly PresetSource[],
    { ids, isDaily }: { ids: TargetIds | undefined; isDaily: boolean },
  ) {
    this.#sources = sources;
    this.#ids = ids;
    this.#isDaily = isDaily;
    const isHalo = sources.some(({ column }) => column === "asinBrandHalo");
    this.#halo = isHalo ? sources.flatMap(({ column }) => isFigure(column) ? [column] : []) : [];
  }

  rows(batch: readonly ReportRow[], range: { start: string; end: string }): ReportRow[] {
    return batch.flatMap((fields) => {
      const id = this.#ids?.find(
        fields["adGroup.id"],
        fields[TARGET_FIELDS.value],
        fields[TARGET_FIELDS.matchType],
      );
      const row: ReportRow = this.#isDaily
        ? { date: fields["date.value"] ?? null }
        : { startDate: range.start, endDate: range.end };
      for (const { column, field, joined } of this.#sources) {
        row[column] = joined ? id ?? null : field === undefined ? null : fields[field] ?? null;
      }
      // Version 3 has only the purchases of other products there.
      if (this.#halo.length > 0 && this.#halo.every((column) => !row[column])) return [];
      this.all++;
      if (this.#ids !== undefined && id === undefined) this.unjoined++;
      return [row];
    });
  }
}

function requestOf(
  preset: ReportPresetName,
  { start, end }: FieldsReport,
  sources: readonly PresetSource[],
): ReportRequest {
  const { adProduct, reportTypeId, groupBy } = presetReport(preset);
  return {
    name: `${preset} ${start}..${end}`,
    startDate: start,
    endDate: end,
    configuration: { adProduct, reportTypeId, groupBy, columns: sources.map(({ column }) => column) },
  };
}

async function conditions(
  report: ReportPresetName,
  filters: RunOptions["filters"],
): Promise<Record<string, FieldCondition>> {
  const table = await fieldTable();
  const list = Array.isArray(filters)
    ? filters.map(({ field, values }) => [field, values] as const)
    : Object.entries(filters ?? {}).map(([field, values]) => [field, [values].flat()] as const);
  return Object.fromEntries(list.map(([column, values]) => {
    const { field } = lookUp(column, table);
    if (field !== undefined) return [field, values];
    throw new TypeError(
      `Cannot filter ${report} by "${column}" in new reports: they have no such field. Filter the rows, or use old reports`,
    );
  }));
}

function formatOf(format: string | undefined): FieldsReport["format"] {
  if (format === undefined || format === "GZIP_JSON") return "PARTITIONED_GZIP_JSON";
  if (format === "CSV") return "PARTITIONED_CSV";
  throw new TypeError(`Cannot read new reports as ${format}: they have GZIP_JSON and CSV`);
}
