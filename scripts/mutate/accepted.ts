import type { AcceptedMutant } from "./accepted_mutant.ts";
import { BATCH } from "./accepted/batch.ts";
import { PLANS } from "./accepted/plans.ts";
import { POLICY } from "./accepted/policy.ts";
import { POSTGRES } from "./accepted/store/postgres.ts";
import { SQLITE } from "./accepted/store/sqlite.ts";
import { STORE_QUEUE } from "./accepted/store/queue.ts";
import { STORE_REPORTS } from "./accepted/store/reports.ts";
import { STORE_STREAM } from "./accepted/store/stream.ts";
import { STORE_SYNC } from "./accepted/store/sync.ts";
import { TRANSPORT } from "./accepted/transport.ts";

/** The mutants that no test needs to notice; those of an expression that is written twice in a file are accepted twice. */
export const ACCEPTED: readonly AcceptedMutant[] = [
  ...BATCH,
  ...PLANS,
  ...POLICY,
  ...POSTGRES,
  ...SQLITE,
  ...STORE_QUEUE,
  ...STORE_REPORTS,
  ...STORE_STREAM,
  ...STORE_SYNC,
  ...TRANSPORT,
];
