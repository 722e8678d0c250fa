/**
 * A service that runs syncs, drift checks, schedules, watches and scripts on timers.
 *
 * @module
 */

export { checkService } from "./check_service.ts";
export {
  runService,
  type ServiceEvent,
  type ServiceOptions,
  type ServiceStatus,
  serviceStatus,
} from "./run_service.ts";
export { loadService, parseService } from "./service_file.ts";
export type { QuietHours, ServiceFile, ServiceTimer, ServiceWork } from "./model/service.ts";
export { type ServiceRun, ServiceState, type ServiceUnit } from "./model/service_state.ts";
export type { DoWork, WorkParts, WorkRun } from "./model/work_run.ts";
export type { Standing } from "./standing.ts";
export type { Timer, TimerWeekday } from "./model/timer.ts";
