import { visibleJson } from "../../../internal/visible_text.ts";
import type { Fields } from "../../../resources/wire/resource_wire.ts";

/** Text that needs no quotes in any place, and that no reader of YAML takes for another type. */
const PLAIN = /^(?:\p{L}|\d+ (?=\p{L}))[\p{L}\p{M}\p{N}_.+%'()/&|-]*(?: [\p{L}\p{M}\p{N}_.+%'()/&|-]+)*$/u;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** A value as YAML in flow style, on one line. */
export function yamlValue(value: unknown): string {
  if (typeof value === "string") return yamlString(value);
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(yamlValue).join(", ")}]`;
  return yamlMap(value as Fields);
}

/** Fields as a YAML mapping in flow style; those without a value are left out. */
export function yamlMap(fields: Fields): string {
  const parts: string[] = [];
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) parts.push(`${yamlString(name)}: ${yamlValue(value)}`);
  }
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

/** A text as YAML: plain where that is safe, else in double quotes. A dollar before a brace is doubled: alone it begins a variable. */
export function yamlString(text: string): string {
  const literal = text.includes("${") ? text.replaceAll("${", () => "$${") : text;
  if (PLAIN.test(literal) && !RESERVED.test(literal) || DAY.test(literal)) return literal;
  return visibleJson(JSON.stringify(literal));
}
