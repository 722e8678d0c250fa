import { isObject, type Json } from "./json.ts";
import { DEFAULT_QUIRKS, type Quirks } from "./quirks.ts";

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  reportRows: ["array", "lines"],
  reportPacking: ["gzip", "none"],
  limitRetryAfter: ["sometimes", "always", "never"],
  oldReportDays: ["refuse", "empty"],
};

/**
 * Reads quirks from a request or a file.
 *
 * @throws {RangeError} that names the quirk that is unknown or has no usable value.
 */
export function parseQuirks(value: Json | undefined): Partial<Quirks> {
  if (!isObject(value)) {
    throw new RangeError('Cannot set quirks: expected an object, for example {"reportSeconds": 60}');
  }
  for (const [name, part] of Object.entries(value)) {
    if (!Object.hasOwn(DEFAULT_QUIRKS, name)) {
      const known = Object.keys(DEFAULT_QUIRKS).join(", ");
      throw new RangeError(`Cannot set quirks: "${name}" is unknown. Known are ${known}`);
    }
    const choices = Object.hasOwn(CHOICES, name) ? CHOICES[name] : undefined;
    const isUsable = choices !== undefined
      ? choices.includes(String(part))
      : typeof part === typeof DEFAULT_QUIRKS[name as keyof Quirks] &&
        !(typeof part === "number" && part < 0);
    if (!isUsable) {
      throw new RangeError(
        `Cannot set quirks: "${name}" is not usable. Its default is ${
          JSON.stringify(DEFAULT_QUIRKS[name as keyof Quirks])
        }`,
      );
    }
  }
  return value as Partial<Quirks>;
}
