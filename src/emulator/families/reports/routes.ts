import { createHash } from "node:crypto";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import type { Context } from "../../routing/context.ts";
import type { JsonObject } from "../../core/json.ts";
import { refusal } from "../../http/refusal.ts";
import { checkReportRequest } from "./check_report_request.ts";
import {
  asEntity,
  asReport,
  isBeingBuilt,
  type ReportRecord,
  sameReportKey,
  statusOf,
} from "./report_record.ts";
import { reportFile } from "./report_rows.ts";
import type { Route } from "../../routing/route.ts";

const FAMILY = "application/vnd.";
const MINUTE = 60_000;

export const REPORT_ROUTES: readonly Route[] = [
  {
    operation: "reporting:createAsyncReport",
    method: "POST",
    path: "/reporting/reports",
    requestTypes: [`${FAMILY}createasyncreportrequest.v3+json`],
    responseTypes: [`${FAMILY}createasyncreportresponse.v3+json`],
    errors: "detail",
    handle: create,
  },
  {
    operation: "reporting:getAsyncReport",
    method: "GET",
    path: "/reporting/reports/{reportId}",
    responseTypes: [`${FAMILY}getasyncreportresponse.v3+json`],
    errors: "detail",
    handle: look,
  },
  {
    operation: "reporting:deleteAsyncReport",
    method: "DELETE",
    path: "/reporting/reports/{reportId}",
    responseTypes: [`${FAMILY}deleteasyncreportresponse.v3+json`],
    errors: "detail",
    handle: cancel,
  },
];

async function create(context: Context): Promise<HttpResponse> {
  const { profile, clock, state, quirks, faults } = context;
  const request = checkReportRequest(context.body, { profile, clock, quirks });
  const now = clock.now();
  const reports = profile.collection("reports");
  const earlier = reports.all().map(asReport);
  const duplicate = earlier.find((report) =>
    isBeingBuilt(report, now) && sameReportKey(report) === sameReportKey(request)
  );
  if (duplicate !== undefined) {
    throw refusal(425, `The Request is a duplicate of : ${duplicate.reportId}`, "detail");
  }
  const recent = earlier.filter(({ createdAt }) => createdAt > now - MINUTE).length;
  if (quirks.reportsPerMinute > 0 && recent >= quirks.reportsPerMinute) {
    throw refusal(429, "Too Many Requests", "detail");
  }
  const seconds = faults.reportSeconds ?? quirks.reportSeconds;
  const report: ReportRecord = {
    reportId: uuidOf(`${state.seed} ${state.newId()}`),
    ...request,
    createdAt: now,
    startsAt: now + seconds * 300,
    endsAt: now + seconds * 1000,
    outcome: faults.reportOutcome ?? "COMPLETED",
  };
  reports.insert(asEntity(report));
  return await reportResponse({ ...report, startsAt: Infinity, endsAt: Infinity }, context);
}

async function look(context: Context): Promise<HttpResponse> {
  return await reportResponse(find(context), context);
}

function cancel(context: Context): HttpResponse {
  const report = find(context);
  const { reportId } = report;
  const status = statusOf(report, context.clock.now());
  if (!isBeingBuilt(report, context.clock.now())) {
    throw refusal(400, `Report ${reportId} cannot be cancelled: its status is ${status}`, "detail");
  }
  context.profile.collection("reports").replace(asEntity({ ...report, cancelledAt: context.clock.now() }));
  const detail = `Report ${reportId} was cancelled`;
  return jsonResponse(200, { code: "200", detail, reportId }, { type: context.responseType });
}

function find({ profile, params }: Context): ReportRecord {
  const report = profile.collection("reports").get(params.reportId!);
  if (report === undefined) throw refusal(404, `Report ${params.reportId} was not found`, "detail");
  return asReport(report);
}

async function reportResponse(report: ReportRecord, context: Context): Promise<HttpResponse> {
  const status = statusOf(report, context.clock.now());
  const { reportId, name, startDate, endDate, configuration, createdAt } = report;
  const view = {
    reportId,
    name,
    startDate,
    endDate,
    status,
    configuration: { filters: null, ...configuration },
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt(report, status)),
    ...await fileView(report, status, context),
    failureReason: ["FAILED", "FAILURE"].includes(status)
      ? "Internal Error: the report could not be built"
      : null,
  };
  return jsonResponse(200, view, { type: context.responseType });
}

async function fileView(report: ReportRecord, status: string, context: Context): Promise<JsonObject> {
  const { profile, files, clock, random, state } = context;
  const none = { generatedAt: null, fileSize: null, url: null, urlExpiresAt: null };
  if (status !== "COMPLETED") return none;
  const { bytes, rows } = await files.file(
    report.reportId,
    reportFile(profile, report.reportId, { seed: state.seed, now: clock.now() })!,
  );
  const generatedAt = iso(report.endsAt);
  if (rows === 0) return { ...none, generatedAt, fileSize: 0 };
  const nonce = String(random.integer(0, 2 ** 31));
  const { url, expiresAt } = files.link(profile.id, report.reportId, { now: clock.now(), nonce });
  return { generatedAt, fileSize: bytes.length, url, urlExpiresAt: iso(expiresAt) };
}

function updatedAt(report: ReportRecord, status: string): number {
  if (report.cancelledAt !== undefined) return report.cancelledAt;
  return status === "PENDING" ? report.createdAt : status === "PROCESSING" ? report.startsAt : report.endsAt;
}

function iso(moment: number): string {
  return new Date(moment).toISOString();
}

function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ]
    .join("-");
}
