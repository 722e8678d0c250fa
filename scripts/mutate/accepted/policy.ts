import type { AcceptedMutant } from "../accepted_mutant.ts";

/** Mutants of src/plans/policy that no test needs to notice. */
export const POLICY: readonly AcceptedMutant[] = [
  {
    path: "src/plans/policy/file_policy.ts",
    before: "this.#rules.length === 0",
    after: "false",
    why: "Saves time alone: without rules there is nothing to judge by them",
  },
  {
    path: "src/plans/policy/judge_by_rules.ts",
    before: 'timed[0]?.rule.name ?? ""',
    after: "timed[0]?.rule.name",
    why: "Rules that took long are at least one",
  },
  ...["place.id ?? null", "id ?? step.replacedId ?? null", "id ?? replacedId ?? null"].map((before) => ({
    path: "src/plans/policy/judged_change.ts",
    before,
    after: before.replace(" ?? null", ""),
    why: "What has no id is found under none, whichever word says so",
  })),
  {
    path: "src/plans/policy/judged_change.ts",
    before: "idText(id) ?? []",
    after: "idText(id)",
    why: "Nothing is protected or labelled under no id",
  },
  ...[[">", ">="], ["<", "<="]].map(([before = "", after = ""]) => ({
    path: "src/plans/policy/judged_change.ts",
    before,
    after,
    within: "itself <= 0 && sinceStart",
    why: "A move of 0 is one of 0 either way",
  })),
  ...[["campaign === undefined || campaign instanceof Unread", "false"], ["||", "&&"]].map((
    [before = "", after = ""],
  ) => ({
    path: "src/plans/policy/judged_change.ts",
    before,
    after,
    within: "campaign instanceof Unread) return 1",
    why: "What is unknown has neither placements nor a strategy, and rises by 1",
  })),
  {
    path: "src/plans/policy/judged_change.ts",
    before: "id === null",
    after: "false",
    within: "if (id === null) return [];",
    why: "What has no id was not there, so that nothing of it moves",
  },
  {
    path: "src/plans/policy/moved_today.ts",
    before: "bids.length === 0",
    after: "false",
    why: "Saves time alone: of no bids nothing is read",
  },
  {
    path: "src/plans/policy/moved_today.ts",
    before: "||",
    after: "&&",
    within: "place instanceof Unread || place.id",
    why: "What is unknown has no id, so that it is another one",
  },
  {
    path: "src/plans/policy/judged_change.ts",
    before: "&&",
    after: "||",
    within: "from !== undefined && to !== undefined",
    why: "A comparison with nothing is false, as it is without an amount",
  },
  {
    path: "src/plans/policy/plain_rules.ts",
    before: "<=",
    after: "<",
    within: "share + 1e-9",
    why: "A billionth above the limit to the bit is on neither side",
  },
  {
    path: "src/base/runtime/yaml_document.ts",
    before: "true",
    after: "false",
    within: "const parent = ",
    why: "Only a map is looked at, which comes as itself either way",
  },
];
