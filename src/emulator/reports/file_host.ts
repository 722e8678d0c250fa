import { type Answer, emptyAnswer, rawAnswer } from "../answer.ts";
import type { Clock } from "../clock.ts";
import type { IncomingRequest } from "../incoming_request.ts";
import type { EmulatorState } from "../state/emulator_state.ts";
import type { ReportFiles } from "./report_files.ts";
import { asReport, statusOf } from "./report_record.ts";

/** Name of the operation by which fault rules and the journal know the fetching of a report's file. */
export const FILE_OPERATION = "files:getReportFile";

/** What the file host works with. */
export interface FileHostParts {
  /** Memory. */
  readonly state: EmulatorState;
  /** Time. */
  readonly clock: Clock;
  /** Files. */
  readonly reportFiles: ReportFiles;
}

/** The profile whose file a path names. */
export function profileOfFile(path: string): string | undefined {
  return /^\/files\/(\d+)\//.exec(path)?.[1];
}

/**
 * Answers as the host of report files does: it is another host than the API's, takes the signed address and nothing
 * else, and refuses whoever sends an authorization of its own.
 */
export async function answerFileRequest(request: IncomingRequest, parts: FileHostParts): Promise<Answer> {
  const { state, clock, reportFiles } = parts;
  if (request.method !== "GET") return emptyAnswer(405, { allow: "GET" });
  const foreign = Object.keys(request.headers).find(isAuthorization);
  if (foreign !== undefined) {
    return problem(
      400,
      "InvalidArgument",
      "Only one auth mechanism allowed; only the signature of the address should be specified",
    );
  }
  const name = request.path.slice("/files/".length);
  const expiresAt = reportFiles.expiryOf(name, request.query);
  if (expiresAt === undefined) {
    return problem(403, "SignatureDoesNotMatch", "The signature of the address is not right");
  }
  if (clock.now() >= expiresAt) return problem(403, "AccessDenied", "Request has expired");
  const [profileId = "", file = ""] = name.split("/");
  const profile = state.profile(profileId);
  const report = profile?.collection("reports").get(file.split(".")[0]!);
  if (
    profile === undefined || report === undefined || statusOf(asReport(report), clock.now()) !== "COMPLETED"
  ) {
    return problem(404, "NoSuchKey", "The specified key does not exist");
  }
  const { bytes } = await reportFiles.file(profile, asReport(report));
  return rawAnswer(200, bytes, { type: "binary/octet-stream" });
}

function isAuthorization(header: string): boolean {
  return header === "authorization" || header.includes("advertising-api") || header.startsWith("platform-");
}

function problem(status: number, code: string, message: string): Answer {
  const body =
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return rawAnswer(status, body, { type: "application/xml" });
}
