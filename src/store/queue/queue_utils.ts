import { makeWorkerUtils, type WorkerUtils } from "graphile-worker";
import type { Database } from "../postgres/database.ts";
import { quietLogger } from "./quiet_logger.ts";

/** What puts jobs on the queue of a database, makes its tables and unlocks jobs. */
export function queueUtils({ pool }: Database): Promise<WorkerUtils> {
  return makeWorkerUtils({ pgPool: pool, logger: quietLogger });
}
