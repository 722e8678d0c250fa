import { isObject, type JsonObject } from "../../core/json.ts";
import { emptyResponse, type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { Refusal, RouteRefusal } from "../../http/refusal.ts";
import { dayAt } from "../../core/day_span.ts";
import { Random } from "../../core/random.ts";
import type { Context } from "../../routing/context.ts";
import { readBody } from "../../routing/read_request.ts";
import type { Route } from "../../routing/route.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { brandRows } from "./job_files.ts";
import { addJob, findJob, type JobRecord, jobsOf, jobState, replaceJob } from "./job_record.ts";

const DAY = /^\d{4}-\d\d-\d\d$/;
const DAY_MS = 86_400_000;
const BRAND_TYPES = [
  "application/vnd.insightsbrandmetrics.v1+json",
  "application/vnd.insightsbrandmetrics.v1.1+json",
];
/** Lifetime of a brand metrics URL, in seconds. */
const BRAND_SECONDS = 300;
const DSP_DIMENSIONS: Readonly<Record<string, readonly string[]>> = {
  CAMPAIGN: ["CREATIVE"],
  CONVERSION_SOURCE: ["CREATIVE", "CONVERSION_SOURCE"],
  INVENTORY: ["SITE", "SUPPLY", "DEAL"],
  TECHNOLOGY: ["OPERATING_SYSTEM", "BROWSER_TYPE", "BROWSER_VERSION", "DEVICE_TYPE", "ENVIRONMENT_TYPE"],
  GEOGRAPHY: ["COUNTRY", "STATE_COUNTY_REGION", "CITY", "DMA", "POSTAL_CODE"],
  AUDIENCE: [],
  PRODUCTS: [],
};

export const LONG_JOB_ROUTES: readonly Route[] = [
  {
    operation: "brand-metrics:generateBrandMetricsReport",
    method: "POST",
    path: "/insights/brandMetrics/report",
    requestTypes: BRAND_TYPES,
    responseTypes: BRAND_TYPES,
    errors: "details",
    handle: createBrandMetrics,
  },
  {
    operation: "brand-metrics:getBrandMetricsReport",
    method: "GET",
    path: "/insights/brandMetrics/report/{reportId}",
    responseTypes: BRAND_TYPES,
    errors: "details",
    handle: (context) =>
      brandResponse(findJob(context.profile, "brand metrics", context.params.reportId), context),
  },
  {
    operation: "dsp-advertiser:get__dsp_advertisers",
    method: "GET",
    path: "/dsp/advertisers",
    responseTypes: ["application/json"],
    handle: (context) => inDspWords(() => listDspAdvertisers(context)),
  },
  {
    operation: "dsp-advertiser:get__dsp_advertisers_{advertiserId}",
    method: "GET",
    path: "/dsp/advertisers/{advertiserId}",
    responseTypes: ["application/json"],
    handle: (context) => inDspWords(() => getDspAdvertiser(context)),
  },
  {
    operation: "dsp-reports:createReportV3",
    method: "POST",
    path: "/accounts/{accountId}/dsp/reports",
    requestTypes: ["application/vnd.dspcreatereports.v3+json"],
    responseTypes: ["application/vnd.dspcreatereports.v3+json"],
    handle: (context) => inDspWords(() => createDspReport(context)),
  },
  {
    operation: "dsp-reports:getCampaignReportV3",
    method: "GET",
    path: "/accounts/{accountId}/dsp/reports/{reportId}",
    responseTypes: ["application/vnd.dspgetreports.v3+json"],
    handle: (context) =>
      inDspWords(() => {
        checkDspAccount(context);
        return dspResponse(findJob(context.profile, "dsp report", context.params.reportId), context);
      }),
  },
  {
    operation: "dsp-reports-v2:createReportV2",
    method: "POST",
    path: "/dsp/reports",
    requestTypes: ["application/vnd.dspcreatereports.v2_2+json"],
    responseTypes: ["application/vnd.dspcreatereports.v2_2+json"],
    handle: (context) => inDspWords(() => createOldDspReport(context)),
  },
  {
    operation: "dsp-reports-v2:getCampaignReportV2",
    method: "GET",
    path: "/dsp/reports/{reportId}",
    responseTypes: ["application/vnd.dspgetreports.v2_1+json"],
    handle: (context) =>
      inDspWords(() =>
        dspResponse(findJob(context.profile, "old dsp report", context.params.reportId), context)
      ),
  },
  {
    operation: "marketing-mix-modeling:createMmmReport",
    method: "POST",
    path: "/mmm/v1/reports",
    requestTypes: ["application/json"],
    responseTypes: ["application/json"],
    scoped: false,
    handle: createMmmReport,
  },
  {
    operation: "marketing-mix-modeling:getMmmReport",
    method: "GET",
    path: "/mmm/v1/reports/{reportId}",
    responseTypes: ["application/json"],
    scoped: false,
    handle: (context) => jsonResponse(200, mmmView(mmmJob(context), context), { type: context.responseType }),
  },
  {
    operation: "marketing-mix-modeling:listMmmReports",
    method: "POST",
    path: "/mmm/v1/reports/list",
    requestTypes: ["application/json"],
    responseTypes: ["application/json"],
    scoped: false,
    handle: (context) => {
      const reports = jobsOf(managerOf(context), "mmm report").reverse().map((job) => mmmView(job, context));
      return jsonResponse(200, { reports }, { type: context.responseType });
    },
  },
  {
    operation: "marketing-mix-modeling:deleteMmmReport",
    method: "DELETE",
    path: "/mmm/v1/reports/{reportId}",
    responseTypes: [],
    scoped: false,
    handle: (context) => {
      replaceJob(managerOf(context), { ...mmmJob(context), cancelledAt: context.clock.now() });
      return emptyResponse(204);
    },
  },
];

function createBrandMetrics(context: Context): HttpResponse {
  const { profile, contentType } = context;
  const request = readBody(context.body ?? {});
  const { lookBackPeriod, reportStartDate, reportEndDate, metrics, format = "JSON" } = request;
  const isNewer = contentType?.endsWith("v1.1+json") ?? false;
  const periods = isNewer ? ["1w", "1m", "1cm"] : ["1W", "1M", "1CM", "1w", "1m", "1cm"];
  if (lookBackPeriod !== undefined && !periods.includes(String(lookBackPeriod))) {
    throw new RouteRefusal(
      400,
      `lookBackPeriod ${String(lookBackPeriod)} is not one of ${periods.join(", ")}`,
    );
  }
  if (!["JSON", "CSV"].includes(String(format))) throw new RouteRefusal(400, "format must be JSON or CSV");
  if (Array.isArray(metrics) && metrics.length > (isNewer ? 500 : 20)) {
    throw new RouteRefusal(400, "too many metrics");
  }
  if ((reportStartDate === undefined) !== (reportEndDate === undefined)) {
    throw new RouteRefusal(400, "reportStartDate and reportEndDate go together");
  }
  if (reportStartDate !== undefined) {
    spanOf({ startDate: reportStartDate, endDate: reportEndDate }, { days: 92 });
  }
  return brandResponse(addJob(profile, { kind: "brand metrics", request }, context), context);
}

function brandResponse(job: JobRecord, context: Context): HttpResponse {
  const { profile, clock, state, files, random, responseType } = context;
  const phase = jobState(job, clock.now());
  const status = phase === "done" ? "SUCCESSFUL" : phase === "failed" ? "FAILED" : "IN_PROGRESS";
  const hasRows = phase === "done" &&
    brandRows(job, (salt) => new Random(`${state.seed} ${profile.id} ${job.kind} ${salt}`)).length > 0;
  const link = hasRows
    ? files.link(profile.id, `${job.id}_brands`, {
      now: clock.now(),
      nonce: nonceOf(random),
      seconds: BRAND_SECONDS,
      ending: "json",
    })
    : undefined;
  return jsonResponse(200, {
    reportId: job.id,
    format: String(job.request.format ?? "JSON"),
    status,
    statusDetails: phase === "failed" ? "The report could not be generated" : `Report is ${status}`,
    // Without data the address is empty.
    location: link?.url ?? "",
    expiration: BRAND_SECONDS * 1000,
  }, { type: responseType });
}

/** Accepts an upper-case DSP entity id or an advertiser id; others are unauthorized. */
function checkDspAccount({ params }: Context): void {
  const { accountId = "" } = params;
  if (!/^ENTITY[0-9A-Z]+$|^\d+$/.test(accountId)) {
    throw new RouteRefusal(401, `Not authorized to access account ${accountId}`);
  }
}

function inDspWords(handle: () => HttpResponse): HttpResponse {
  try {
    return handle();
  } catch (error) {
    if (!(error instanceof RouteRefusal)) throw error;
    const { status, message } = error;
    throw new Refusal(
      jsonResponse(status, { message, errors: [{ errorType: "INVALID_ARGUMENT", message }] }),
    );
  }
}

const DSP_ADVERTISERS = ["570000000000001", "570000000000002"];

/** Advertisers of the DSP; reports name one of them, or the entity that holds them. */
function listDspAdvertisers({ profile, query }: Context): HttpResponse {
  const asked = query.get("advertiserIdFilter")?.split(",");
  const [start, count] = [Number(query.get("startIndex") ?? 0), Number(query.get("count") ?? 100)];
  if (!Number.isInteger(start) || start < 0 || !Number.isInteger(count) || count < 1 || count > 100) {
    throw new RouteRefusal(400, "startIndex must be from 0, and count 1 to 100");
  }
  const all = DSP_ADVERTISERS.filter((id) => asked === undefined || asked.includes(id));
  const response = all.slice(start, start + count).map((id) => dspAdvertiser(id, profile));
  return jsonResponse(200, { totalResults: all.length, response });
}

function getDspAdvertiser({ params, profile }: Context): HttpResponse {
  const { advertiserId = "" } = params;
  if (!DSP_ADVERTISERS.includes(advertiserId)) {
    throw new RouteRefusal(404, `Advertiser ${advertiserId} was not found`);
  }
  return jsonResponse(200, dspAdvertiser(advertiserId, profile));
}

function dspAdvertiser(advertiserId: string, { record }: ProfileState): JsonObject {
  const { countryCode, currencyCode, timezone } = record;
  const name = `Fernpfad Outdoor ${DSP_ADVERTISERS.indexOf(advertiserId) + 1}`;
  const url = "https://fernpfad.example";
  return {
    advertiserId,
    name,
    country: countryCode,
    currency: currencyCode,
    timezone,
    url,
    isRegional: false,
  };
}

function createDspReport(context: Context): HttpResponse {
  checkDspAccount(context);
  const request = readBody(context.body);
  checkDspRequest(request, spanOf(request, { days: 31 }), context);
  return dspResponse(addJob(context.profile, { kind: "dsp report", request }, context), context);
}

/** Version 2: about the advertisers of the profile in its header, with days written as `20260930`. */
function createOldDspReport(context: Context): HttpResponse {
  const request = readBody(context.body);
  const { advertiserIds = [], type } = request;
  const span = spanOf(request, { days: 31, form: "yyyyMMdd" });
  if (type === "CONVERSION_SOURCE") throw new RouteRefusal(422, `type ${type} is not known`);
  const foreign = (Array.isArray(advertiserIds) ? advertiserIds : [advertiserIds]).map(String)
    .find((id) => !/^\d+$/.test(id));
  if (foreign !== undefined) throw new RouteRefusal(422, `advertiser ${foreign} is not valid`);
  checkDspRequest(request, span, context);
  const dated = { ...request, startDate: dayAt(span.start, "UTC"), endDate: dayAt(span.end, "UTC") };
  return dspResponse(addJob(context.profile, { kind: "old dsp report", request: dated }, context), context);
}

function checkDspRequest(
  { type = "CAMPAIGN", dimensions = [], timeUnit = "SUMMARY", format = "JSON" }: JsonObject,
  span: { readonly start: number },
  { clock }: Context,
): void {
  if (span.start < clock.now() - 91 * DAY_MS) {
    throw new RouteRefusal(422, "startDate is more than 90 days ago");
  }
  const own = DSP_DIMENSIONS[String(type)];
  if (own === undefined) throw new RouteRefusal(422, `type ${String(type)} is not known`);
  const unknown = (Array.isArray(dimensions) ? dimensions : []).map(String)
    .find((name) => !["ORDER", "LINE_ITEM", ...own].includes(name));
  if (unknown !== undefined) {
    throw new RouteRefusal(422, `dimension ${unknown} is not valid for ${String(type)}`);
  }
  if (!["SUMMARY", "DAILY"].includes(String(timeUnit)) || type === "AUDIENCE" && timeUnit === "DAILY") {
    throw new RouteRefusal(422, `timeUnit ${String(timeUnit)} is not valid for ${String(type)}`);
  }
  if (!["JSON", "CSV"].includes(String(format))) throw new RouteRefusal(422, "format must be JSON or CSV");
}

function dspResponse(job: JobRecord, context: Context): HttpResponse {
  const { profile, clock, files, random, responseType } = context;
  const phase = jobState(job, clock.now());
  const status = phase === "done" ? "SUCCESS" : phase === "failed" ? "FAILURE" : "IN_PROGRESS";
  const { type = "CAMPAIGN", format = "JSON" } = job.request;
  const base = { reportId: job.id, type, format, status };
  if (phase === "failed") {
    return jsonResponse(200, { ...base, statusDetails: "size too large" }, { type: responseType });
  }
  if (phase !== "done") {
    return jsonResponse(200, { ...base, statusDetails: "Report is being generated" }, { type: responseType });
  }
  const ending = format === "CSV" ? "csv" : "json";
  const { url, expiresAt } = files.link(profile.id, `${job.id}_rows`, {
    now: clock.now(),
    nonce: nonceOf(random),
    ending,
  });
  // The older version gives an interval in milliseconds in place of a time.
  const expiration = job.kind === "old dsp report"
    ? expiresAt - clock.now()
    : new Date(expiresAt).toISOString();
  const done = { ...base, location: url, expiration };
  return jsonResponse(200, done, { type: responseType });
}

function managerOf({ headers, host, state }: Context): ProfileState {
  if (!Object.keys(headers).some((name) => name.endsWith("-manager-account"))) {
    throw new RouteRefusal(403, "Manager account is not registered");
  }
  const [profile] = state.profiles(host === "SANDBOX" ? undefined : host);
  if (profile === undefined || host === "EU" || host === "FE") throw new RouteRefusal(404, "Not found");
  return profile;
}

function mmmJob(context: Context): JobRecord {
  return findJob(managerOf(context), "mmm report", context.params.reportId);
}

function createMmmReport(context: Context): HttpResponse {
  const profile = managerOf(context);
  const request = readBody(context.body);
  const { configuration } = request;
  spanOf(request, { days: 3 * 366 });
  if (!isObject(configuration) || typeof configuration.brandGroupId !== "string") {
    throw new RouteRefusal(400, "configuration.brandGroupId is required");
  }
  const now = context.clock.now();
  const same = jobsOf(profile, "mmm report").find((job) =>
    ["pending", "processing"].includes(jobState(job, now)) &&
    JSON.stringify(job.request) === JSON.stringify(request)
  );
  if (same !== undefined) {
    throw new Refusal(jsonResponse(425, { message: "The same report is being processed" }));
  }
  const job = addJob(profile, { kind: "mmm report", request }, context);
  return jsonResponse(200, mmmView(job, context), { type: context.responseType });
}

function mmmView(job: JobRecord, context: Context): JsonObject {
  const { clock, files, random } = context;
  const { id, request, createdAt } = job;
  const phase = jobState(job, clock.now());
  const words = {
    pending: "PENDING",
    processing: "PROCESSING",
    done: "SUCCEEDED",
    failed: "FAILED",
    cancelled: "CANCELED",
  };
  const view: JsonObject = {
    ...request,
    reportId: id,
    status: words[phase],
    createdAt: new Date(createdAt).toISOString(),
  };
  if (phase === "failed") {
    return { ...view, failureCode: "INTERNAL_ERROR", failureMessage: "The report could not be built" };
  }
  if (phase !== "done") return view;
  const profile = managerOf(context);
  const links = (["summary", "ads"] as const).map((part) =>
    files.link(profile.id, `${id}_${part}`, {
      now: clock.now(),
      nonce: nonceOf(random),
      ending: part === "summary" ? "xlsx" : "tsv",
    })
  );
  return {
    ...view,
    urls: links.map(({ url }) => url),
    urlsExpireAt: new Date(Math.min(...links.map(({ expiresAt }) => expiresAt))).toISOString(),
  };
}

function spanOf(
  request: JsonObject,
  { days, form = "yyyy-MM-dd" }: { readonly days: number; readonly form?: "yyyy-MM-dd" | "yyyyMMdd" },
): { readonly start: number; readonly end: number } {
  const [start = NaN, end = NaN] = ["startDate", "endDate"].map((name) => {
    const value = request[name];
    const text = typeof value !== "string" || value.length !== form.length ? "" : value;
    const day = form === "yyyyMMdd" ? text.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3") : text;
    if (!DAY.test(day) || Number.isNaN(Date.parse(day))) {
      throw new RouteRefusal(400, `${name} must be a day, ${form}`);
    }
    return Date.parse(day);
  });
  if (end < start) throw new RouteRefusal(400, "endDate is before startDate");
  if ((end - start) / DAY_MS >= days) throw new RouteRefusal(400, `More than ${days} days in one report`);
  return { start, end };
}

function nonceOf(random: Random): string {
  return String(random.integer(0, 2 ** 31));
}
