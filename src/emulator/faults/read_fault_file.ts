import { readFileSync } from "node:fs";
import { isObject, type Json, parseJson } from "../core/json.ts";
import { parseQuirks } from "../core/parse_quirks.ts";
import type { Quirks } from "../core/quirks.ts";
import type { FaultRule } from "./fault_rule.ts";
import { parseFaultRules } from "./parse_fault_rules.ts";

/** Contents of a faults file. */
export interface FaultFile {
  readonly rules: readonly FaultRule[];
  readonly quirks: Partial<Quirks>;
}

/**
 * Reads a JSON file with faults: a list of rules, or an object with optional `profile`, `rules` and `quirks`.
 *
 * @throws {RangeError} when it cannot be read or used.
 */
export function readFaultFile(path: string): FaultFile {
  try {
    const content: Json = parseJson(readFileSync(path, "utf8"));
    if (!isObject(content)) return { rules: parseFaultRules(content), quirks: {} };
    const { quirks = {}, ...faults } = content;
    const unknown = Object.keys(faults).find((name) => name !== "profile" && name !== "rules");
    if (unknown !== undefined) throw new RangeError(`the field "${unknown}" is unknown`);
    return { rules: parseFaultRules({ rules: [], ...faults }), quirks: parseQuirks(quirks) };
  } catch (cause) {
    throw new RangeError(`Cannot use the fault file "${path}": ${(cause as Error).message}`, { cause });
  }
}
