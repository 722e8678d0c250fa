import { loadWorkflows } from "../../account/runs/load_workflows.ts";
import { namedReport } from "../../client/reports/requests/named_report.ts";
import { isPreset, REPORT_PRESET_NAMES, spellReport } from "../../client/reports/requests/presets.ts";
import type { ReportingApi } from "../../client/reports/requests/report_configuration.ts";
import { readNamedFile } from "../../base/runtime/read_named_file.ts";
import type { ServiceFile } from "./model/service.ts";
import { readService } from "./service_file.ts";
import { unitOf } from "./units/units.ts";

/**
 * Reads a service file, and checks the reports and files that it refers to.
 *
 * @throws {ConfigurationError} that lists everything that is wrong with any of them, each as `file:line: message`.
 *
 * @example
 * ```ts
 * import { checkService } from "@platform/ads/service";
 *
 * async function problem(path: string): Promise<string | undefined> {
 *   return await checkService(path).then(() => undefined, (error: Error) => error.message);
 * }
 * ```
 */
export async function checkService(path: string): Promise<ServiceFile> {
  const text = await readNamedFile(path, "the service file");
  const { file, filePaths, at, refuse } = readService(text, path);
  const others: string[] = [];
  for (const [index, word] of (file?.reports ?? []).entries()) {
    const problem = await problemOfReport(word, file?.reporting);
    if (problem !== undefined) at(["reports", index], problem);
  }
  for (const { name, work, file: named } of file?.timers ?? []) {
    if (named === undefined) continue;
    if (work === "workflows") {
      await loadWorkflows([named]).catch((error: Error) => {
        // Problems in files have their own lines.
        if (error.message.includes("\n")) others.push(error.message);
        else at(["workflows"], error.message);
      });
      continue;
    }
    try {
      const words = await readNamedFile(named, work === "script" ? "the script" : "the file").catch(
        (error) => {
          at(filePaths.get(name) ?? [], (error as Error).message);
        },
      );
      // A script is read when it runs.
      if (words !== undefined) await unitOf(work).file?.read(words, named);
    } catch (error) {
      others.push((error as Error).message);
    }
  }
  for (const { name, data } of file?.timers ?? []) {
    if (data === undefined) continue;
    await readNamedFile(data, "the data").catch((error) => {
      at([...filePaths.get(name)?.slice(0, 2) ?? [], "data"], (error as Error).message);
    });
  }
  refuse(others);
  return file!;
}

async function problemOfReport(word: string, reporting?: ReportingApi): Promise<string | undefined> {
  try {
    const { isDaily, report, reportTypeId } = await namedReport(word);
    if (reporting === 1 && !isPreset(report)) {
      return `The new reports do not have ${report}; they have ${
        REPORT_PRESET_NAMES.map(spellReport).join(", ")
      }`;
    }
    return isDaily ? undefined : `${reportTypeId} has no daily rows, and cannot be stored`;
  } catch (error) {
    return (error as Error).message;
  }
}
