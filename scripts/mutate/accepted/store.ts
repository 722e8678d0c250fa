import type { AcceptedMutant } from "../accepted_mutant.ts";

/** Mutants of src/store that no test needs to notice. */
export const STORE: readonly AcceptedMutant[] = [
  {
    path: "src/store/entities/sync_entities.ts",
    before: "parts.acceptShrink ?? false",
    after: "parts.acceptShrink",
    why: "Nothing given is false already",
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
    path: "src/store/sync/spool.ts",
    before: "this.#path = path;",
    after: ";",
    why: "Windows alone keeps the name of an open file",
  },
  {
    path: "src/store/sync/spool.ts",
    before: "true",
    after: "false",
    within: "unlink(path)",
    why: "Windows alone keeps the name of an open file",
  },
  {
    path: "src/store/sync/spool.ts",
    before: "this.#named",
    after: "false",
    within: "if (this.#named)",
    why: "Windows alone keeps the name of an open file",
  },
  {
    path: "src/store/sync/spool.ts",
    before: "bytesRead === 0",
    after: "false",
    why: "Only a file that another program cut has fewer bytes than were written",
  },
];
