import { emptyResponse, type HttpResponse, rawResponse, type Reply } from "../http/http_response.ts";
import type { Clock } from "../core/clock.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import { respondUnderFaults } from "../faults/respond_under_faults.ts";
import type { FaultEngine } from "../faults/fault_engine.ts";
import type { Journal } from "../http/journal.ts";
import type { WireNames } from "../routing/wire_names.ts";
import type { EmulatorState } from "../state/emulator_state.ts";
import { executionFile } from "../families/clean_room/execution_file.ts";
import { exportFile } from "../families/long_jobs/export_rows.ts";
import { freeReportFile } from "../families/reporting1/free_file.ts";
import { putFile } from "../families/account/uploaded_file.ts";
import { longJobFile } from "../families/long_jobs/job_files.ts";
import { reportFile } from "../families/reports/report_rows.ts";
import type { ProfileState } from "../state/profile_state.ts";
import type { FileStore } from "../state/file_store.ts";

const [GET_FILE, PUT_FILE] = ["files:getFile", "files:putFile"];

interface FileHostParts {
  readonly journal: Journal;
  readonly faults: FaultEngine;
  readonly wire: WireNames;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly state: EmulatorState;
  readonly clock: Clock;
  readonly files: FileStore;
}

/** Separate from the API host: accepts only signed URLs and rejects requests with an authorization header. */
export async function handleFileRequest(request: IncomingRequest, parts: FileHostParts): Promise<Reply> {
  parts.state.refresh();
  const { method, path } = request;
  const profileId = /^\/files\/(\d+)\//.exec(path)?.[1];
  const about = { method, path, operation: method === "PUT" ? PUT_FILE : GET_FILE, profileId };
  const entry = parts.journal.add(parts.clock.iso(), {
    ...about,
    query: request.queryText,
    headers: request.headers,
    body: request.method === "PUT" ? new Uint8Array() : request.body,
    secret: true,
  });
  return await respondUnderFaults(parts.faults.choose({ ...about, host: undefined }), entry, {
    wait: (seconds) => parts.sleep(seconds * 1000),
    act: () => serve(request, parts),
  });
}

async function serve(request: IncomingRequest, parts: FileHostParts): Promise<HttpResponse> {
  const { state, clock, files } = parts;
  if (!["GET", "PUT"].includes(request.method)) return emptyResponse(405, { allow: "GET, PUT" });
  const foreign = Object.keys(request.headers).find((name) => isAuthorization(name, parts.wire));
  if (foreign !== undefined) {
    return problem(
      400,
      "InvalidArgument",
      "Only one auth mechanism allowed; only the signature of the address should be specified",
    );
  }
  const name = request.path.slice("/files/".length);
  const expiresAt = files.expiryOf(name, request.query);
  if (expiresAt === undefined) {
    return problem(403, "SignatureDoesNotMatch", "The signature of the address is invalid");
  }
  if (clock.now() >= expiresAt) return problem(403, "AccessDenied", "Request has expired");
  const [profileId = "", file = ""] = name.split("/");
  const profile = state.profile(profileId);
  const id = file.split(".")[0]!;
  const now = clock.now();
  if (request.method === "PUT") return put(request, { profile, id, ending: file.split(".")[1] ?? "" });
  const rows = profile &&
    (reportFile(profile, id, { seed: state.seed, now }) ?? exportFile(profile, id, now) ??
      freeReportFile(profile, id, { state, now }) ?? executionFile(profile, id, { seed: state.seed, now }) ??
      longJobFile(profile, id, { seed: state.seed, now }));
  if (rows === undefined) return problem(404, "NoSuchKey", "The specified key does not exist");
  try {
    const { bytes } = await files.file(id, rows);
    return rawResponse(200, bytes, { type: "binary/octet-stream" });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return problem(500, "InternalError", `Cannot make the file ${id}: ${reason.replace(/[<>&]/g, " ")}`);
  }
}

/** An address is signed for a file of one ending, and only those of uploads are signed for writing. */
function put(
  { body, mediaType, tooLarge }: IncomingRequest,
  { profile, id, ending }: { profile: ProfileState | undefined; id: string; ending: string },
): HttpResponse {
  if (profile === undefined || !id.startsWith("upload-")) {
    return problem(403, "AccessDenied", "The address is not signed for this method");
  }
  if (tooLarge) return problem(400, "EntityTooLarge", "The file is too large");
  const reason = putFile(profile, { id, ending, mediaType, bytes: body });
  return reason === undefined ? emptyResponse(200) : problem(403, "SignatureDoesNotMatch", reason);
}

function isAuthorization(header: string, wire: WireNames): boolean {
  return header === "authorization" || header.includes("advertising-api") ||
    header.startsWith(`${wire.word}-`);
}

function problem(status: number, code: string, message: string): HttpResponse {
  const body =
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return rawResponse(status, body, { type: "application/xml" });
}
