import type { RowProblem } from "../../account/sheets/sheet_row.ts";
import type { ReadRequests } from "../../account/sheets/plan_sheet.ts";
import { type InputOf, sheetNamed } from "../model/field.ts";
import { checkHoldBack, HOLD_BACK_FIELDS, holdBackOf } from "../model/hold_back.ts";
import { defineOperation } from "../model/operation.ts";
import { hintsOf, READING_FIELDS } from "../model/reading_fields.ts";
import {
  type AllowedPlan,
  allowedPlan,
  DENIED_FIELD,
  NOTE_FIELD,
  type WriteContext,
} from "./write_operation.ts";

const INPUT = {
  file: {
    type: "sheet",
    required: true,
    isOfCommands: true,
    help: "an .xlsx or .csv file in the platform's bulk format, or for many profiles a folder of sheets",
  },
  ...READING_FIELDS,
  ...HOLD_BACK_FIELDS,
  skip_bad_rows: { type: "switch", help: "skip invalid rows and their children; exit code 3" },
  ...DENIED_FIELD,
  ...NOTE_FIELD,
} as const;

interface SheetContext extends Pick<WriteContext, "profile" | "signal"> {
  /** Rows that were read before the profile was known. */
  readonly read?: ReadRequests;
}

export interface PlannedSheet extends AllowedPlan {
  /** Number of rows with an operation. */
  readonly rows: number;
  /** Number of rows with a blank operation. */
  readonly ignored: number;
  readonly problems: readonly RowProblem[];
  readonly notices: readonly string[];
}

export const sheetPlan = defineOperation<SheetContext, PlannedSheet>()({
  name: "sheet plan",
  effect: "plan",
  isForPeople: true,
  title: "Plan a sheet",
  summary: "Plan the changes in a sheet, without sending them",
  details:
    "Plans rows with create, update or archive in the column Operation; empty cells change nothing. For a new " +
    "campaign or ad group, use any text as its id, and use the same text in its children's rows. Lists every " +
    "unusable cell with row and column, and then plans nothing unless --skip-bad-rows is set.",
  brief: "Plans the rows of a bulk sheet that have an operation",
  examples: [{
    input: { file: sheetNamed("bulk.csv"), skip_bad_rows: true },
    about: "plan only the valid rows",
  }],
  library: 'const { plan } = await planSheet(profile, { bytes, name: "bulk.xlsx" })',
  input: INPUT,
  check: (input, spelling) => checkHoldBack(input, spelling),
  async run({ profile, signal, read }, input) {
    const { planRequests } = await import("../../account/sheets/plan_sheet.ts");
    const { file, note = `Sheet ${file.name}` } = input;
    const { plan, ...others } = await planRequests(profile, read ?? await readSheet(input, profile), {
      note,
      holdBack: holdBackOf(input),
      signal,
    });
    return { ...others, ...await allowedPlan(plan, { profile, signal }, input) };
  },
  data: ({ rows, ignored, notices, problems }) => ({
    rows,
    ignored_rows: ignored,
    notices,
    problems: problems.map(({ tab, row, header, message }) => ({ tab, row, column: header, message })),
  }),
});

/**
 * Reads the rows with an operation; asks nothing of the platform.
 *
 * @throws {SheetProblemsError} with every cell that cannot be used.
 */
export async function readSheet(
  { file, skip_bad_rows: skipBadRows = false, ...others }: InputOf<typeof INPUT>,
  { countryCode }: { readonly countryCode?: string | undefined },
): Promise<ReadRequests> {
  const { readRequests } = await import("../../account/sheets/plan_sheet.ts");
  return await readRequests(file, { skipBadRows, ...hintsOf(others), countryCode });
}
