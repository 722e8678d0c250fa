import { MONEY_FIELDS, plainAmount } from "../../../../plans/state/amounts.ts";
import { amountStep } from "../../../../operations/plans/relative_amounts.ts";
import { UsageError } from "../io/cli_error.ts";

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
 * Converts CSV text to the type of the field: number, boolean, list or object. A change of an amount stays text.
 *
 * @throws {UsageError | TypeError} when an amount is not a number, or a JSON cell is malformed.
 */
export function changedValue(value: unknown, column: ChangeColumn, where: string): unknown {
  const { path, name, isText } = column;
  if (MONEY_FIELDS.has(path)) {
    const plain = typeof value === "string" ? plainAmount(value) : undefined;
    if (plain !== undefined) return plain;
    if (typeof value === "string" && !/^\s*\{/.test(value)) {
      const text = column.decimalComma ? value.replace(/^(\s*\d+),(\d{1,2}\s*)$/, "$1.$2") : value;
      return plainAmount(text) ?? amountStep(text, { name, where }).text;
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

/** True for a change of an amount, such as `+10%`, as {@linkcode changedValue} returns it. */
export function isRelative(path: string, value: unknown): value is string {
  return typeof value === "string" && MONEY_FIELDS.has(path);
}
