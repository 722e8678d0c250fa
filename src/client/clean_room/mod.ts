/**
 * Types of clean rooms.
 *
 * @module
 */
export type { CleanRoom, CleanRoomExecution, CleanRoomResult, RunWorkflowOptions } from "./clean_room.ts";
export type {
  CleanRoomInstance,
  CleanRoomTable,
  ScheduleDay,
  Workflow,
  WorkflowColumn,
  WorkflowParameter,
  WorkflowSchedule,
  WorkflowType,
} from "./clean_room_types.ts";
export type { CleanRoomOptions } from "./find_instance.ts";
export type { DayRange } from "../../base/time/calendar.ts";
export type { CleanRoomRow, WithheldCount } from "./result_rows.ts";
export type { ParameterValues, RunWindow } from "./run_windows.ts";
