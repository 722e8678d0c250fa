import { type BulkHead, headKey, mapByKey } from "../tables/bulk_head.ts";
import { columnLetters } from "../../base/spreadsheet/row_cells.ts";
import { detached } from "../../base/text/detached.ts";
import {
  type DayOrder,
  DayOrders,
  type DecimalMark,
  DecimalMarks,
  looksTurned,
  readDay,
  readNumber,
} from "../tables/cell_formats.ts";
import { currencyMark } from "../tables/currency_marks.ts";
import { cellFor, type CellUse, isCalculated } from "../tables/read_cell.ts";
import { type SheetWords, wordKey, type WordMap } from "../tables/words.ts";
import type { SheetLine } from "../tables/sheet_lines.ts";
import { SHEET_PRODUCTS } from "./products.ts";
import type { SheetColumn } from "./sheet_entity.ts";
import { AMOUNT } from "./sheet_values.ts";

/** Hints for ambiguous cells and unknown words. */
export interface BulkHints {
  /** Mark before decimals. @default what the amounts show */
  readonly decimal?: DecimalMark | undefined;
  /** Order of days such as 12/07/2026. @default what the days show */
  readonly dayOrder?: DayOrder | undefined;
  /** Heads and words that are not known, with the known ones that they stand for. */
  readonly map?: WordMap | undefined;
}

/** An amount or a day whose form is decided by all cells of the file together. */
export class OpenValue {
  readonly kind: "amount" | "day" | "number";
  /** As the cell holds it. */
  readonly text: string;
  /** Currency in which a number is shown. */
  readonly currency: string | undefined;

  constructor(kind: OpenValue["kind"], text: string, currency?: string) {
    this.kind = kind;
    this.text = text;
    this.currency = currency;
  }
}

/** Amounts as the format has them, which can be read in one way only. */
const PLAIN_AMOUNT = /^\d+(?:\.\d{1,2}|\.\d{4,})?$/;
/** Texts that are kept for a remark. */
const MAX_TURNED = 1000;
/** A day in digits whose order is not plain. */
const DIGITS = /^\d{1,2}[/-]\d{1,2}[/-]/;
/** Words in the column Entity of newer files, by those that the format knows. */
const SAME_ENTITY: Readonly<Record<string, string>> = {
  "bidding adjustment by placement": "bidding adjustment",
};

const KNOWN_COLUMNS: ReadonlySet<string> = new Set(
  SHEET_PRODUCTS.flatMap(({ headers }) => headers.map(headKey)),
);

/** A word of the column Entity as it is compared. */
export function entityWord(text: string): string {
  return SAME_ENTITY[headKey(text)] ?? headKey(text);
}

/** The cells of a bulk sheet: by the English heads of their columns, with the words of the format. */
export class BulkTable {
  /** Words that were translated by one which was never seen in a file. */
  readonly unconfirmed: Set<string> = new Set();
  /** Numbers of formulas whose last values were read, by the head of their column. */
  readonly calculated: Map<string, number> = new Map();
  /** Texts that a spreadsheet program may have made of others, with the heads of their columns and their rows. */
  readonly turned: { readonly header: string; readonly text: string; readonly row: number }[] = [];
  /** Heads of columns that are not known, and have something in a row that is used. */
  readonly unread: Set<string> = new Set();
  readonly #head: BulkHead;
  readonly #words: SheetWords;
  readonly #given: ReadonlyMap<string, string>;
  readonly #form: FileForm;

  constructor(head: BulkHead, { words, map, form }: { words: SheetWords; map: WordMap; form: FileForm }) {
    this.#head = head;
    this.#words = words;
    this.#given = mapByKey(map);
    this.#form = form;
  }

  /** True for the head of a column that the format reads. */
  isUsed(head: string): boolean {
    const { text, suffix } = this.#words.bare(head);
    return suffix === "" && KNOWN_COLUMNS.has(headKey(this.#words.find("header", text)?.english ?? text));
  }

  /** One problem for each column that the format reads and the file has twice. */
  doubled(): { readonly header: string; readonly message: string }[] {
    return this.#head.doubled.filter(({ head }) => this.isUsed(head)).map(({ head, at }) => ({
      header: head,
      message: `the column is there ${at.length === 2 ? "twice" : `${at.length} times`} (${
        at.map(columnLetters).join(", ")
      }). Remove all but one`,
    }));
  }

  /** Takes a row that is used. */
  use({ cells }: SheetLine): void {
    for (const { head, at } of this.#head.unknown) if ((cells[at] ?? "").trim() !== "") this.unread.add(head);
  }

  /** The cell as it is written, with spaces around it; for messages and names. */
  raw({ cells }: SheetLine, header: string): string {
    return cells[this.#head.at.get(headKey(header)) ?? -1] ?? "";
  }

  /**
   * The text of a cell.
   *
   * @throws {RangeError} for a cell that a program has changed.
   */
  text(line: SheetLine, header: string, use: CellUse): string {
    const at = this.#head.at.get(headKey(header));
    if (at === undefined) return "";
    const text = cellFor(line, at, use);
    if (isCalculated(line, at)) this.calculated.set(header, (this.calculated.get(header) ?? 0) + 1);
    return text;
  }

  /**
   * The English word of a cell.
   *
   * @throws {RangeError} for a cell that a program has changed.
   */
  word(line: SheetLine, header: string): string {
    const text = this.text(line, header, "word");
    if (text === "") return "";
    const mapped = this.#given.get(wordKey(text));
    const known = mapped === undefined ? this.#words.find(header, text) : undefined;
    if (known?.isUnconfirmed) this.unconfirmed.add(text);
    return mapped ?? known?.english ?? text.normalize("NFKC");
  }

  /**
   * The value of a cell; an {@linkcode OpenValue} where all cells of the file decide, `undefined` for an empty cell.
   *
   * @throws {RangeError} that says what is wrong with it.
   */
  value(line: SheetLine, { header, value }: Pick<SheetColumn, "header" | "value">): unknown {
    const { use = "text" } = value;
    const text = use === "word" ? this.word(line, header) : this.text(line, header, use);
    if (text === "") return undefined;
    const note = line.notes?.[this.#head.at.get(headKey(header)) ?? -1];
    const isNumber = note?.type === "number";
    if (use === "text" && this.turned.length < MAX_TURNED && looksTurned(text)) {
      this.turned.push({ header, text: detached(text), row: line.number });
    }
    if (use === "number" && note?.currency !== undefined) {
      return this.#form.open(new OpenValue("number", text, note.currency));
    }
    if (use === "number" && !isNumber) {
      if (!PLAIN_AMOUNT.test(text)) return this.#form.open(new OpenValue("amount", text));
      this.#form.showPoint(text);
    }
    if (use === "day" && !/^\d{4}-?\d{2}-?\d{2}$/.test(text)) {
      return this.#form.open(new OpenValue("day", text));
    }
    return value.read(text);
  }
}

/** The form of the amounts and days of a file, which one cell does not show. */
export class FileForm {
  readonly #hints: BulkHints;
  readonly #is1904: boolean;
  readonly #marks = new DecimalMarks();
  readonly #orders = new DayOrders();
  // One example for all cells: what is asked once is said once, with the numbers of its rows.
  #unclearDay: string | undefined;
  #unclearAmount: string | undefined;

  constructor(hints: BulkHints, { is1904 }: { is1904: boolean }) {
    this.#hints = hints;
    this.#is1904 = is1904;
  }

  /** Keeps in mind that the file has amounts with a decimal point. */
  showPoint(text: string): void {
    if (text.includes(".")) this.#marks.take("0.5", false);
  }

  /** Keeps in mind what a value shows of the form. */
  open(value: OpenValue): OpenValue {
    const { kind, text } = value;
    if (kind === "amount") {
      this.#marks.take(text, false);
      if (/[.,]/.test(text)) this.#unclearAmount ??= detached(text);
    } else if (kind === "day") {
      this.#orders.take(text);
      if (DIGITS.test(text)) this.#unclearDay ??= detached(text);
    }
    return value;
  }

  /** Decides by all values what each of them means. */
  settled(): (value: OpenValue) => { readonly value: unknown; readonly currency?: string | undefined } {
    const decimal = this.#hints.decimal ?? this.#marks.found;
    const dayOrder = this.#hints.dayOrder ?? this.#orders.found;
    const is1904 = this.#is1904;
    const [unclearDay, unclearAmount] = [this.#unclearDay ?? "", this.#unclearAmount ?? ""];
    return ({ kind, text, currency }) => {
      if (kind === "number") return { value: AMOUNT.read(text), currency };
      if (kind === "day") {
        const wanted = dayOrder === "unclear" || dayOrder === "mixed" ? undefined : dayOrder;
        const day = readDay(text, { dayOrder: wanted, is1904 });
        if (day !== undefined) return { value: day };
        if (DIGITS.test(text) && wanted === undefined) {
          throw new RangeError(
            `"${unclearDay}" can be read in two ways: say which comes first with --dates dmy or --dates mdy`,
          );
        }
        throw new RangeError(`"${text}" is not a day: expected yyyyMMdd, such as 20260401`);
      }
      if (decimal === "unclear" && /[.,]/.test(text)) {
        throw new RangeError(
          `"${unclearAmount}" is ambiguous: choose --decimal point or --decimal comma`,
        );
      }
      if (decimal === "mixed" && /[.,]/.test(text)) {
        throw new RangeError(
          `"${text}": the file mixes decimal points and decimal commas. Use one of them`,
        );
      }
      const number = readNumber(text, { decimal: decimal === "comma" ? "comma" : "point" });
      if (number === undefined || /%/.test(text) || /\de[+-]?\d/i.test(text)) {
        throw new RangeError(
          `"${text}" is not an amount: expected digits with a decimal point, such as 0.75`,
        );
      }
      if (number < 0) throw new RangeError(`"${text}" is less than 0`);
      return { value: number, currency: currencyMark(text) };
    };
  }
}
