import { MONEY_FIELDS, plainAmount } from "../../../../plans/state/amounts.ts";
import { UsageError } from "../io/cli_error.ts";

interface RelativeValue {
  readonly factor: number;
  readonly text: string;
}

/** @throws {UsageError} when it is not an id, typically because a spreadsheet rounded it. */
export function idValue(value: unknown, { name, where }: { name: string; where: string }): string {
  const text = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text === "string" && /^\d+$/.test(text)) return text;
  const shown = JSON.stringify(value) ?? "nothing";
  if (typeof text === "number" || (typeof text === "string" && /^\d+([.,]\d+)?e\+?\d+$/i.test(text))) {
    throw new UsageError(
      `Cannot use ${where}: "${name}" is ${shown}, a rounded number whose last digits are lost. ` +
        "Format the column as text and export the file again",
    );
  }
  throw new UsageError(
    text === "" || text === undefined || text === null
      ? `Cannot use ${where}: "${name}" is empty`
      : `Cannot use ${where}: "${name}" is ${shown}, which is not an id`,
  );
}

interface ChangeColumn {
  readonly path: string;
  readonly name: string;
  readonly isText: boolean;
  readonly decimalComma?: boolean | undefined;
}

/**
 * Converts CSV text to the type of the field: number, boolean, list or object.
 *
 * @throws {UsageError} when an amount is not a number, or a JSON cell is malformed.
 */
export function changedValue(value: unknown, column: ChangeColumn, where: string): unknown {
  const { path, name, isText } = column;
  if (MONEY_FIELDS.has(path)) {
    const plain = typeof value === "string" ? plainAmount(value) : undefined;
    if (plain !== undefined) return plain;
    if (typeof value === "string" && !/^\s*\{/.test(value)) {
      const text = column.decimalComma ? value.replace(/^(\s*\d+),(\d{1,2}\s*)$/, "$1.$2") : value;
      return relativeValue(text, { name, where }) ?? amount(text, { name, where });
    }
    if (typeof value !== "object" && !(typeof value === "number" && value >= 0)) {
      throw new UsageError(
        `Cannot use ${where}: "${name}" is ${JSON.stringify(value)}, which is not an amount`,
      );
    }
  }
  if (!isText || typeof value !== "string") return value;
  if (/^[[{]/.test(value)) {
    try {
      return JSON.parse(value);
    } catch (cause) {
      throw new UsageError(`Cannot use ${where}: "${name}" begins like JSON but is not valid JSON`, {
        cause,
      });
    }
  }
  if (/^(true|false)$/i.test(value) && /(^|\.)(is|bidOptimization$|inBudget$)/.test(path)) {
    return value.toLowerCase() === "true";
  }
  return value;
}

export function isRelative(value: unknown): value is RelativeValue {
  return typeof value === "object" && value !== null && "factor" in value && "text" in value;
}

function relativeValue(
  text: string,
  { name, where }: { name: string; where: string },
): RelativeValue | undefined {
  const value = factorOf(text);
  if (value === undefined || value.factor > 0) return value;
  throw new UsageError(`Cannot use ${where}: "${name}" is "${value.text}", which leaves no amount above 0`);
}

function factorOf(text: string): RelativeValue | undefined {
  const percent = /^([+-])(\d+(?:\.\d+)?)\s*%$/.exec(text.trim());
  if (percent !== null) {
    return { factor: 1 + (percent[1] === "-" ? -1 : 1) * Number(percent[2]) / 100, text: text.trim() };
  }
  const times = /^[*×]\s*(\d+(?:\.\d+)?)$/.exec(text.trim());
  return times === null ? undefined : { factor: Number(times[1]), text: text.trim() };
}

function amount(text: string, { name, where }: { name: string; where: string }): number {
  const number = plainAmount(text);
  if (number !== undefined) return number;
  if (/^[+-]\d+(\.\d+)?$/.test(text.trim())) {
    throw new UsageError(
      `Cannot use ${where}: "${name}" is ${JSON.stringify(text)}, which has a sign. ` +
        'Write an amount without one, and a change as "+10%" or "*1.1"',
    );
  }
  const advice = /^\d+,\d{1,2}$/.test(text.trim())
    ? `. Write ${text.trim().replace(",", ".")}`
    : /%$/.test(text.trim())
    ? '. Write a change as "+10%" or "-10%", with its sign'
    : "";
  throw new UsageError(
    `Cannot use ${where}: "${name}" is ${JSON.stringify(text)}, which is not a number${advice}`,
  );
}
