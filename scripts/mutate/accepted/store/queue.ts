import type { AcceptedMutant } from "../../accepted_mutant.ts";

/** Mutants of the queue and its workers that no test needs to notice. */
export const STORE_QUEUE: readonly AcceptedMutant[] = [
  {
    path: "src/store/queue/sync_queue.ts",
    before: "await this.#utils.release();",
    after: ";",
    why: "Has the queue's client no more look at a pool that is closed next",
  },
  {
    path: "src/store/queue/take_jobs.ts",
    before: "1000",
    after: "(1000 + 1)",
    within: "pollInterval",
    why: "A thousandth of a second more of a wait of one",
  },
  {
    path: "src/store/queue/take_jobs.ts",
    before: "60",
    after: "(60 + 1)",
    within: "(drain + 60) * 1000",
    why: "Any time does that is well beyond that of draining",
  },
  {
    path: "src/store/queue/take_jobs.ts",
    before: "1000",
    after: "(1000 + 1)",
    within: "(drain + 60) * 1000",
    why: "Any time does that is well beyond that of draining",
  },
  {
    path: "src/store/queue/take_jobs.ts",
    before: "0",
    after: "(0 + 1)",
    within: "completeJobBatchDelay: 0",
    why: "Batches are written a thousandth of a second later",
  },
  {
    path: "src/store/queue/worker.ts",
    before: "await paces.close();",
    after: ";",
    why: "The pool that is closed next waits itself for the change of the pace under way",
  },
  {
    path: "src/store/queue/worker.ts",
    before: "await utils?.release();",
    after: ";",
    why: "Has the queue's client no more look at a pool that is closed next",
  },
];
