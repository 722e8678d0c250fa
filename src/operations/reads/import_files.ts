import type { ImportedFile, ImportResult } from "../../account/imports/import_files.ts";
import type { FileProduct } from "../../account/tables/console_headers.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { sheetNamed } from "../model/field.ts";
import { defineOperation } from "../model/operation.ts";
import { hintsOf, READING_FIELDS } from "../model/reading_fields.ts";

const MAX_NAMED = 3;

export interface ImportContext {
  /** Country of the files; otherwise what they show. */
  readonly market: string | undefined;
  /** Opens the store once the market is known. */
  readonly store: () => Promise<Warehouse>;
}

export const importReports = defineOperation<ImportContext, ImportResult>()({
  name: "import",
  effect: "store",
  isForPeople: true,
  title: "Import files",
  summary: "Import downloaded reports and bulk sheets, without API access",
  details:
    "Reads the console's search term, targeting, campaign, placement and advertised product reports and bulk " +
    "sheets, as CSV or XLSX, in every language with known headers. Detects and prints separators, decimals, " +
    "dates and rate formats of each file. Reports have no ids: names are matched with a bulk sheet, or stored " +
    "as names. A newer file replaces the same days; a summary that overlaps other days is refused. If any " +
    "file has a problem, nothing is stored. Then use figures and query, and plan bids, harvest and negatives " +
    "with --from-files.",
  brief: "Imports downloaded reports and bulk sheets",
  examples: [
    {
      input: { files: ["terms.csv", "targeting.xlsx", "bulk.xlsx"].map(sheetNamed) },
      about: "import two reports, with a bulk sheet for ids",
    },
  ],
  library: 'await importFiles(store, [{ name: "terms.csv", bytes }], { countryCode: "US" })',
  input: {
    files: {
      type: "sheets",
      required: true,
      isOfCommands: true,
      help: "downloaded .csv and .xlsx files",
    },
    ...READING_FIELDS,
    profile: {
      type: "text",
      value: "id",
      help: "profile id for the rows, if known",
      otherwise: "a short id",
    },
    product: {
      type: "choice",
      choices: ["sp", "sb", "sd"],
      value: "product",
      help: "ad product, if the headers fit several",
    },
    country: { type: "text", value: "name", help: "only rows of this country, as written in the file" },
    rows_of: {
      type: "choice",
      choices: ["day", "month"],
      value: "span",
      help: "period of each row, if all days are the first of a month",
    },
  },
  async run({ market, store }, { files, profile: profileId, product, country, rows_of: rowsOf, ...others }) {
    const { importFiles } = await import("../../account/imports/import_files.ts");
    const { countryOfFiles } = await import("../../account/imports/country_of_files.ts");
    const hints = hintsOf(others);
    const countryCode = market ?? await countryOfFiles(files, hints);
    return await importFiles(await store(), files, {
      countryCode,
      profileId,
      ...hints,
      product: product?.toUpperCase() as FileProduct | undefined,
      country,
      rowsOf,
    });
  },
  data: ({ profileId, countryCode, files, names, rejoined, entities, notices }) => ({
    profile_id: profileId,
    country_code: countryCode,
    files: files.map(({ days, isSum, ...file }) => ({
      ...file,
      first_day: days?.start ?? null,
      last_day: days?.end ?? null,
      is_sum: isSum,
    })),
    names,
    rejoined,
    entities,
    notices,
  }),
  lines({ files, names, rejoined, entities }) {
    const lines = files.flatMap((file) => [headLine(file), `  ${file.form}`]);
    const kinds = Object.entries(entities).map(([kind, count]) => `${count} ${kind}`);
    if (kinds.length > 0) lines.push(`Account: ${kinds.join(", ")}`);
    if (names.joined + names.named > 0) {
      lines.push(
        `Names: ${names.joined} rows have the ids of a bulk sheet, ${names.named} keep their names`,
      );
    }
    if (names.missing.length > 0) lines.push(`  not in the bulk sheet: ${listed(names.missing)}`);
    if (names.several.length > 0) lines.push(`  ambiguous campaign names: ${listed(names.several)}`);
    if (rejoined > 0) lines.push(`Names: ${rejoined} rows of earlier files now have ids`);
    return lines;
  },
});

function headLine({ file, tab, report, language, days, isSum, count }: ImportedFile): string {
  const when = days === undefined
    ? `${count} entities`
    : `${count} rows, ${isSum ? "one sum of" : "daily,"} ${days.start} to ${days.end}`;
  return `${file}${tab === "" ? "" : ` (${tab})`}: ${report}, ${language}, ${when}`;
}

function listed(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  return names.slice(0, MAX_NAMED).map((name) => `"${name}"`).join(", ") + more;
}
