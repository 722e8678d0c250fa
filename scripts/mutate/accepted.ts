import type { Mutant } from "./mutants.ts";

/** A mutant that no test needs to notice. */
export interface AcceptedMutant extends Pick<Mutant, "path" | "before" | "after"> {
  /** Part of the line that it is on, where the same change elsewhere in the file is to be noticed. */
  readonly within?: string;
  /** Why not. */
  readonly why: string;
}

/** The mutants that no test needs to notice; those of an expression that is written twice in a file are accepted twice. */
export const ACCEPTED: readonly AcceptedMutant[] = [
  {
    path: "src/batch/batch_result.ts",
    before: "<",
    after: "<=",
    why: "An item has one verdict: no success and no error share an index",
  },
  {
    path: "src/batch/batch_result.ts",
    before: "<=",
    after: "<",
    why: "Sorts verdicts that are in order already, which keeps their order",
  },
  {
    path: "src/batch/batch_result.ts",
    before: "!(copy[at - 1]!.index <= copy[at]!.index)",
    after: "true",
    why: "Sorts verdicts that are in order already, which keeps their order",
  },
  {
    path: "src/policy/file_policy.ts",
    before: "this.#rules.length === 0",
    after: "false",
    why: "Saves time alone: without rules there is nothing to judge by them",
  },
  {
    path: "src/policy/judge_by_rules.ts",
    before: 'timed[0]?.rule.name ?? ""',
    after: "timed[0]?.rule.name",
    why: "Rules that took long are at least one",
  },
  {
    path: "src/policy/market_moment.ts",
    before: 'WEEKDAYS.find((name) => name === part.weekday) ?? "Mon"',
    after: "WEEKDAYS.find((name) => name === part.weekday)",
    why: "Every day is one of the seven",
  },
  {
    path: "src/policy/yaml_document.ts",
    before: "true",
    after: "false",
    within: "const parent = ",
    why: "Only a map is looked at, which comes as itself either way",
  },
  {
    path: "src/store/postgres/copy_text.ts",
    before: "!SPECIAL.test(text)",
    after: "false",
    why: "Saves the time of replacing nothing",
  },
  {
    path: "src/store/sqlite/query_connection.ts",
    before: "1",
    after: "(1 + 1)",
    within: "maxRows + 1",
    why: "Reads a row more than is needed to say that there are more",
  },
  {
    path: "src/store/sqlite/query_rows.ts",
    before: "database.close();",
    after: ";",
    why: "What is in memory goes with the last that refers to it",
  },
  {
    path: "src/store/sqlite/transactions.ts",
    before: "0",
    after: "(0 + 1)",
    within: "errcode ?? 0",
    why: "Any number but that of a busy database stands for an error without one",
  },
  {
    path: "src/store/sqlite/transactions.ts",
    before: "*",
    after: "/",
    within: "PAUSE * (0.5",
    why: "How long it pauses between two tries",
  },
  {
    path: "src/store/sqlite/transactions.ts",
    before: "+",
    after: "-",
    within: "PAUSE * (0.5",
    why: "How long it pauses between two tries",
  },
  {
    path: "src/store/sqlite/transactions.ts",
    before: "40",
    after: "(40 + 1)",
    within: "PAUSE = 40",
    why: "How long it pauses between two tries",
  },
  {
    path: "src/store/stream/local_hour.ts",
    before: "zone.known.size >= MAX_KNOWN",
    after: "true",
    why: "Forgets what is remembered to save time",
  },
  {
    path: "src/store/stream/local_hour.ts",
    before: "zone.known.size >= MAX_KNOWN",
    after: "false",
    why: "Bounds memory alone",
  },
  {
    path: "src/store/stream/local_hour.ts",
    before: ">=",
    after: ">",
    why: "Bounds memory alone",
  },
  {
    path: "src/store/stream/local_hour.ts",
    before: "20_000",
    after: "(20000 + 1)",
    why: "Bounds memory alone",
  },
  {
    path: "src/store/stream/local_hour.ts",
    before: "zone.known.clear();",
    after: ";",
    why: "Bounds memory alone",
  },
  {
    path: "src/store/stream/local_hour.ts",
    before: "zone.known.set(key, hour);",
    after: ";",
    why: "Remembers to save time",
  },
  {
    path: "src/store/stream/make_batch.ts",
    before: 'account?.timeZone ?? "UTC"',
    after: "account?.timeZone",
    why: "Differs on a machine alone whose own zone is not UTC",
  },
  {
    path: "src/store/stream/read_record.ts",
    before: '!path.includes(".")',
    after: "false",
    why: "Saves time alone: a path without dots is not there",
  },
  {
    path: "src/store/sync/plan_pulls.ts",
    before: ">",
    after: ">=",
    within: "restated > firstKept",
    why: "Of two equal days either may be taken",
  },
  {
    path: "src/store/sync/spool.ts",
    before: "await unlink(this.#path).catch(() => {});",
    after: ";",
    why: "Windows alone keeps the name of an open file",
  },
  {
    path: "src/store/views/amounts.ts",
    before: "1",
    after: "(1 + 1)",
    within: "a.from < b.from ? -1 : 1",
    why: "Any number above 0 sorts alike",
  },
];
