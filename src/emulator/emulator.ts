import type { Credentials } from "../connection/credentials.ts";
import type { Platform } from "../connection/platform.ts";
import { type Answer, jsonAnswer } from "./answer.ts";
import { answerApiRequest, type ApiParts } from "./api.ts";
import { accountOf } from "./auth/account.ts";
import { answerConsentRequest } from "./auth/consent_page.ts";
import { answerTokenRequest } from "./auth/token_endpoint.ts";
import { Tokens } from "./auth/tokens.ts";
import { Clock } from "./clock.ts";
import type { ApiHost } from "./context.ts";
import { answerControlRequest } from "./control.ts";
import { answerUnderFaults, type Reply } from "./faults/answer_under_faults.ts";
import { FaultEngine } from "./faults/fault_engine.ts";
import type { FaultRule } from "./faults/fault_rule.ts";
import { type HttpServer, startHttpServer } from "./http_server.ts";
import type { IncomingRequest } from "./incoming_request.ts";
import { Journal, type JournalEntry } from "./journal.ts";
import { knownOperation } from "./known_operations.ts";
import type { EmulatorOptions } from "./options.ts";
import { DEFAULT_QUIRKS } from "./quirks.ts";
import { answerFileRequest, FILE_OPERATION, profileOfFile } from "./reports/file_host.ts";
import { ReportFiles } from "./reports/report_files.ts";
import { Router } from "./router.ts";
import { ROUTES } from "./routes/all.ts";
import { EmulatorState } from "./state/emulator_state.ts";

const HOSTS: Readonly<Record<string, ApiHost>> = { na: "NA", eu: "EU", fe: "FE", sandbox: "SANDBOX" };

/**
 * The platform on your machine: one loopback port with three regional hosts, a token endpoint, a consent page and a
 * demo account that remembers what you do to it.
 *
 * @example
 * ```ts
 * import { Emulator } from "@platform/ads/emulator";
 *
 * const emulator = await Emulator.start({ clock: { now: "2026-09-30T12:00:00Z", frozen: true } });
 * console.log(emulator.platform.regions.NA?.baseUrl);
 * await emulator.stop();
 * ```
 */
export class Emulator {
  /** Address of the emulator, without a slash at the end. */
  readonly url: string;
  /** Settings for a client. */
  readonly platform: Platform;
  /** Credentials for a client. */
  readonly credentials: Credentials;
  readonly #server: HttpServer;
  readonly #parts: ApiParts;
  readonly #startFaults: readonly FaultRule[];

  private constructor(server: HttpServer, parts: ApiParts, options: EmulatorOptions) {
    this.url = parts.url;
    this.platform = platformAt(parts.url);
    this.credentials = parts.account.credentials;
    this.#server = server;
    this.#parts = parts;
    this.#startFaults = options.faults ?? [];
  }

  /**
   * Starts an emulator.
   *
   * @throws {EmulatorStateError} when the state file cannot be used; an `Error` when the port is taken.
   */
  static async start(options: EmulatorOptions = {}): Promise<Emulator> {
    const seed = options.seed ?? "demo";
    const clock = new Clock(options.clock);
    const { statePath } = options;
    const state = new EmulatorState({ seed, clock, ...(statePath === undefined ? {} : { statePath }) });
    const account = accountOf(seed);
    const faults = new FaultEngine(seed);
    faults.setRules(options.faults ?? []);
    const router = new Router(ROUTES);
    const server = await startHttpServer(options.port ?? 0, (request) => emulator.#answer(request));
    const url = `http://127.0.0.1:${server.port}`;
    const quirks = { ...DEFAULT_QUIRKS, ...options.quirks };
    const emulator: Emulator = new Emulator(server, {
      router,
      knownOperation,
      state,
      clock,
      faults,
      journal: new Journal(options.journalLimit ?? 10_000),
      tokens: new Tokens(account, { state, clock }),
      account,
      quirks,
      reportFiles: new ReportFiles({ seed, key: account.key, url, quirks }),
      url,
      sleep: options.sleep ?? ((milliseconds) => new Promise((done) => setTimeout(done, milliseconds))),
    }, options);
    return emulator;
  }

  /** Stops listening and cuts every connection. */
  async stop(): Promise<void> {
    this.#parts.state.save();
    await this.#server.close();
  }

  /** Forgets changes and requests, and puts back the faults it was started with. Clock and tokens stay. */
  reset(): void {
    this.#parts.state.reset();
    this.#parts.journal.clear();
    this.#parts.faults.setRules(this.#startFaults);
  }

  /** The journal: the newest requests, oldest first. */
  requests(): readonly JournalEntry[] {
    return this.#parts.journal.entries();
  }

  /** Moves the clock forward. */
  advance(seconds: number): void {
    this.#parts.clock.advance(seconds);
    this.#parts.state.touch();
  }

  /** Puts these fault rules in place of all others. */
  setFaults(rules: readonly FaultRule[]): void {
    this.#parts.faults.setRules(rules);
  }

  /** Makes every access token that was issued until now expire. */
  expireTokens(): void {
    this.#parts.state.expireTokens();
  }

  /** The clock. */
  get clock(): Clock {
    return this.#parts.clock;
  }

  /** Everything it remembers, for tests to look at and to prepare. */
  get state(): EmulatorState {
    return this.#parts.state;
  }

  async #answer(request: IncomingRequest): Promise<Reply> {
    const [, first = "", ...rest] = request.path.split("/");
    const host = Object.hasOwn(HOSTS, first) ? HOSTS[first] : undefined;
    try {
      if (host !== undefined) {
        return await answerApiRequest(request, { host, path: `/${rest.join("/")}` }, this.#parts);
      }
      if (first === "_emulator") return { answer: this.#control(request, rest.join("/")) };
      return first === "files" ? await this.#file(request) : { answer: this.#identity(request) };
    } catch (problem) {
      const message = problem instanceof Error ? problem.message : String(problem);
      return {
        answer: jsonAnswer(500, { code: "INTERNAL_ERROR", message: `The emulator failed: ${message}` }),
      };
    }
  }

  #control(request: IncomingRequest, name: string): Answer {
    const { platform, credentials } = this;
    this.#parts.state.refresh();
    return answerControlRequest(request, name, {
      ...this.#parts,
      platform,
      credentials,
      reset: () => this.reset(),
    });
  }

  async #file(request: IncomingRequest): Promise<Reply> {
    const parts = this.#parts;
    parts.state.refresh();
    const { method, path } = request;
    const about = { method, path, operation: FILE_OPERATION, profileId: profileOfFile(path) };
    const entry = parts.journal.add(parts.clock.iso(), {
      ...about,
      query: request.queryText,
      headers: request.headers,
      body: request.body,
      secret: true,
    });
    return await answerUnderFaults(parts.faults.choose({ ...about, host: undefined }), entry, {
      wait: (seconds) => parts.sleep(seconds * 1000),
      act: () => answerFileRequest(request, parts),
    });
  }

  #identity(request: IncomingRequest): Answer {
    const parts = this.#parts;
    parts.state.refresh();
    const entry = parts.journal.add(parts.clock.iso(), {
      method: request.method,
      path: request.path,
      query: request.queryText,
      headers: request.headers,
      body: request.body,
      secret: true,
    });
    const answer = request.path === "/auth/token"
      ? answerTokenRequest(request, parts)
      : request.path === "/auth/consent"
      ? answerConsentRequest(request, parts)
      : jsonAnswer(404, {
        message: `Nothing is served at "${request.path.slice(0, 200)}". Try /_emulator/settings`,
      });
    parts.state.save();
    entry.status = answer.status;
    return answer;
  }
}

function platformAt(url: string): Platform {
  return {
    regions: { NA: { baseUrl: `${url}/na` }, EU: { baseUrl: `${url}/eu` }, FE: { baseUrl: `${url}/fe` } },
    tokenUrl: `${url}/auth/token`,
    authorizeUrl: `${url}/auth/consent`,
    sandboxUrl: `${url}/sandbox`,
    mcpUrl: `${url}/mcp`,
    headers: {
      clientId: "Platform-Advertising-API-ClientId",
      scope: "Platform-Advertising-API-Scope",
      requestId: "x-platform-request-id",
    },
    wireWord: "platform",
  };
}
