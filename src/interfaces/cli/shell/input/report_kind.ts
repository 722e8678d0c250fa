import { parseJson } from "../../../../base/json/json.ts";
import { namedReport } from "../../../../client/reports/requests/named_report.ts";
import { REPORT_PRESET_NAMES } from "../../../../client/reports/requests/presets.ts";
import type { ReportConfiguration } from "../../../../client/reports/requests/report_configuration.ts";
import type { ReportKind } from "../../../../client/reports/requests/report_requests.ts";
import { UsageError } from "../errors/cli_error.ts";
import { readInput } from "./read_input.ts";
import type { CliIo } from "../io/cli_io.ts";

/**
 * Accepts a preset, a published type (`sdCampaigns:matchedTarget`), `@file` with a configuration as JSON, or `@-` for
 * standard input.
 *
 * @throws {ConfigurationError} listing the presets when the name is unknown.
 * @throws {UsageError} when the file is not a configuration.
 */
export async function reportKind(word: string, io: Pick<CliIo, "stdin">): Promise<ReportKind> {
  if (!word.startsWith("@")) {
    const named = await namedReport(word);
    return REPORT_PRESET_NAMES.find((preset) => preset === named.report) ?? named;
  }
  const { text, name } = await readInput(word.slice(1), io);
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (cause) {
    throw new UsageError(`Cannot read ${name}: it is not JSON. Write a report configuration into it`, {
      cause,
    });
  }
  // The body of a request for a report holds the configuration: take either.
  const inner = (value as { configuration?: unknown } | null)?.configuration ?? value;
  return inner as ReportConfiguration;
}

export function parseFilters(words: readonly string[] | undefined): Record<string, string[]> | undefined {
  if (words === undefined) return undefined;
  const filters: Record<string, string[]> = {};
  for (const word of words) {
    const [, field, values] = /^\s*([^=\s]+)\s*=(.+)$/s.exec(word) ?? [];
    const list = values?.split(",").map((value) => value.trim()).filter((value) => value !== "");
    if (field === undefined || list === undefined || list.length === 0) {
      throw new UsageError(`Cannot use --filter "${word}": write FIELD=VALUE,VALUE`);
    }
    filters[field] = [...filters[field] ?? [], ...list];
  }
  return filters;
}
