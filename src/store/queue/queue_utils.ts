import { makeWorkerUtils, type WorkerUtils } from "graphile-worker";
import { tlsSettings } from "../postgres/tls_settings.ts";
import { quietLogger } from "./quiet_logger.ts";

/** What puts jobs on the queue of a database, makes its tables and unlocks jobs. */
export function queueUtils(address: string): Promise<WorkerUtils> {
  const connectionString = tlsSettings(address).queueAddress;
  return makeWorkerUtils({ connectionString, maxPoolSize: 2, logger: quietLogger });
}
