import type { Platform } from "../platform/connection/platform.ts";
import { WireNames } from "./routing/wire_names.ts";
import type { Credentials } from "../platform/connection/credentials.ts";
import { emptyResponse, type HttpResponse, jsonResponse, type Reply } from "./http/http_response.ts";
import { type ApiParts, handleApiRequest } from "./hosts/api_host.ts";
import { accountOf, Tokens } from "./state/tokens.ts";
import { handleIdentityRequest } from "./hosts/identity_host.ts";
import { Clock } from "./core/clock.ts";
import { loadedOnce } from "./core/loaded_once.ts";
import type { ApiHost } from "./core/marketplaces.ts";

import { FaultEngine } from "./faults/fault_engine.ts";
import type { FaultProfileName } from "./faults/fault_profiles.ts";
import type { FaultRule } from "./faults/fault_rule.ts";
import { type FaultFile, parseFaultRules, readFaultFile } from "./faults/parse_fault_rules.ts";
import { FileStore } from "./state/file_store.ts";
import type { HttpServer } from "./http/http_server.ts";
import { IncomingRequest } from "./http/incoming_request.ts";
import { asResponse, checkedBody, hasLargeHeaders, unlessAborted } from "./http/in_process.ts";
import { Journal, type JournalEntry } from "./http/journal.ts";
import { KnownOperations } from "./routing/known_operations.ts";
import { QUEUE_CREDENTIALS } from "./hosts/check_signature.ts";
import type { Streams } from "./families/streams/streams.ts";
import { leaveOutSecrets, Recorder } from "./hosts/recorder.ts";
import type { EmulatorOptions } from "./state/emulator_options.ts";
import { RequestLimits } from "./hosts/request_limits.ts";
import { DEFAULT_QUIRKS, type Quirks } from "./core/quirks.ts";
import { demoAccount } from "./families/demo_account.ts";
import type { GeneralOperations } from "./families/general/general_operations.ts";
import { ServedRoutes } from "./families/routes.ts";
import { EmulatorState } from "./state/emulator_state.ts";
import { EmulatorStateError } from "./state/state_file.ts";

/** A queue of the emulator, with the credentials that sign its requests. */
export interface QueueSettings {
  /** Base URL of requests. */
  readonly url: string;
  /** Name of the queue in a subscription. */
  readonly arn: string;
  /** Public part of the key. */
  readonly accessKeyId: string;
  /** Secret key that signs requests. */
  readonly secretAccessKey: string;
}

/** Names and keys of a delivery stream and its bucket. */
export interface DeliveryStreamSettings {
  /** Name of the delivery stream in a subscription. */
  readonly deliveryStreamArn: string;
  /** Role that writes to the delivery stream. */
  readonly subscriptionRoleArn: string;
  /** Role that subscribes the stream. */
  readonly subscriberRoleArn: string;
  /** Bucket: `s3://NAME`. */
  readonly address: string;
  /** Endpoint of the bucket. */
  readonly endpoint: string;
  /** Public part of the key. */
  readonly accessKeyId: string;
  /** Secret key that signs requests. */
  readonly secretAccessKey: string;
}

const NO_SERVER: HttpServer = { url: "http://127.0.0.1:0", close: () => Promise.resolve() };

const HOSTS: Readonly<Record<string, ApiHost>> = { na: "NA", eu: "EU", fe: "FE", sandbox: "SANDBOX" };

/**
 * The platform on your machine: one loopback port with three regional hosts, a token endpoint, a consent page and a
 * stateful demo account.
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
  /** URL of the emulator, without a trailing slash. */
  readonly url: string;
  /** Settings for a client. */
  readonly platform: Platform;
  /** Credentials for a client. */
  readonly credentials: Credentials;
  readonly #server: HttpServer;
  readonly #parts: ApiParts;
  #streams: Streams | undefined;
  readonly #startFaults: readonly FaultRule[];
  readonly #allowOrigins: readonly string[];

  private constructor(
    server: HttpServer,
    parts: ApiParts,
    start: {
      startFaults: readonly FaultRule[];
      allowOrigins: readonly string[];
      rehearsal: string | undefined;
    },
  ) {
    this.url = parts.url;
    this.platform = {
      ...platformAt(parts.url, parts.wire),
      ...(start.rehearsal === undefined ? {} : { rehearsal: start.rehearsal }),
    };
    this.credentials = parts.account.credentials;
    this.#server = server;
    this.#parts = parts;
    this.#startFaults = start.startFaults;
    this.#allowOrigins = start.allowOrigins;
  }

  /**
   * Starts an emulator.
   *
   * @throws {EmulatorStateError} when the state file cannot be used, {@linkcode RangeError} for options that cannot be,
   * an `Error` when the port is taken.
   */
  static async start(options: EmulatorOptions = {}): Promise<Emulator> {
    checkPublicUrl(options.publicUrl);
    const seed = options.seed ?? "demo";
    const wire = new WireNames(options.wireWord);
    const file: FaultFile = options.faultFile === undefined
      ? { rules: [], quirks: {} }
      : readFaultFile(options.faultFile);
    const startFaults = [...parseFaultRules(options.faults ?? []), ...file.rules];
    const quirks = { ...DEFAULT_QUIRKS, ...file.quirks, ...options.quirks };
    const clock = new Clock(options.clock);
    const { statePath } = options;
    const state = new EmulatorState({
      seed,
      clock,
      demo: options.account === undefined
        ? demoAccount(options)
        : (await import("./families/copied_account.ts")).copiedAccount(options.account),
      ...(statePath === undefined ? {} : { statePath }),
    });
    const faults = new FaultEngine(seed);
    if (options.faults === undefined && options.faultFile === undefined && state.faults !== undefined) {
      faults.resume(state.faults);
    } else faults.setRules(startFaults);
    const account = accountOf(seed);
    const recorder = options.recordTo === undefined
      ? undefined
      : new Recorder(options.recordTo, leaveOutSecrets(account.credentials));
    const server = options.listen === false
      ? NO_SERVER
      : await (await import("./http/http_server.ts")).startHttpServer(
        options,
        (request) => emulator.#respond(request),
      );
    const url = (options.publicUrl ?? server.url).replace(/\/+$/, "");
    const emulator: Emulator = new Emulator(server, {
      routes: new ServedRoutes(wire),
      knownOperations: new KnownOperations(wire),
      general: loadedOnce(() => generalOperations(wire)),
      state,
      clock,
      faults,
      limits: new RequestLimits(seed, clock),
      journal: new Journal(options.journalLimit ?? 10_000, leaveOutSecrets(account.credentials)),
      tokens: new Tokens(account, { state, clock }),
      account,
      quirks,
      files: new FileStore({ key: account.key, url, quirks }),
      wire,
      recorder,
      url,
      sleep: options.sleep ?? ((milliseconds) => new Promise((done) => setTimeout(done, milliseconds))),
    }, { startFaults, allowOrigins: options.allowOrigins ?? [], rehearsal: options.account?.takenAt });
    return emulator;
  }

  /** Writes the state file for the last time, stops listening and cuts every connection. */
  async stop(): Promise<void> {
    try {
      this.#parts.state.close();
    } finally {
      await this.#server.close();
    }
  }

  /**
   * Handles a request within this process, without a socket. Serves as the `fetch` of a client in tests that decide
   * when each request arrives, and with an emulator started with `listen: false`. Redirects are not followed, and the
   * `date` header tells the emulator's time.
   *
   * @throws {TypeError} where the platform would have cut the connection, as `fetch` does, and the reason of an aborted
   * signal.
   */
  async fetch(input: Request | string | URL, init?: RequestInit): Promise<Response> {
    const sent = new Request(input, init);
    const { method, signal } = sent;
    const { host, pathname, search } = new URL(sent.url);
    const target = pathname + search;
    const headers = { host, ...Object.fromEntries(sent.headers) };
    const reply = hasLargeHeaders(target, headers)
      ? { response: emptyResponse(431) }
      : await unlessAborted(async () => {
        const body = checkedBody(new Uint8Array(await sent.arrayBuffer()), pathname);
        signal.throwIfAborted();
        return await this.#respond(new IncomingRequest({ method, target, headers, ...body }));
      }, signal);
    return asResponse(reply, { method, now: this.clock.now() });
  }

  /** Discards changes and recorded requests, and restores the initial faults. Clock and tokens stay. */
  reset(): void {
    const { state, journal, files } = this.#parts;
    this.setFaults(this.#startFaults);
    state.reset();
    this.#streams?.forget();
    files.forget();
    journal.clear();
  }

  /** Returns the journal: the most recent requests, oldest first. */
  requests(): readonly JournalEntry[] {
    return this.#parts.journal.entries();
  }

  /** Moves the clock forward. */
  advance(seconds: number): void {
    this.#parts.clock.advance(seconds);
    this.#parts.state.touch();
    this.#parts.state.save();
  }

  /**
   * Replaces all fault rules with the given rules, or with those of a named set. `{ profile, rules }` combines both.
   *
   * @param options `keep`: whether the state file keeps them for the next emulator that is started on it.
   * @throws {RangeError} that lists unknown fields, invalid values, and rules that match no request; the rules stay as
   * they were.
   */
  setFaults(
    faults: readonly FaultRule[] | FaultProfileName | {
      readonly profile?: FaultProfileName;
      readonly rules?: readonly FaultRule[];
    },
    options: { keep?: boolean } = {},
  ): void {
    const { faults: engine, state } = this.#parts;
    engine.setRules(parseFaultRules(faults), options);
    state.keepFaults(engine.kept ? engine.report() : undefined);
    state.save();
  }

  /** Changes quirks of the platform, from the next request on. */
  setQuirks(quirks: Partial<Quirks>): void {
    Object.assign(this.#parts.quirks, quirks);
    this.#parts.files.forget();
  }

  /** Expires every access token issued so far. */
  expireTokens(): void {
    this.#parts.state.expireTokens();
  }

  /** The complete state as text, for {@linkcode Emulator.restore}. */
  snapshot(): string {
    return this.#parts.state.snapshot();
  }

  /**
   * Restores a {@linkcode Emulator.snapshot}: entities, history, reports, clock and tokens. Journal and faults stay.
   *
   * @throws {EmulatorStateError} for text that is not a snapshot, or a snapshot of another seed; nothing is changed
   * then.
   */
  restore(snapshot: string): void {
    this.#parts.state.takeOver(snapshot);
    this.#streams?.forget();
    this.#parts.files.forget();
  }

  /**
   * Records every further exchange with the API hosts in a folder, one JSON file each, with allow-listed headers only
   * and without tokens; `undefined` stops it.
   */
  record(folder: string | undefined): void {
    this.#parts.recorder = folder === undefined
      ? undefined
      : new Recorder(folder, leaveOutSecrets(this.credentials));
  }

  /** The emulator's clock. */
  get clock(): Clock {
    return this.#parts.clock;
  }

  /** The emulator's state, for tests to inspect and prepare. */
  get state(): EmulatorState {
    return this.#parts.state;
  }

  /**
   * Returns a queue for the hourly stream: its URL, its ARN for subscriptions, and the keys that sign its requests.
   * Every name has a queue.
   *
   * @param name Letters, digits, `-` and `_`.
   */
  queue(name = "hourly"): QueueSettings {
    const account = "000000000000";
    return {
      url: `${this.url}/queue/${account}/${name}`,
      arn: `arn:aws:sqs:us-east-1:${account}:${name}`,
      ...QUEUE_CREDENTIALS,
    };
  }

  /**
   * Returns a delivery stream for the hourly stream, and the bucket that it writes to: `s3://NAME`, with the endpoint
   * and keys for its requests. Every name has one.
   *
   * @param name Letters, digits, `-` and `_`.
   */
  deliveryStream(name = "hourly"): DeliveryStreamSettings {
    const account = "000000000000";
    const role = (use: string): string => `arn:aws:iam::${account}:role/${name}-${use}`;
    return {
      deliveryStreamArn: `arn:aws:firehose:us-east-1:${account}:deliverystream/${name}`,
      subscriptionRoleArn: role("subscription"),
      subscriberRoleArn: role("subscriber"),
      address: `s3://${name}`,
      endpoint: `${this.url}/bucket`,
      ...QUEUE_CREDENTIALS,
    };
  }

  /**
   * Writes everything delivered so far by a delivery stream to a folder, in the same files as in its bucket.
   *
   * @returns how many files were written that were not there yet.
   */
  async deliver(folder: string, name = "hourly"): Promise<number> {
    const streams = await this.#openStreams();
    streams.publish();
    return await streams.objects.write(name, folder);
  }

  async #respond(request: IncomingRequest): Promise<Reply> {
    const [, first = "", ...rest] = request.path.split("/");
    const host = Object.hasOwn(HOSTS, first) ? HOSTS[first] : undefined;
    try {
      if (host !== undefined) {
        return await handleApiRequest(request, { host, path: `/${rest.join("/")}` }, this.#parts);
      }
      if (first === "queue") return await this.#respondAsQueue(request);
      if (first === "bucket") {
        const { handleBucketRequest } = await import("./hosts/bucket_host.ts");
        return await handleBucketRequest(request, { ...this.#parts, streams: await this.#openStreams() });
      }
      if (first === "_emulator") return { response: await this.#control(request, rest.join("/")) };
      if (first === "files") {
        const { handleFileRequest } = await import("./hosts/file_host.ts");
        return await handleFileRequest(request, this.#parts);
      }
      return await handleIdentityRequest(request, this.#parts);
    } catch (problem) {
      const said = problem instanceof Error ? problem.message : String(problem);
      const message = problem instanceof EmulatorStateError
        ? said
        : `The emulator failed: ${said}${this.#parts.state.failureHint}`;
      return { response: jsonResponse(500, { code: "INTERNAL_ERROR", message }) };
    }
  }

  async #respondAsQueue(request: IncomingRequest): Promise<Reply> {
    const { handleQueueRequest } = await import("./hosts/queue_host.ts");
    return await handleQueueRequest(request, { ...this.#parts, streams: await this.#openStreams() });
  }

  async #openStreams(): Promise<Streams> {
    const { Streams } = await import("./families/streams/streams.ts");
    return this.#streams ??= new Streams(this.#parts);
  }

  async #control(request: IncomingRequest, name: string): Promise<HttpResponse> {
    const { handleControlRequest } = await import("./hosts/control_host.ts");
    this.#parts.state.refresh();
    return handleControlRequest(request, name, {
      ...this.#parts,
      emulator: this,
      allowOrigins: this.#allowOrigins,
    });
  }
}

async function generalOperations(wire: WireNames): Promise<GeneralOperations> {
  const { GeneralOperations } = await import("./families/general/general_operations.ts");
  return new GeneralOperations(wire);
}

function checkPublicUrl(url: string | undefined): void {
  if (url === undefined || /^https?:\/\/[^/]/i.test(url)) return;
  throw new RangeError(`Cannot start the emulator: the public address "${url}" is not a web address`);
}

function platformAt(url: string, { word }: WireNames): Platform {
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
    wireWord: word,
  };
}
