import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { emptyResponse, type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import type { Context } from "../../routing/context.ts";
import { asExport, type ExportRecord, exportRows, exportStatus } from "./export_rows.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { Refusal, refusal } from "../../http/refusal.ts";
import type { Route } from "../../routing/route.ts";

interface ExportKind {
  readonly entity: string;
  readonly operation: string;
  readonly path: string;
  readonly letter: string;
  readonly type: string;
}

const ACCEPTED = 202;
const MAX_BUILDING = 5;
const STATES = ["ENABLED", "PAUSED", "ARCHIVED"];

const FILTERS: Readonly<Record<string, { field: string; known: readonly (string | boolean)[] }>> = {
  adProductFilter: {
    field: "adProduct",
    known: ["SPONSORED_BRANDS", "SPONSORED_DISPLAY", "SPONSORED_PRODUCTS"],
  },
  stateFilter: { field: "state", known: STATES },
};
const TARGET_FILTERS: typeof FILTERS = {
  ...FILTERS,
  negativeFilter: { field: "negative", known: [true, false] },
  targetTypeFilter: {
    field: "targetType",
    known: [
      "AUDIENCE",
      "AUTO",
      "CONTENT_CATEGORY",
      "KEYWORD",
      "PRODUCT",
      "PRODUCT_AUDIENCE",
      "PRODUCT_CATEGORY",
      "PRODUCT_CATEGORY_AUDIENCE",
      "THEME",
    ],
  },
  targetLevelFilter: { field: "targetLevel", known: ["AD_GROUP", "CAMPAIGN"] },
};

const EXPORTS: readonly ExportKind[] = [
  exportOf("campaigns", { operation: "CampaignExport", letter: "C" }),
  exportOf("adGroups", { operation: "AdGroupExport", letter: "A" }),
  exportOf("ads", { operation: "AdExport", letter: "AD" }),
  exportOf("targets", { operation: "TargetExport", letter: "T" }),
];

export const EXPORT_ROUTES: readonly Route[] = [
  ...EXPORTS.map((kind): Route => ({
    operation: kind.operation,
    method: "POST",
    path: kind.path,
    requestTypes: [kind.type],
    responseTypes: [kind.type],
    errors: "errorCode",
    handle: (context) => create(kind, context),
  })),
  {
    operation: "v1-exports:GetExport",
    method: "GET",
    path: "/exports/{exportId}",
    responseTypes: EXPORTS.map(({ type }) => type),
    errors: "errorCode",
    handle: look,
  },
];

function exportOf(entity: string, { operation, letter }: { operation: string; letter: string }): ExportKind {
  return {
    entity,
    operation: `v1-exports:${operation}`,
    path: `/${entity}/export`,
    letter,
    type: `application/vnd.${entity.toLowerCase()}export.v1+json`,
  };
}

function create(kind: ExportKind, context: Context): HttpResponse {
  const { profile, clock, state, quirks, faults } = context;
  const filters = readFilters(kind, context.body);
  const uuid = createHash("sha256").update(`${state.seed} ${state.newId()}`).digest("hex").slice(0, 32);
  const now = clock.now();
  const building = profile.collection("exports").all().map(asExport).filter((one) =>
    one.entity === kind.entity && exportStatus(one, now) === "PROCESSING"
  );
  if (building.length >= MAX_BUILDING) {
    throw refusal(429, `${building.length} exports of ${kind.entity} are in progress`, "errorCode");
  }
  const record: ExportRecord = {
    exportId: Buffer.from(`${uuid},${kind.letter}`).toString("base64url"),
    entity: kind.entity,
    filters,
    createdAt: now,
    endsAt: now + (faults.reportSeconds ?? quirks.reportSeconds) * 1000,
    outcome: faults.reportOutcome === undefined ? "COMPLETED" : "FAILED",
  };
  profile.collection("exports").insert(record as unknown as JsonObject);
  const { exportId, createdAt } = record;
  const view = { exportId, status: "PROCESSING", createdAt: new Date(createdAt).toISOString() };
  return jsonResponse(ACCEPTED, view, { type: context.responseType });
}

/** Only accepts its own media type. */
async function look(context: Context): Promise<HttpResponse> {
  const { profile, params, clock, headers, files, random } = context;
  const found = profile.collection("exports").get(params.exportId!);
  if (found === undefined) throw refusal(404, `Export ${params.exportId} was not found`, "errorCode");
  const record = asExport(found);
  const { type } = EXPORTS.find(({ entity }) => entity === record.entity)!;
  const accept = headers.accept ?? "*/*";
  if (![type, "*/*", "application/*"].some((accepted) => accept.includes(accepted))) {
    throw new Refusal(emptyResponse(406));
  }
  const { exportId, createdAt, endsAt } = record;
  const status = exportStatus(record, clock.now());
  const view: JsonObject = { exportId, status, createdAt: new Date(createdAt).toISOString() };
  if (status === "FAILED") {
    return jsonResponse(
      200,
      { ...view, error: { errorCode: "INTERNAL_ERROR", message: "The export failed" } },
      { type },
    );
  }
  if (status !== "COMPLETED") return jsonResponse(200, view, { type });
  const { bytes } = await files.file(exportId, {
    rows: () => exportRows(profile, record),
    format: "GZIP_JSON",
  });
  const nonce = String(random.integer(0, 2 ** 31));
  const { url, expiresAt } = files.link(profile.id, exportId, { now: clock.now(), nonce });
  const done = {
    generatedAt: new Date(endsAt).toISOString(),
    fileSize: bytes.length,
    url,
    urlExpiresAt: new Date(expiresAt).toISOString(),
  };
  return jsonResponse(200, { ...view, ...done }, { type });
}

function readFilters(kind: ExportKind, body: Json | undefined): ExportRecord["filters"] {
  if (body !== undefined && !isObject(body)) throw bad("Request body must be an object");
  const known = kind.entity === "targets" ? TARGET_FILTERS : FILTERS;
  const filters: Record<string, readonly (string | boolean)[]> = { state: STATES.slice(0, 2) };
  for (const [name, value] of Object.entries(body ?? {})) {
    const filter = Object.hasOwn(known, name) ? known[name] : undefined;
    if (filter === undefined) throw bad(`${name} is not a filter of this export`);
    if (!Array.isArray(value) || value.length === 0) throw bad(`${name} must be a non-empty list`);
    const unknown = value.find((each) => !filter.known.includes(each as string | boolean));
    if (unknown !== undefined) throw bad(`${name} includes invalid values: (${String(unknown)})`);
    filters[filter.field] = value as (string | boolean)[];
  }
  return filters;
}

function bad(message: string): Refusal {
  return refusal(400, message, "errorCode");
}
