import type { Credentials } from "../../platform/connection/credentials.ts";
import type { Platform } from "../../platform/connection/platform.ts";
import type { Clock } from "../core/clock.ts";
import { isObject, type Json, parseJson, writeJson } from "../core/json.ts";
import { parseQuirks, type Quirks } from "../core/quirks.ts";
import type { FaultEngine } from "../faults/fault_engine.ts";
import type { FaultRule } from "../faults/fault_rule.ts";
import { parseFaultRules } from "../faults/parse_fault_rules.ts";
import { emptyResponse, type HttpResponse, jsonResponse, rawResponse } from "../http/http_response.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import type { Journal, JournalEntry } from "../http/journal.ts";
import { WireNames } from "../routing/wire_names.ts";
import type { EmulatorState } from "../state/emulator_state.ts";
import { EmulatorStateError } from "../state/state_file.ts";

interface ControlledEmulator {
  readonly platform: Platform;
  readonly credentials: Credentials;
  reset(): void;
  setFaults(faults: readonly FaultRule[], options: { keep: boolean }): void;
  setQuirks(quirks: Partial<Quirks>): void;
  snapshot(): string;
  restore(snapshot: string): void;
}

interface ControlParts {
  readonly emulator: ControlledEmulator;
  readonly clock: Clock;
  readonly faults: FaultEngine;
  readonly journal: Journal;
  readonly state: EmulatorState;
  readonly quirks: Quirks;
  readonly allowOrigins: readonly string[];
}

const JOURNAL_FILTERS = ["after", "operation", "method", "path", "profileId", "region", "status", "bodyHash"];

type Action = (body: Json | undefined, parts: ControlParts, query: URLSearchParams) => unknown;

const ACTIONS: Readonly<Record<string, Action>> = {
  "GET settings": (_body, { emulator: { platform, credentials } }) => ({ platform, credentials }),
  "GET clock": (_body, { clock }) => clockView(clock),
  "POST clock": moveClock,
  "GET faults": (_body, parts) => faultView(parts),
  "POST faults": setFaults,
  "GET quirks": (_body, { quirks }) => quirks,
  "POST quirks": (body, { emulator, quirks }) => {
    emulator.setQuirks(parseQuirks(body));
    return quirks;
  },
  "GET snapshot": (_body, { emulator }) => JSON.parse(emulator.snapshot()),
  "POST snapshot": (body, { emulator, clock }) => {
    emulator.restore(writeJson(body ?? null));
    return clockView(clock);
  },
  "GET requests": (_body, { journal }, query) => ({ requests: chosen(journal.entries(), query) }),
  "DELETE requests": (_body, { journal }) => {
    journal.clear();
    return { requests: [] };
  },
  "POST reset": (_body, { emulator }) => {
    emulator.reset();
    return { reset: true };
  },
};

export function handleControlRequest(
  request: IncomingRequest,
  name: string,
  parts: ControlParts,
): HttpResponse {
  const { origin } = request.headers;
  if (origin !== undefined && !parts.allowOrigins.includes(origin)) {
    // A browser sends some requests for any page without asking; none of them may change anything here.
    return jsonResponse(403, {
      message:
        `Cannot respond to web pages of "${origin}". Start the emulator with "allowOrigins" to allow them`,
    });
  }
  const { platform, credentials } = parts.emulator;
  const file = request.method === "GET" ? settingsFile(name, { platform, credentials }) : undefined;
  if (file !== undefined) return rawResponse(200, file.text, { type: file.type });
  const action = Object.hasOwn(ACTIONS, `${request.method} ${name}`)
    ? ACTIONS[`${request.method} ${name}`]
    : undefined;
  if (action === undefined) return unknownControl(request.method, name);
  if (request.tooLarge) return emptyResponse(413);
  try {
    return jsonResponse(200, action(bodyOf(request), parts, request.query));
  } catch (problem) {
    if (problem instanceof RangeError || problem instanceof EmulatorStateError) {
      return jsonResponse(400, { message: problem.message });
    }
    throw problem;
  }
}

function bodyOf(request: IncomingRequest): Json | undefined {
  const text = request.text();
  if (text.trim() === "") return undefined;
  try {
    return parseJson(text);
  } catch (problem) {
    throw new RangeError(`Cannot read the body: it is not JSON (${(problem as Error).message})`);
  }
}

function unknownControl(method: string, name: string): HttpResponse {
  const known = Object.keys(ACTIONS);
  const methods = known.filter((key) => key.endsWith(` ${name}`)).map((key) => key.split(" ")[0]);
  if (methods.length > 0) {
    const allow = methods.join(", ");
    const message = `Cannot ${method} "/_emulator/${name}". It takes ${methods.join(" and ")}`;
    return jsonResponse(405, { message }, { headers: { allow } });
  }
  return jsonResponse(404, {
    message: `Cannot ${method} "/_emulator/${name}". Expected one of ${known.join(", ")}`,
  });
}

function setFaults(body: Json | undefined, parts: ControlParts): unknown {
  const keep = isObject(body) && body.keep === true;
  parts.emulator.setFaults(parseFaultRules(body), { keep });
  return faultView(parts);
}

function faultView({ faults }: ControlParts): unknown {
  return { rules: faults.report(), kept: faults.kept };
}

function chosen(entries: readonly JournalEntry[], query: URLSearchParams): readonly JournalEntry[] {
  const unknown = [...query.keys()].find((name) => !JOURNAL_FILTERS.includes(name));
  if (unknown !== undefined) {
    throw new RangeError(
      `Cannot filter requests by "${unknown}". Expected one of ${JOURNAL_FILTERS.join(", ")}`,
    );
  }
  return entries.filter((entry) =>
    [...query].every(([name, value]) =>
      name === "after"
        ? entry.number > Number(value)
        : name === "operation"
        ? entry.operation === value || entry.operation?.endsWith(`:${value}`)
        : String(entry[name as "method" | "status"] ?? "") === value
    )
  );
}

function moveClock(body: Json | undefined, { clock, state }: ControlParts): unknown {
  if (!isObject(body)) {
    throw new RangeError(`Cannot move the clock: expected {"advance": seconds} or {"now": "..."}`);
  }
  const unknown = Object.keys(body).find((name) => !["advance", "now", "frozen"].includes(name));
  if (unknown !== undefined) throw new RangeError(`Cannot move the clock: the field "${unknown}" is unknown`);
  const { now, advance = 0, frozen } = body;
  if (typeof advance !== "number" || !Number.isFinite(advance)) {
    throw new RangeError('Cannot move the clock: "advance" is not a number of seconds');
  }
  if (frozen !== undefined && typeof frozen !== "boolean") {
    throw new RangeError('Cannot move the clock: "frozen" is not true or false');
  }
  const before = clock.toRecord();
  try {
    if (now !== undefined) clock.set(String(now));
    clock.advance(advance);
  } catch (problem) {
    clock.restore(before);
    throw problem;
  }
  if (frozen === true) clock.freeze();
  if (frozen === false) clock.thaw();
  state.touch();
  state.save();
  return clockView(clock);
}

function clockView(clock: Clock): { now: string; frozen: boolean } {
  return { now: clock.iso(), frozen: clock.toRecord().frozenAt !== undefined };
}

interface ClientSettings {
  readonly platform: Platform;
  readonly credentials: Credentials;
}

const SETTINGS_FORMS: Readonly<
  Record<string, { readonly type: string; readonly write: (settings: ClientSettings) => string }>
> = {
  json: { type: "application/json", write: (settings) => `${JSON.stringify(settings, null, 2)}\n` },
  env: { type: "text/plain; charset=utf-8", write: dotenv },
  py: { type: "text/x-python; charset=utf-8", write: python },
  ts: { type: "text/plain; charset=utf-8", write: typescript },
};

/**
 * Supports `settings.env`, `settings.py`, `settings.ts` and `settings.json`.
 *
 * @returns `undefined` for any other name.
 */
function settingsFile(
  name: string,
  settings: ClientSettings,
): { readonly type: string; readonly text: string } | undefined {
  const ending = /^settings\.(\w+)$/.exec(name)?.[1] ?? "";
  const form = Object.hasOwn(SETTINGS_FORMS, ending) ? SETTINGS_FORMS[ending]! : undefined;
  return form === undefined ? undefined : { type: form.type, text: form.write(settings) };
}

function dotenv(settings: ClientSettings): string {
  return Object.entries(variables(settings)).map(([name, value]) => `${name}="${value}"\n`).join("");
}

function python(settings: ClientSettings): string {
  const lines = Object.entries(variables(settings)).map(([name, value]) =>
    `${name.replace(/^PLATFORM_ADS_/, "")} = ${JSON.stringify(value)}\n`
  );
  return `"""Settings of a platform emulator."""\n\n${lines.join("")}`;
}

function typescript({ platform, credentials }: ClientSettings): string {
  const text = (value: unknown) => JSON.stringify(value, null, 2);
  return `// Settings of a platform emulator.\n` +
    `export const platform = ${text(platform)} as const;\n\n` +
    `export const credentials = ${text(credentials)} as const;\n`;
}

function variables({ platform, credentials }: ClientSettings): Record<string, string> {
  const hosts = Object.entries(platform.regions).map(([region, { baseUrl }]) => [
    `PLATFORM_ADS_BASE_URL_${region}`,
    baseUrl,
  ]);
  const wire = new WireNames(platform.wireWord);
  return {
    ...Object.fromEntries(hosts),
    PLATFORM_ADS_TOKEN_URL: platform.tokenUrl,
    PLATFORM_ADS_AUTHORIZE_URL: platform.authorizeUrl ?? "",
    PLATFORM_ADS_SANDBOX_URL: platform.sandboxUrl ?? "",
    PLATFORM_ADS_MCP_URL: platform.mcpUrl ?? "",
    PLATFORM_ADS_WIRE_WORD: platform.wireWord,
    PLATFORM_ADS_CLIENT_ID_HEADER: wire.spell(platform.headers.clientId),
    PLATFORM_ADS_SCOPE_HEADER: wire.spell(platform.headers.scope),
    PLATFORM_ADS_CLIENT_ID: credentials.clientId,
    PLATFORM_ADS_CLIENT_SECRET: credentials.clientSecret,
    PLATFORM_ADS_REFRESH_TOKEN: credentials.refreshToken,
  };
}
