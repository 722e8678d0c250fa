import { isObject } from "../../base/json/fields_of.ts";
import { decimalsOf } from "../../base/markets/markets.ts";
import { roundMoney } from "../../base/text/money_text.ts";
import { KINDS } from "../../client/entities/kinds/kinds.ts";
import type { PlanDraft } from "../../client/entities/plan_draft.ts";
import type { PlanOptions } from "../../client/entities/resource/plan_writes.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { fileKnowledge } from "../tables/console_headers.ts";
import type { SheetFile } from "../tables/open_tables.ts";
import { SheetProblemsError } from "./sheet_problems_error.ts";
import { type SheetRequest, sheetRequests } from "./sheet_requests.ts";
import type { RowProblem } from "./sheet_row.ts";
import { readSheetRows, type SheetReadingHints } from "./sheet_rows.ts";

/** Settings for reading a sheet as a plan. */
export interface PlanSheetOptions
  extends Pick<PlanOptions, "holdBack" | "heldElsewhere">, Omit<SheetReadingHints, "countryCode"> {
  /** True to leave out invalid rows and their children instead of refusing the sheet. @default false */
  readonly skipBadRows?: boolean | undefined;
  /** Reason for the plan. @default the name of the file */
  readonly note?: string | undefined;
  /** Aborts reading the current values of the sheet's rows. */
  readonly signal?: AbortSignal | undefined;
}

/** A plan and the rows it was made from. */
export interface SheetPlan {
  /** The plan, not sent yet; without changes if the account already matches the sheet. */
  readonly plan: ChangePlan;
  /** Number of rows with an operation. */
  readonly rows: number;
  /** Number of rows with a blank operation. */
  readonly ignored: number;
  /** Cells that cannot be used; always empty unless `skipBadRows` is set. */
  readonly problems: readonly RowProblem[];
  /** Remarks about the file: tabs that are not read, formulas, translated words. */
  readonly notices: readonly string[];
}

/**
 * Plans the changes of a bulk file: rows with `create`, `update` or `archive` in the column Operation. An empty cell
 * changes nothing. A placeholder text as the id of a new campaign or ad group links its children to it. Sends nothing.
 *
 * @example
 * ```ts
 * import { readFile } from "node:fs/promises";
 * import type { ProfileClient } from "@platform/ads";
 * import { planSheet } from "@platform/ads/account";
 *
 * async function planned(ca: ProfileClient): Promise<void> {
 *   const bytes = await readFile("bulk.xlsx");
 *   const { plan, ignored } = await planSheet(ca, { bytes, name: "bulk.xlsx" });
 *   console.log(plan.toMarkdown(), ignored);
 * }
 * ```
 * @throws {SheetProblemsError} with every cell that cannot be used. Nothing was read of the account.
 */
export async function planSheet(
  profile: ProfileClient,
  file: SheetFile,
  { skipBadRows = false, note = `Sheet ${file.name}`, ...others }: PlanSheetOptions = {},
): Promise<SheetPlan> {
  const { signal, holdBack, heldElsewhere, ...hints } = others;
  const read = await readRequests(file, { skipBadRows, ...hints, countryCode: profile.countryCode });
  return await planRequests(profile, read, { note, signal, holdBack, heldElsewhere });
}

export async function planRequests(
  profile: ProfileClient,
  read: ReadRequests,
  options: Pick<PlanOptions, "note" | "signal" | "holdBack" | "heldElsewhere">,
): Promise<SheetPlan> {
  const { problems, rows, ignored } = read;
  const { requests, notices } = roundedRequests(read.requests, profile.countryCode);
  const plan = await drafted(profile, requests).build(options);
  return { plan, rows, ignored, problems, notices: [...read.notices, ...notices] };
}

function drafted(profile: ProfileClient, requests: readonly SheetRequest[]): PlanDraft {
  const draft = profile.plan();
  for (const { kind, op, id, ref, fields } of requests) {
    if (op === "create") draft.create(kind, fields, { as: ref });
    else if (op === "archive") draft.archive(kind, id ?? "");
    else draft.update(kind, { [KINDS[kind as keyof typeof KINDS].idField]: id, ...fields });
  }
  return draft;
}

export interface ReadRequests {
  readonly requests: readonly SheetRequest[];
  readonly problems: readonly RowProblem[];
  readonly rows: number;
  readonly ignored: number;
  readonly notices: readonly string[];
}

export async function readRequests(
  file: SheetFile,
  { skipBadRows, ...hints }: SheetReadingHints & { readonly skipBadRows: boolean },
): Promise<ReadRequests> {
  const read = readSheetRows(file, await fileKnowledge(), hints);
  const { requests, problems } = sheetRequests(read);
  const sorted = problems.sort((a, b) => a.tab === b.tab ? a.row - b.row : 0);
  if (sorted.length > 0 && (!skipBadRows || !read.isUsable)) throw new SheetProblemsError(file.name, sorted);
  const { rows, ignored, notices } = read;
  return { requests, problems: sorted, rows: rows.length, ignored, notices };
}

const MONEY: ReadonlySet<string> = new Set(["bid", "defaultBid", "budget", "amount"]);

function roundedRequests(
  requests: readonly SheetRequest[],
  countryCode: string,
): { readonly requests: readonly SheetRequest[]; readonly notices: readonly string[] } {
  const decimals = decimalsOf(countryCode);
  const notices: string[] = [];
  const rounded = requests.map((request) => {
    const [place] = request.rows;
    const where = `${place?.tab === "" ? "" : `${place?.tab} `}row ${place?.row}`;
    const walk = (value: unknown, name: string): unknown => {
      if (typeof value === "number" && MONEY.has(name)) {
        const next = roundMoney(value, decimals);
        if (next !== value) {
          notices.push(`${where}: ${name} is rounded to the market's decimals, ${value} → ${next}`);
        }
        return next;
      }
      if (!isObject(value)) return value;
      return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, walk(inner, field)]));
    };
    return { ...request, fields: walk(request.fields, "") as SheetRequest["fields"] };
  });
  return { requests: rounded, notices };
}
