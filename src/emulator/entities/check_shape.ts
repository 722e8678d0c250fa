import { isObject, type Json, type JsonObject } from "../core/json.ts";
import { type ErrorStyle, refusal } from "../http/refusal.ts";
import { type ItemError, itemError } from "./item_error.ts";
import type { Field, Fields, Shape } from "./shape.ts";

/**
 * Refuses the whole request for a malformed item: a wrong JSON type or an unknown field. Like the platform, it does not
 * name the wrong value.
 */
export function checkStructure(item: Json | undefined, fields: Fields, style?: ErrorStyle): void {
  demandStructure(isObject(item), style);
  checkType(item, { is: "object", fields }, style);
}

/** Item errors of a well-formed object: missing or out-of-range values. `null` counts as missing. */
export function checkValues(item: JsonObject, fields: Fields, path = ""): ItemError[] {
  return Object.entries(fields).flatMap(([name, field]) => checkField(item[name], field, `${path}${name}`));
}

function checkType(value: Json | undefined, shape: Shape, style: ErrorStyle | undefined): void {
  if (value === undefined || value === null) return;
  const demand = (holds: boolean) => demandStructure(holds, style);
  switch (shape.is) {
    case "text":
    case "choice":
    case "date":
      return demand(typeof value === "string");
    case "number":
      return demand(typeof value === "number" && (!shape.whole || Number.isInteger(value)));
    case "flag":
      return demand(typeof value === "boolean");
    case "id":
      return demand(typeof value === "bigint" || Number.isSafeInteger(value));
    case "any":
      return;
    case "texts":
      return demand(isObject(value) && Object.values(value).every((part) => typeof part === "string"));
    case "list":
      demand(Array.isArray(value));
      return (value as Json[]).forEach((part) => {
        demand(part !== null);
        checkType(part, shape.of, style);
      });
    case "object":
      demand(isObject(value));
      for (const [name, part] of Object.entries(value)) {
        if (!Object.hasOwn(shape.fields, name)) {
          throw refusal(400, `The noted field is not allowed with this API endpoint : ${name}`, style);
        }
        checkType(part, shape.fields[name]!.shape, style);
      }
  }
}

function demandStructure(holds: boolean, style: ErrorStyle | undefined): void {
  if (!holds) throw refusal(400, "Request body does not match the expected structure", style);
}

function checkField(value: Json | undefined, field: Field, path: string): ItemError[] {
  if (value !== undefined && value !== null) return checkValue(value, field.shape, path);
  return field.required
    ? [itemError(["missingValueError", "MISSING_VALUE"], path, `${path} is required`)]
    : [];
}

function checkValue(value: Json, shape: Shape, path: string): ItemError[] {
  switch (shape.is) {
    case "text":
      return checkText(value as string, shape, path);
    case "number":
      return checkNumber(value as number, shape, path);
    case "choice":
      if (shape.values.includes(value as string)) return [];
      return [
        itemError(["rangeError", "INVALID_ENUM_VALUE"], path, `${path} must be one of the allowed values`, {
          trigger: value,
          details: { allowed: [...shape.values] },
        }),
      ];
    case "date":
      return isDay(value as string)
        ? []
        : [itemError(["dateError", "INVALID_DATE"], path, `${path} is not a date`, { trigger: value })];
    case "object":
      return checkValues(value as JsonObject, shape.fields, `${path}.`);
    case "list":
      return checkList(value as Json[], shape, path);
    case "flag":
    case "id":
    case "any":
    case "texts":
      return [];
  }
}

function checkText(
  value: string,
  shape: { min?: number; max?: number; blank?: boolean },
  path: string,
): ItemError[] {
  const options = { trigger: value.slice(0, 200) };
  if (value.trim() === "" && !shape.blank) {
    return [itemError(["malformedValueError", "BLANK"], path, `${path} is blank`, options)];
  }
  if (value.length > (shape.max ?? Infinity)) {
    const message = `${path} is longer than ${shape.max} characters`;
    return [itemError(["malformedValueError", "TOO_LONG"], path, message, options)];
  }
  if (value.length < (shape.min ?? 0)) {
    const message = `${path} is shorter than ${shape.min} characters`;
    return [itemError(["malformedValueError", "TOO_SHORT"], path, message, options)];
  }
  return [];
}

function checkNumber(value: number, shape: { low?: number; high?: number }, path: string): ItemError[] {
  const { low = -Infinity, high = Infinity } = shape;
  if (value >= low && value <= high) return [];
  const reason = value < low ? "TOO_LOW" : "TOO_HIGH";
  const details = { lowerLimit: String(low), upperLimit: String(high) };
  return [itemError(["rangeError", reason], path, `${path} is out of range`, { trigger: value, details })];
}

function checkList(values: Json[], shape: { of: Shape; max: number }, path: string): ItemError[] {
  if (values.length > shape.max) {
    const details = { upperLimit: String(shape.max) };
    const message = `${path} has more than ${shape.max} entries`;
    return [itemError(["rangeError", "TOO_HIGH"], path, message, { trigger: values.length, details })];
  }
  return values.flatMap((value, index) => checkValue(value, shape.of, `${path}[${index}]`));
}

function isDay(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}
