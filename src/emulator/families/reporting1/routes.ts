import { createHash } from "node:crypto";
import { isObject, type JsonObject } from "../../core/json.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { Route } from "../../routing/route.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { accountsAt, profilesAt, queryAdvertiserAccounts } from "./advertiser_accounts.ts";
import { checkFreeRequest, type ReportProblem } from "./check_free_request.ts";
import { countRows, freeReportFile, partsOf } from "./free_file.ts";
import { asFreeEntity, asFreeReport, FREE_REPORTS, type FreeReport, freeStatus } from "./free_report.ts";

const TYPES = ["application/json"];
const MINUTE = 60_000;
const SHARED = {
  method: "POST",
  requestTypes: TYPES,
  responseTypes: TYPES,
  scoped: false,
  errors: "unified",
} as const;

export const REPORTING_1_ROUTES: readonly Route[] = [
  {
    ...SHARED,
    operation: "v1-all-reports:AdsApiv1CreateReport",
    path: "/adsApi/v1/create/reports",
    handle: create,
  },
  {
    ...SHARED,
    operation: "v1-all-reports:AdsApiv1RetrieveReport",
    path: "/adsApi/v1/retrieve/reports",
    handle: retrieve,
  },
  {
    ...SHARED,
    operation: "v1-all-reports:AdsApiv1DeleteReport",
    path: "/adsApi/v1/delete/reports",
    handle: remove,
  },
  {
    ...SHARED,
    operation: "v1-all-advertiser-accounts:QueryAdvertiserAccount",
    path: "/adsApi/v1/query/advertiserAccounts",
    handle: queryAdvertiserAccounts,
  },
];

async function create(context: Context): Promise<HttpResponse> {
  const { clock, state, quirks, faults } = context;
  const request = checkFreeRequest(context.body, { accounts: accountsAt(context), clock });
  if (Array.isArray(request)) return refused(request);
  const now = clock.now();
  const owner = state.profile(request.profileIds[0]!)!;
  const reports = owner.collection(FREE_REPORTS);
  const recent = reports.all().filter((each) => asFreeReport(each).createdAt > now - MINUTE).length;
  if (quirks.reportsPerMinute > 0 && recent >= quirks.reportsPerMinute) {
    throw refusal(429, "Too many requests", "unified");
  }
  const underWay = reports.all().map(asFreeReport).filter((each) =>
    each.deleted !== true && ["PENDING", "PROCESSING"].includes(freeStatus(each, now))
  );
  if (quirks.reportsUnderWay > 0 && underWay.length >= quirks.reportsUnderWay) {
    throw refusal(429, "Too many requests", "unified");
  }
  const seconds = faults.reportSeconds ?? quirks.reportSeconds;
  const leftOut = quirks.reportingLeavesOut.split(/\W+/);
  const profileIds = request.profileIds.filter((id) =>
    !leftOut.includes(state.profile(id)!.record.countryCode)
  );
  const report: FreeReport = {
    ...request,
    profileIds,
    reportId: createHash("sha256").update(`${state.seed} ${state.newId()}`).digest("hex").slice(0, 32),
    createdAt: now,
    startsAt: now + seconds * 300,
    endsAt: now + seconds * 1000,
    outcome: faults.reportOutcome ?? "COMPLETED",
  };
  reports.insert(asFreeEntity(report));
  return await found({ ...report, startsAt: Infinity, endsAt: Infinity }, owner, context);
}

async function retrieve(context: Context): Promise<HttpResponse> {
  const { report, owner } = find(context);
  return report === undefined ? notFound() : await found(report, owner, context);
}

async function remove(context: Context): Promise<HttpResponse> {
  const { report, owner } = find(context);
  if (report === undefined) return notFound();
  const response = await found(report, owner, context);
  owner.collection(FREE_REPORTS).replace(asFreeEntity({ ...report, deleted: true }));
  return response;
}

type Found = { readonly report: FreeReport; readonly owner: ProfileState } | {
  readonly report: undefined;
  readonly owner?: undefined;
};

function find(context: Context): Found {
  const { reportIds } = isObject(context.body) ? context.body : {};
  if (!Array.isArray(reportIds) || reportIds.length !== 1 || typeof reportIds[0] !== "string") {
    throw refusal(400, "reportIds must be a list of exactly one id", "unified");
  }
  for (const owner of profilesAt(context)) {
    const entity = owner.collection(FREE_REPORTS).get(reportIds[0]);
    if (entity !== undefined && entity.deleted !== true) return { report: asFreeReport(entity), owner };
  }
  return { report: undefined };
}

function notFound(): HttpResponse {
  return refused([{
    code: "RESOURCE_ID_NOT_FOUND",
    message: "The report was not found",
    fieldLocation: "$.reportIds[0]",
  }]);
}

function refused(errors: readonly ReportProblem[]): HttpResponse {
  return jsonResponse(207, {
    success: [],
    error: [{ index: 0, errors: errors.map((each) => ({ ...each })) }],
  });
}

async function found(report: FreeReport, owner: ProfileState, context: Context): Promise<HttpResponse> {
  const status = freeStatus(report, context.clock.now());
  const { reportId, startDate, endDate, fields, filter, format, currencyOfView } = report;
  const updated = status === "PENDING"
    ? report.createdAt
    : status === "PROCESSING"
    ? report.startsAt
    : report.endsAt;
  const view: JsonObject = {
    reportId,
    status,
    format,
    periods: [{ datePeriod: { startDate, endDate } }],
    query: {
      fields: [...fields],
      ...(filter === undefined ? {} : { filter: filter as unknown as JsonObject }),
    },
    creationDateTime: iso(report.createdAt),
    lastUpdatedDateTime: iso(updated),
    ...(currencyOfView === undefined ? {} : { currencyOfView }),
    ...(status === "FAILED"
      ? { failureCode: "INTERNAL_ERROR", failureReason: "The report could not be built" }
      : {}),
    ...(status === "COMPLETED"
      ? { completedDateTime: iso(report.endsAt), completedReportParts: await parts(report, owner, context) }
      : {}),
  };
  return jsonResponse(207, { success: [{ index: 0, report: view }], error: [] });
}

async function parts(report: FreeReport, owner: ProfileState, context: Context): Promise<JsonObject[]> {
  const { files, clock, random, state } = context;
  const rows = report.rows ?? countRows(report, state);
  if (report.rows === undefined) owner.collection(FREE_REPORTS).replace(asFreeEntity({ ...report, rows }));
  const list: JsonObject[] = [];
  for (const name of partsOf(report, rows)) {
    const source = freeReportFile(owner, name, { state, now: clock.now() })!;
    const { bytes } = await files.file(name, source);
    const nonce = String(random.integer(0, 2 ** 31));
    const { url, expiresAt } = files.link(owner.id, name, { now: clock.now(), nonce });
    list.push({ sizeInBytes: bytes.length, url, urlExpirationDateTime: iso(expiresAt) });
  }
  return list;
}

function iso(moment: number): string {
  return new Date(moment).toISOString();
}
