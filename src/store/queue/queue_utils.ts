import { makeWorkerUtils, type WorkerUtils } from "graphile-worker";
import type { Database } from "../postgres/database.ts";
import { underMigrationLock } from "../postgres/schema.ts";
import { quietLogger } from "./quiet_logger.ts";

/**
 * What puts jobs on the queue of a database and unlocks them. Makes or updates the tables of the queue first; any number of
 * processes may call it at once.
 */
export function queueUtils(database: Database): Promise<WorkerUtils> {
  return underMigrationLock(
    database,
    () => makeWorkerUtils({ pgPool: database.pool, logger: quietLogger }),
  );
}
