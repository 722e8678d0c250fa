import { bulkHead } from "../tables/bulk_head.ts";
import type { FileKnowledge } from "../tables/console_headers.ts";
import { foreignCurrency, isOnlyOf } from "../tables/currency_marks.ts";
import { type FoundTable, openTables, readTables, type SheetFile } from "../tables/open_tables.ts";
import { OwnerColumns } from "../tables/owner_columns.ts";
import { isBlank } from "../tables/sheet_lines.ts";
import { WideRows } from "../tables/wide_rows.ts";
import { type BulkHints, BulkTable, FileForm, OpenValue } from "./bulk_table.ts";
import {
  hiddenRowNotices,
  noBulkSheet,
  sourceNotices,
  tableNotices,
  titleNotices,
} from "./sheet_findings.ts";
import { type RowProblem, RowReader, type SheetRow } from "./sheet_row.ts";

export interface SheetRows {
  readonly rows: readonly SheetRow[];
  readonly problems: readonly RowProblem[];
  readonly ignored: number;
  /** False if a column is duplicated or rows belong to several accounts; then no row can be trusted. */
  readonly isUsable: boolean;
  readonly notices: readonly string[];
}

/** Hints for reading a sheet, in addition to detection. */
export interface SheetReadingHints extends BulkHints {
  /** Encoding of a CSV file. @default what its bytes show */
  readonly encoding?: string | undefined;
  /** The only tab to read. @default every bulk sheet in the file */
  readonly tab?: string | undefined;
  /** Country of the account, for amounts with a currency symbol. @default such amounts are refused */
  readonly countryCode?: string | undefined;
}

/**
 * Reads the rows of a sheet. Skips rows without an operation and unknown columns, and skips other tabs with a notice.
 *
 * @throws {SheetFileError} when the file is unreadable or has no bulk sheet.
 */
export function readSheetRows(
  file: SheetFile,
  { lists, words }: FileKnowledge,
  hints: SheetReadingHints = {},
): SheetRows {
  const source = openTables(file, hints);
  const { map = {} } = hints;
  const form = new FileForm(hints, source);
  const read: SheetRow[] = [];
  const problems: RowProblem[] = [];
  const tables: {
    tab: string;
    table: BulkTable;
    owners: OwnerColumns;
    wide: WideRows;
    titles: readonly string[];
  }[] = [];
  const others: FoundTable[] = [];
  const hidden: number[] = [];
  let ignored = 0;
  let isUsable = true;
  readTables(source, {
    score: (cells) => bulkHead(cells, { words, map }) === undefined ? 0 : Infinity,
    begin: (found) => {
      const { tab, head } = found;
      if (hints.tab !== undefined && hints.tab !== tab) return undefined;
      const columns = head === undefined ? undefined : bulkHead(head.cells, { words, map });
      if (head === undefined || columns === undefined) {
        others.push(found);
        return undefined;
      }
      const table = new BulkTable(columns, { words, map, form });
      for (const problem of table.doubled()) {
        problems.push({ tab, row: head.number, ...problem });
        isUsable = false;
      }
      const owners = new OwnerColumns(columns.at, { head: head.cells, countryCode: hints.countryCode });
      const wide = new WideRows(head, source);
      tables.push({ tab, table, owners, wide, titles: titleNotices(found) });
      return (line) => {
        if (isBlank(line)) return;
        wide.take(line);
        const reader = new RowReader({ tab, line, table, words });
        const row = reader.read();
        if (row === "ignored") ignored += 1;
        else {
          owners.take(line);
          table.use(line);
          if (line.isHidden) hidden.push(line.number);
        }
        problems.push(...reader.problems);
        if (typeof row === "object" && reader.problems.length === 0) read.push(row);
      };
    },
  });
  if (tables.length === 0) throw noBulkSheet(source, others, { lists, wanted: hints.tab });
  for (const { tab, owners, wide } of tables) {
    for (const problem of [...owners.problems(), ...wide.problems()]) {
      problems.push({ tab, ...problem });
      isUsable = false;
    }
  }
  const settle = form.settled();
  const rows = read.flatMap((row) =>
    settledRow(row, { settle, problems, countryCode: hints.countryCode }) ?? []
  );
  const notices = [
    ...sourceNotices(source),
    ...hiddenRowNotices(hidden),
    ...others.map(({ tab }) => `Tab "${tab}" is not read: it is not a bulk sheet`).filter(() =>
      tables.length > 0
    ),
    ...tables.flatMap(({ tab, table, titles }) => [...titles, ...tableNotices(table, tab)]),
  ];
  return { rows, problems, ignored, notices, isUsable };
}

function settledRow(
  row: SheetRow,
  { settle, problems, countryCode }: {
    settle: ReturnType<FileForm["settled"]>;
    problems: RowProblem[];
    countryCode: string | undefined;
  },
): SheetRow | undefined {
  if (!row.fields.some(([, value]) => value instanceof OpenValue)) return row;
  const { tab, row: number, entity } = row;
  const found = problems.length;
  const fields = row.fields.map(([path, value]): SheetRow["fields"][number] => {
    if (!(value instanceof OpenValue)) return [path, value];
    const header = ("columns" in entity
      ? entity.columns.find((one) => one.path === path)?.header
      : undefined) ?? "";
    try {
      const { value: settled, currency } = settle(value);
      // A format may have a sign that several currencies share; in a text it is somebody's own.
      const isOwn = countryCode !== undefined && (value.kind === "number"
        ? foreignCurrency(currency ?? "", countryCode) === undefined
        : isOnlyOf(currency ?? "", countryCode));
      if (currency !== undefined && !isOwn) {
        const of = countryCode === undefined ? "the account" : countryCode;
        throw new RangeError(
          `"${value.text}": "${currency}" may not be the currency of ${of}. Write the amount without a sign`,
        );
      }
      return [path, settled];
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      problems.push({ tab, row: number, header, message: error.message });
      return [path, value];
    }
  });
  return problems.length > found ? undefined : { ...row, fields };
}
