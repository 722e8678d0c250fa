import { type DayRange, joinDays } from "../../base/time/calendar.ts";
import { marketOf, normalizeCountry } from "../../base/markets/markets.ts";
import type { ReportPresetName } from "../../client/reports/requests/presets.ts";
import type { ReportRow } from "../../client/reports/file/report_row.ts";
import { type FilePull, filePulls, fileReportId } from "../../store/figures/file_pulls.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import type { SheetFile } from "../tables/open_tables.ts";
import { importKey } from "../tables/console_headers.ts";
import { Spill } from "../tables/spill.ts";
import { BulkEntities } from "./bulk_reader.ts";
import { type ImportProblem, ImportProblemsError } from "./import_problem.ts";
import { isNamed, type JoinCounts, NameIndex } from "./join_names.ts";
import { type ImportHints, type OpenedFile, openFile } from "./open_file.ts";
import { type AccountDays, type FilePiece, findOverlaps, runsOf, windowProblem } from "./overlaps.ts";

/** Profile of the files, and hints for reading them. */
export interface ImportOptions extends ImportHints {
  /** Profile that the rows belong to. @default the one of earlier files of the market, otherwise a new short id */
  readonly profileId?: string | undefined;
}

/** A file that was stored, and how it was read. */
export interface ImportedFile {
  /** Name of the file. */
  readonly file: string;
  /** Name of the tab; empty for CSV and bulk sheets. */
  readonly tab: string;
  /** Stored report, or `bulk sheet`. */
  readonly report: ReportPresetName | "bulk sheet";
  /** ISO 639-1 code of its headers. */
  readonly language: string;
  /** Days of a report. */
  readonly days: DayRange | undefined;
  /** True if each row is a total of all days. */
  readonly isSum: boolean;
  /** Number of rows of a report, or of entities in a bulk sheet. */
  readonly count: number;
  /** Number of rows in a bulk sheet that ask for a change. */
  readonly operations: number;
  /** Detected formats, as text: `separator ;, decimal comma, days as "ago 20, 2026", rates with percent signs`. */
  readonly form: string;
}

/** Result of {@linkcode importFiles}. */
export interface ImportResult {
  /** Profile that the rows belong to. */
  readonly profileId: string;
  /** Country from the options, in the platform's spelling. */
  readonly countryCode: string;
  /** Every report and bulk sheet that was read. */
  readonly files: readonly ImportedFile[];
  /**
   * Number of rows whose names were matched to ids, number of rows that kept their names, and the names that match no
   * entity or more than one.
   */
  readonly names: {
    readonly joined: number;
    readonly named: number;
    readonly missing: string[];
    readonly several: string[];
  };
  /** Number of rows from earlier files that were matched to ids by a bulk sheet of this import. */
  readonly rejoined: number;
  /** Entities of the bulk sheets by kind. */
  readonly entities: Readonly<Record<string, number>>;
  /** Remarks for the reader, each with the name of its file. */
  readonly notices: readonly string[];
}

/**
 * Imports report files and bulk sheets that were downloaded by hand into a store. Report files have no ids, so their
 * names are matched to those of a bulk sheet, and kept if there is none. Adds no row twice, and stores nothing unless
 * all files can be read.
 *
 * @example
 * ```ts
 * import { readFile } from "node:fs/promises";
 * import { importFiles } from "@platform/ads/account";
 * import { Warehouse } from "@platform/ads/store";
 *
 * async function firstHour(paths: string[]): Promise<void> {
 *   await using store = await Warehouse.open("ads.sqlite");
 *   const files = await Promise.all(paths.map(async (name) => ({ name, bytes: await readFile(name) })));
 *   const { files: read, names } = await importFiles(store, files, { countryCode: "US" });
 *   for (const { file, report, days, form } of read) console.log(file, report, days, form);
 *   console.log(names.named, "rows without ids");
 * }
 * ```
 * @throws {ImportProblemsError} with everything that cannot be used, in all files.
 */
export async function importFiles(
  store: Warehouse,
  files: readonly SheetFile[],
  options: ImportOptions,
): Promise<ImportResult> {
  const countryCode = normalizeCountry(options.countryCode);
  if (marketOf(countryCode) === undefined) {
    throw new RangeError(`Cannot import files of "${options.countryCode}": the platform has no such market`);
  }
  const opened: OpenedFile[] = [];
  try {
    for (const file of files) opened.push(await openFile(file, { ...options, countryCode }));
    return await storeFiles(store, opened, { ...options, files, countryCode });
  } finally {
    for (const one of opened) one.close();
  }
}

async function storeFiles(
  store: Warehouse,
  opened: readonly OpenedFile[],
  { files, countryCode, ...options }: ImportOptions & { readonly files: readonly SheetFile[] },
): Promise<ImportResult> {
  const problems: ImportProblem[] = opened.flatMap((one) => one.problems);
  const unlisted = opened.reduce((sum, one) => sum + one.problemCount - one.problems.length, 0);
  for (const header of Object.keys(options.map ?? {})) {
    if (opened.some(({ mapped }) => mapped.has(importKey(header)))) continue;
    const message = "--map names it, and none of the files has such a header or word";
    problems.push({ file: files.map(({ name }) => name).join(", "), tab: "", row: 0, header, message });
  }
  const stored = await filePulls(store);
  const profileId = await profileOf(store, { countryCode, wanted: options.profileId, stored });
  const own = stored.filter((pull) => pull.profileId === profileId);

  const pieces = opened.flatMap(({ reports }) => reports).flatMap(({ file, tab, digest, read }) =>
    read.pieces.map((piece): FilePiece => ({
      ...piece,
      tab,
      preset: read.preset,
      mark: { name: file, digest, isSum: piece.isSum, window: read.window },
    }))
  );
  const overlaps = findOverlaps(pieces, {
    stored: own,
    account: await accountDays(store, { profileId, own }),
  });
  for (const { piece, message } of overlaps.problems) problems.push(problemOf(piece, message));
  for (const [index, piece] of pieces.entries()) {
    const message = windowProblem(piece, [...own, ...pieces.slice(0, index).map(({ mark }) => mark)]);
    if (message !== undefined) problems.push(problemOf(piece, message));
  }
  if (problems.length > 0) throw new ImportProblemsError(problems, problems.length + unlisted);

  const entities = await storeEntities(store, opened, { profileId, countryCode });
  const hasEntities = Object.keys(entities).length > 0;
  const counts: JoinCounts = { joined: 0, named: 0, missing: new Set(), several: new Set() };
  const index = new NameIndex();
  let rejoined = 0;
  try {
    // Where no row is joined, the account need not be read: it may be large.
    if (pieces.length > 0 || (hasEntities && own.length > 0)) {
      for await (const { kind, entity } of store.eachEntity(profileId)) index.add(kind, entity);
    }
    for (const piece of pieces) {
      if (overlaps.known.has(piece)) continue;
      for (const range of runsOf(piece, overlaps.given.get(piece))) {
        const reportIds = [fileReportId(piece.mark)];
        await store.replace(
          { profileId, countryCode, report: piece.preset, ...range, reportIds },
          joinedRows(piece, { range, index, counts }),
        );
      }
    }
    if (hasEntities) rejoined = await rejoin(store, index, own);
  } finally {
    index.close();
  }
  return {
    profileId,
    countryCode,
    files: opened.flatMap(describe),
    names: { ...counts, missing: [...counts.missing], several: [...counts.several] },
    rejoined,
    entities,
    notices: [
      ...opened.flatMap(({ notices, reports, bulk }) => {
        const name = reports[0]?.file ?? bulk?.file ?? "";
        return notices.map((notice) => `${name}: ${notice}`);
      }),
      ...overlaps.notices,
    ],
  };
}

/** True if the profile exists only through imported files; such profiles have shorter ids than any on the platform. */
function isFileProfile(profileId: string): boolean {
  return profileId.length < 8;
}

async function profileOf(
  store: Warehouse,
  { countryCode, wanted, stored }: {
    countryCode: string;
    wanted: string | undefined;
    stored: readonly FilePull[];
  },
): Promise<string> {
  const inMarket = (await store.profiles()).filter((one) => one.countryCode === countryCode);
  if (wanted !== undefined) {
    if (!/^\d+$/.test(wanted)) {
      throw new RangeError(`Cannot use "${wanted}" as a profile: expected the digits of its id`);
    }
    return wanted;
  }
  const fromFiles = inMarket.filter(({ profileId }) =>
    isFileProfile(profileId) || stored.some((pull) => pull.profileId === profileId)
  );
  const [first, second] = fromFiles;
  if (second !== undefined) {
    throw new RangeError(
      `Cannot choose a profile of ${countryCode}: files of ${
        fromFiles.map(({ profileId }) => profileId).join(", ")
      } are stored. Name one with --profile`,
    );
  }
  if (first !== undefined) return first.profileId;
  const [synced] = inMarket;
  if (synced !== undefined) {
    throw new RangeError(
      `Cannot import into ${store.location}: it holds ${countryCode} profile ${synced.profileId} from the account, and ` +
        "figures of both would add up. Name another --store, or the files' profile with --profile",
    );
  }
  // 9 and the letters of the country as numbers: the platform's own ids are three times as long.
  return `9${[...countryCode].map((letter) => letter.charCodeAt(0)).join("")}`;
}

async function accountDays(
  store: Warehouse,
  { profileId, own }: { profileId: string; own: readonly FilePull[] },
): Promise<AccountDays[]> {
  const { rows } = await store.query(
    "SELECT report, date FROM days WHERE profile_id = ? ORDER BY report, date",
    [profileId],
    { maxRows: Infinity },
  );
  return [...Map.groupBy(rows, (row) => String(row["report"]))].flatMap(([report, days]) =>
    joinDays(
      days.map((row) => String(row["date"]).slice(0, 10)).filter((day) =>
        !own.some((pull) => pull.report === report && pull.start <= day && day <= pull.end)
      ),
    ).map((range) => ({ report: report as AccountDays["report"], ...range }))
  );
}

function* joinedRows(
  { rows, preset }: FilePiece,
  { range, index, counts }: { range: DayRange; index: NameIndex; counts: JoinCounts },
): Generator<ReportRow> {
  for (const row of rows) {
    const date = String(row["date"]);
    if (date >= range.start && date <= range.end) yield index.join(row, preset, counts);
  }
}

async function storeEntities(
  store: Warehouse,
  opened: readonly OpenedFile[],
  which: { profileId: string; countryCode: string },
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const all = new BulkEntities(opened.flatMap(({ bulk }) => bulk?.readers ?? []));
  for (const [kind, entities] of all) {
    let count = 0;
    const counted = function* (): Generator<Readonly<Record<string, unknown>>> {
      for (const [, entity] of entities) {
        count += 1;
        yield entity;
      }
    };
    await store.replaceEntities({ ...which, kind }, counted());
    counts[kind] = count;
  }
  return counts;
}

async function rejoin(store: Warehouse, index: NameIndex, pulls: readonly FilePull[]): Promise<number> {
  let rejoined = 0;
  for (const pull of pulls) {
    const { profileId, countryCode, start, end } = pull;
    const report = pull.report as ReportPresetName;
    const counts: JoinCounts = { joined: 0, named: 0, missing: new Set(), several: new Set() };
    // The store cannot be read and written at once.
    const rows = new Spill<ReportRow>();
    try {
      let changed = 0;
      for await (
        const { country_code: _, profile_id: __, ...row } of store.rows(report, { profileId, start, end })
      ) {
        const joined = index.join(row, report, counts);
        if (
          ["campaignId", "adGroupId", "keywordId", "targetingId", "adId"].some((id) =>
            isNamed(row[id]) && !isNamed(joined[id])
          )
        ) {
          changed += 1;
        }
        rows.push(joined);
      }
      if (changed === 0) continue;
      rejoined += changed;
      const reportIds = [fileReportId(pull)];
      await store.replace({ profileId, countryCode, report, start, end, reportIds }, rows);
    } finally {
      rows.close();
    }
  }
  return rejoined;
}

function problemOf({ mark, tab }: FilePiece, message: string): ImportProblem {
  return { file: mark.name, tab, row: 0, header: "", message };
}

const SEPARATORS: Readonly<Record<string, string>> = { "\t": "tab" };

function describe({ reports, bulk }: OpenedFile): ImportedFile[] {
  const described = reports.map(({ file, tab, table, read, separator }): ImportedFile => {
    const { pieces, formats, rates, dayExample, window } = read;
    const parts = [
      ...(separator === undefined ? [] : [`separator ${SEPARATORS[separator] ?? separator}`]),
      `decimal ${formats.decimal}`,
      /^\d{5}(\.\d+)?$/.test(dayExample) ? "days as numbers" : `days as "${dayExample}"`,
      ...(rates === undefined
        ? []
        : [`rates ${rates === "percent signs" ? "with percent signs" : `as ${rates}`}`]),
      ...(window === undefined ? [] : [`orders of ${window} days`]),
    ];
    return {
      file,
      tab,
      report: read.preset,
      language: table.language,
      days: { start: pieces[0]?.start ?? "", end: pieces.at(-1)?.end ?? "" },
      isSum: pieces.some(({ isSum }) => isSum),
      count: read.count,
      operations: 0,
      form: parts.join(", "),
    };
  });
  if (bulk === undefined) return described;
  const count = bulk.entities.count();
  const form = bulk.tabs.filter((tab) => tab !== "").join(", ");
  return [...described, {
    file: bulk.file,
    tab: "",
    report: "bulk sheet",
    language: bulk.language,
    days: undefined,
    isSum: false,
    count,
    operations: bulk.operations,
    form: form === "" ? "CSV" : `tabs ${form}`,
  }];
}
