import { type Answer, emptyAnswer, rawAnswer } from "../answer.ts";
import type { Clock } from "../clock.ts";
import type { IncomingRequest } from "../incoming_request.ts";
import { answerUnderFaults, type Reply } from "../faults/answer_under_faults.ts";
import type { FaultEngine } from "../faults/fault_engine.ts";
import type { Journal } from "../journal.ts";
import type { WireNames } from "../wire_names.ts";
import type { EmulatorState } from "../state/emulator_state.ts";
import { fileRows } from "./file_rows.ts";
import type { FileStore } from "./file_store.ts";

/** Name by which fault rules and the journal know the fetching of a file. */
const FILE_OPERATION = "files:getFile";

/** What the file host works with. */
export interface FileHostParts {
  /** Journal. */
  readonly journal: Journal;
  /** Faults. */
  readonly faults: FaultEngine;
  /** Names of headers. */
  readonly wire: WireNames;
  /** Waits so many milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Memory. */
  readonly state: EmulatorState;
  /** Time. */
  readonly clock: Clock;
  /** Files. */
  readonly files: FileStore;
}

/**
 * Answers as the host of report files does: it is another host than the API's, takes the signed address and nothing
 * else, and refuses whoever sends an authorization of its own.
 */
export async function answerFileRequest(request: IncomingRequest, parts: FileHostParts): Promise<Reply> {
  parts.state.refresh();
  const { method, path } = request;
  const profileId = /^\/files\/(\d+)\//.exec(path)?.[1];
  const about = { method, path, operation: FILE_OPERATION, profileId };
  const entry = parts.journal.add(parts.clock.iso(), {
    ...about,
    query: request.queryText,
    headers: request.headers,
    body: request.body,
    secret: true,
  });
  return await answerUnderFaults(parts.faults.choose({ ...about, host: undefined }), entry, {
    wait: (seconds) => parts.sleep(seconds * 1000),
    act: () => serve(request, parts),
  });
}

async function serve(request: IncomingRequest, parts: FileHostParts): Promise<Answer> {
  const { state, clock, files } = parts;
  if (request.method !== "GET") return emptyAnswer(405, { allow: "GET" });
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
    return problem(403, "SignatureDoesNotMatch", "The signature of the address is not right");
  }
  if (clock.now() >= expiresAt) return problem(403, "AccessDenied", "Request has expired");
  const [profileId = "", file = ""] = name.split("/");
  const profile = state.profile(profileId);
  const id = file.split(".")[0]!;
  const rows = profile && fileRows(profile, id, { seed: state.seed, now: clock.now() });
  if (rows === undefined) return problem(404, "NoSuchKey", "The specified key does not exist");
  const { bytes } = await files.file(id, rows);
  return rawAnswer(200, bytes, { type: "binary/octet-stream" });
}

function isAuthorization(header: string, wire: WireNames): boolean {
  return header === "authorization" || header.includes("advertising-api") ||
    header.startsWith(`${wire.word}-`);
}

function problem(status: number, code: string, message: string): Answer {
  const body =
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return rawAnswer(status, body, { type: "application/xml" });
}
