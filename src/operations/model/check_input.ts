import { nearest } from "../../base/text/nearest.ts";
import { readSpan } from "../../base/time/span.ts";
import { checkDayOrPeriod, readDay, readMoment } from "../../base/time/moment.ts";
import type { Field, Fields, InputOf } from "./field.ts";
import type { Operation, Spelling } from "./operation.ts";

const ANY_TIME = 0;
const ANY_DAY = "2026-01-01";

/**
 * Rejects invalid input before anything is read or sent.
 *
 * @throws {RangeError | TypeError | ConfigurationError} naming the field as the interface spells it.
 */
export async function checkInput<Of extends Fields>(
  { input: fields, check }: Pick<Operation<Of, never, unknown>, "input" | "check">,
  input: InputOf<Of>,
  spelling: Spelling,
): Promise<void> {
  const values = new Map(Object.entries(input));
  for (const [name, field] of Object.entries(fields)) {
    const value = values.get(name);
    if (value !== undefined) checkValue(field, value, spelling.field(name));
  }
  await check?.(input, spelling);
}

function checkValue(field: Field, value: unknown, name: string): void {
  if (field.type === "moment" && !field.orWords?.includes(String(value))) {
    readMoment(String(value), name, { now: ANY_TIME });
  }
  if (field.type === "amount" && typeof value === "number" && !(value > 0)) {
    throw new RangeError(`Cannot use ${value} as ${name}: expected an amount above 0`);
  }
  if (field.type === "span") readSpan(String(value), name, field);
  if (field.type === "text" && field.maxLength !== undefined && String(value).length > field.maxLength) {
    throw new RangeError(`Cannot use ${name}: it has more than ${field.maxLength} characters`);
  }
  if (field.type === "day") {
    if (field.orPeriod) checkDayOrPeriod(String(value), name);
    else readDay(String(value), name, ANY_DAY);
  }
  if (field.type !== "codes" || !Array.isArray(value)) return;
  // The platform may have others than the known ones, so only a likely misspelling is refused.
  for (const code of value.map(String).filter((one) => !field.known.includes(one))) {
    const meant = nearest(code, field.known);
    if (meant !== undefined) {
      throw new RangeError(`Cannot use ${name}: "${code}" is not known. Did you mean "${meant}"?`);
    }
  }
}
