import type { Route } from "../../routing/route.ts";
import { getInstance, listAccounts, listInstances } from "./accounts.ts";
import {
  createExecution,
  getDownloadUrls,
  getExecution,
  listExecutions,
  updateExecution,
} from "./executions.ts";
import {
  createSchedule,
  createWorkflow,
  deleteSchedule,
  deleteWorkflow,
  getDataSource,
  getSchedule,
  getWorkflow,
  listDataSources,
  listSchedules,
  listWorkflows,
  updateSchedule,
  updateWorkflow,
} from "./workflows.ts";

type Handle = Route["handle"];

const PATH = "/amc/reporting/{instanceId}";

function route(name: string, method: Route["method"], path: string, type: string, handle: Handle): Route {
  const [api, operation] = name.includes(":") ? name.split(":") : ["workflow-management-service", name];
  const types = [`application/vnd.${type}.v1+json`];
  return {
    operation: `${api}:${operation}`,
    method,
    path,
    responseTypes: types,
    ...(method === "POST" || method === "PUT" ? { requestTypes: types } : {}),
    scoped: false,
    errors: "details",
    handle,
  };
}

const SOURCES = "amcdatasources";
const WORKFLOWS = "amcworkflows";
const EXECUTIONS = "amcworkflowexecutions";
const SCHEDULES = "amcschedules";

export const CLEAN_ROOM_ROUTES: readonly Route[] = [
  route(
    "amc-administration:AmcpLinkListAmcAccounts",
    "GET",
    "/amc/accounts",
    "amcaudiencesconnections",
    listAccounts,
  ),
  route("amc-administration:listInstances", "GET", "/amc/instances", "amcinstances", listInstances),
  route("amc-administration:getInstance", "GET", "/amc/instances/{instanceId}", "amcinstances", getInstance),
  route("listDataSources", "GET", `${PATH}/dataSources`, SOURCES, listDataSources),
  route("getDataSource", "GET", `${PATH}/dataSources/{dataSourceId}`, SOURCES, getDataSource),
  route("listWorkflows", "GET", `${PATH}/workflows`, WORKFLOWS, listWorkflows),
  route("createWorkflow", "POST", `${PATH}/workflows`, WORKFLOWS, createWorkflow),
  route("getWorkflow", "GET", `${PATH}/workflows/{workflowId}`, WORKFLOWS, getWorkflow),
  route("updateWorkflow", "PUT", `${PATH}/workflows/{workflowId}`, WORKFLOWS, updateWorkflow),
  route("deleteWorkflow", "DELETE", `${PATH}/workflows/{workflowId}`, WORKFLOWS, deleteWorkflow),
  route("listWorkflowExecutions", "GET", `${PATH}/workflowExecutions`, EXECUTIONS, listExecutions),
  route("createWorkflowExecution", "POST", `${PATH}/workflowExecutions`, EXECUTIONS, createExecution),
  route(
    "getWorkflowExecution",
    "GET",
    `${PATH}/workflowExecutions/{workflowExecutionId}`,
    EXECUTIONS,
    getExecution,
  ),
  route(
    "UpdateWorkflowExecution",
    "PUT",
    `${PATH}/workflowExecutions/{workflowExecutionId}`,
    EXECUTIONS,
    updateExecution,
  ),
  route(
    "getWorkflowExecutionDownloadUrls",
    "GET",
    `${PATH}/workflowExecutions/{workflowExecutionId}/downloadUrls`,
    EXECUTIONS,
    getDownloadUrls,
  ),
  route("listSchedules", "GET", `${PATH}/schedules`, SCHEDULES, listSchedules),
  route("createSchedule", "POST", `${PATH}/schedules`, SCHEDULES, createSchedule),
  route("getSchedule", "GET", `${PATH}/schedules/{scheduleId}`, SCHEDULES, getSchedule),
  route("updateSchedule", "PUT", `${PATH}/schedules/{scheduleId}`, SCHEDULES, updateSchedule),
  route("deleteSchedule", "DELETE", `${PATH}/schedules/{scheduleId}`, SCHEDULES, deleteSchedule),
];
