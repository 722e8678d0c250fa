import { InvalidArgumentError, Option } from "@commander-js/extra-typings";

export type ReportingChoice = "3" | "1" | "compare";

export function syncReportingOption() {
  return new Option(
    "--reporting <which>",
    "old: old reports, which end in 2027 (default); new: new reports, which go back 15 months, for reports by name",
  ).choices(["old", "new"]).argParser((text) => {
    const choice = reportingChoice(text);
    if (choice === "compare") throw new InvalidArgumentError("Allowed choices are old, new.");
    return choice;
  });
}

const REPORTING: ReadonlyMap<string, ReportingChoice> = new Map([
  ["old", "3"],
  ["new", "1"],
  ["compare", "compare"],
  ["3", "3"],
  ["1", "1"],
]);

function reportingChoice(text: string): ReportingChoice {
  const choice = REPORTING.get(text);
  if (choice === undefined) throw new InvalidArgumentError("Allowed choices are old, new, compare.");
  return choice;
}
