import { type BulkHead, headKey, mapByKey } from "../tables/bulk_head.ts";
import { columnLetters } from "../../base/text/row_cells.ts";
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
  /** Decimal separator. @default what the amounts show */
  readonly decimal?: DecimalMark | undefined;
  /** Order of day and month in dates such as 12/07/2026. @default what the days show */
  readonly dayOrder?: DayOrder | undefined;
  /** Known equivalents of unknown headers and words. */
  readonly map?: WordMap | undefined;
}

export class OpenValue {
  readonly kind: "amount" | "day" | "number";
  readonly text: string;
  readonly currency: string | undefined;

  constructor(kind: OpenValue["kind"], text: string, currency?: string) {
    this.kind = kind;
    this.text = text;
    this.currency = currency;
  }
}

/** Amounts that can be read in only one way. */
const PLAIN_AMOUNT = /^\d+(?:\.\d{1,2}|\.\d{4,})?$/;
const MAX_TURNED = 1000;
const DIGITS = /^\d{1,2}[/-]\d{1,2}[/-]/;
const SAME_ENTITY: Readonly<Record<string, string>> = {
  "bidding adjustment by placement": "bidding adjustment",
};

const KNOWN_COLUMNS: ReadonlySet<string> = new Set(
  SHEET_PRODUCTS.flatMap(({ headers }) => headers.map(headKey)),
);

export function entityWord(text: string): string {
  return SAME_ENTITY[headKey(text)] ?? headKey(text);
}

export class BulkTable {
  readonly unconfirmed: Set<string> = new Set();
  readonly calculated: Map<string, number> = new Map();
  readonly turned: { readonly header: string; readonly text: string; readonly row: number }[] = [];
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

  isUsed(head: string): boolean {
    const { text, suffix } = this.#words.bare(head);
    return suffix === "" && KNOWN_COLUMNS.has(headKey(this.#words.find("header", text)?.english ?? text));
  }

  doubled(): { readonly header: string; readonly message: string }[] {
    return this.#head.doubled.filter(({ head }) => this.isUsed(head)).map(({ head, at }) => ({
      header: head,
      message: `the column is there ${at.length === 2 ? "twice" : `${at.length} times`} (${
        at.map(columnLetters).join(", ")
      }). Remove all but one`,
    }));
  }

  use({ cells }: SheetLine): void {
    for (const { head, at } of this.#head.unknown) if ((cells[at] ?? "").trim() !== "") this.unread.add(head);
  }

  raw({ cells }: SheetLine, header: string): string {
    return cells[this.#head.at.get(headKey(header)) ?? -1] ?? "";
  }

  text(line: SheetLine, header: string, use: CellUse): string {
    const at = this.#head.at.get(headKey(header));
    if (at === undefined) return "";
    const text = cellFor(line, at, use);
    if (isCalculated(line, at)) this.calculated.set(header, (this.calculated.get(header) ?? 0) + 1);
    return text;
  }

  word(line: SheetLine, header: string): string {
    const text = this.text(line, header, "word");
    if (text === "") return "";
    const mapped = this.#given.get(wordKey(text));
    const known = mapped === undefined ? this.#words.find(header, text) : undefined;
    if (known?.isUnconfirmed) this.unconfirmed.add(text);
    return mapped ?? known?.english ?? text.normalize("NFKC");
  }

  /**
   * Returns the value of a cell: an {@linkcode OpenValue} if the format is known only after reading the whole file,
   * `undefined` if the cell is empty.
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

  showPoint(text: string): void {
    if (text.includes(".")) this.#marks.take("0.5", false);
  }

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
