import { ConfigurationError } from "../../errors.ts";
import type { ShortApi } from "../short_node.ts";

/** Version of the format of schema files that is read. */
export const SCHEMA_FORMAT = 1;

/** Advice about a damaged file. */
export const REINSTALL = "Install the package again";

/**
 * Checks that the content of a schema file is of the format that is read.
 *
 * @throws {ConfigurationError} saying what is wrong and what to do.
 */
export function checkedApi(data: unknown, api: string): ShortApi {
  const found = typeof data === "object" && data !== null ? data : {};
  const format = "format" in found ? found.format : undefined;
  if (typeof format === "number" && format > SCHEMA_FORMAT) {
    throw new ConfigurationError(
      `Cannot read the schemas of "${api}": they have format ${format}, and this version reads ${SCHEMA_FORMAT}. ` +
        "Update the package",
    );
  }
  if (!isApi(found, api)) {
    throw new ConfigurationError(`Cannot read the schemas of "${api}": the file is damaged. ${REINSTALL}`);
  }
  return found;
}

function isApi(found: object, api: string): found is ShortApi {
  return "format" in found && found.format === SCHEMA_FORMAT && "api" in found && found.api === api &&
    "models" in found && isRecord(found.models) && "operations" in found && isRecord(found.operations) &&
    "errors" in found && Array.isArray(found.errors);
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
