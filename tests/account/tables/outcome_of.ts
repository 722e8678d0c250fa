import { openFile } from "../../../src/account/imports/open_file.ts";
import { readRequests } from "../../../src/account/sheets/plan_sheet.ts";
import type { SheetReadingHints } from "../../../src/account/sheets/sheet_rows.ts";
import { SheetProblemsError } from "../../../src/account/sheets/sheet_problems_error.ts";
import { SheetFileError } from "../../../src/account/tables/sheet_lines.ts";

/** How a file of the corpus is read. */
export interface CorpusCase {
  /** Name of the file. */
  readonly file: string;
  /** Where the shape was seen. */
  readonly seen: string;
  readonly as: "plan" | "import";
  readonly market: string;
  readonly hints?: SheetReadingHints;
}

/** What comes of a file: what was understood, and what was refused or remarked. */
export interface Outcome {
  /** Requests of a sheet, entities of an import as `kind id`. */
  readonly entities?: readonly string[];
  /** Of each report: preset, days, rows, clicks, cost, sales. */
  readonly reports?: readonly string[];
  /** Refused cells, each with the beginning of the reason. */
  readonly refused?: readonly string[];
  readonly remarks?: readonly string[];
}

/** Reads a file as a case says. */
export async function outcomeOf(
  bytes: Uint8Array,
  { file, as, market, hints }: CorpusCase,
): Promise<Outcome> {
  return as === "plan"
    ? await planned({ bytes, name: file }, { ...hints, countryCode: market })
    : await imported({ bytes, name: file }, { ...hints, countryCode: market });
}

type File = Parameters<typeof readRequests>[0];

async function planned(file: File, hints: SheetReadingHints): Promise<Outcome> {
  try {
    const { requests, notices } = await readRequests(file, { ...hints, skipBadRows: false });
    return {
      entities: requests.map(({ op, kind, id, fields }) =>
        `${op} ${kind} ${id ?? "new"} ${JSON.stringify(fields)}`
      ),
      ...(notices.length === 0 ? {} : { remarks: notices }),
    };
  } catch (error) {
    if (error instanceof SheetFileError) return { refused: [start(error.reason)] };
    if (!(error instanceof SheetProblemsError)) throw error;
    return {
      refused: error.problems.map(({ row, header, message }) => start(`row ${row}, ${header}: ${message}`)),
    };
  }
}

async function imported(file: File, options: Parameters<typeof openFile>[1]): Promise<Outcome> {
  const { reports, bulk, problems, notices } = await openFile(file, options);
  const remarks = notices.length === 0 ? {} : { remarks: notices.map(start) };
  if (problems.length > 0) {
    return {
      refused: problems.map(({ row, header, message }) => start(`row ${row}, ${header.trim()}: ${message}`)),
    };
  }
  return {
    ...(bulk === undefined ? {} : {
      entities: [...bulk.entities].flatMap(([kind, own]) =>
        [...own].map(([id, fields]) => `${kind} ${id} ${JSON.stringify(fields)}`)
      ),
    }),
    ...(reports.length === 0 ? {} : {
      reports: reports.map(({ read: { preset, pieces } }) => {
        const rows = pieces.flatMap((piece) => [...piece.rows]);
        const sum = (name: string): number =>
          Number(rows.reduce((before, row) => before + Number(row[name] ?? 0), 0).toFixed(2));
        const days = [...new Set(rows.map(({ date }) => String(date)))].join(" ");
        const terms = [...new Set(rows.map((row) => row["searchTerm"]))].join("; ");
        return `${preset}, ${rows.length} rows, ${days}, ${terms}, impressions ${
          sum("impressions")
        }, clicks ${sum("clicks")}, cost ${sum("cost")}, sales ${sum("sales7d")}, orders ${
          sum("purchases7d")
        }`;
      }),
    }),
    ...remarks,
  };
}

/** Characters of a reason that are compared: its words may grow. */
const COMPARED = 90;

function start(text: string): string {
  return text.slice(0, COMPARED);
}
