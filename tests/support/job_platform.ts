import { catalog, type Jobs, PlatformAds } from "../../mod.ts";
import type { JobDescription, JobLedger } from "../../src/client/jobs/mod.ts";
import { DEFAULT_HEADERS } from "../../src/platform/connection/platform.ts";
import { gzip } from "./bytes.ts";

/** A request that reached the platform or its file host. */
interface SeenRequest {
  readonly operation: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

interface PlayedJob {
  readonly jobId: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly createdAt: number;
  /** Status words of the coming looks; the last one stays. */
  words: string[];
  addresses: number;
}

interface PlayedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: RegExp;
}

type Intervention = (request: SeenRequest) => Response | undefined;

/** A row as the jobs of this platform have it. */
export type PlayedRow = Readonly<Record<string, string>>;

/**
 * A stand-in for the platform that lives in `fetch` and plays one described job: it creates, tells the status, lists,
 * cancels, and serves files at addresses that expire. Its clock moves on with every wait.
 */
export class JobPlatform {
  readonly seen: SeenRequest[] = [];
  readonly jobs: PlayedJob[] = [];
  readonly waits: number[] = [];
  now: number = Date.parse("2026-09-30T12:00:00Z");
  /** Status words of a new job. */
  words: string[];
  /** Fields of a status beside the word. */
  more: Readonly<Record<string, unknown>> = {};
  rows: readonly PlayedRow[] = [{ name: "a", value: "1" }, { name: "b", value: "2" }];
  /** A file in place of the rows. */
  file: (() => ReadableStream<Uint8Array>) | undefined;
  /** Seconds that an address works. */
  lifetime = 300;
  intervene: Intervention = () => undefined;
  onWait: () => void | Promise<void> = () => {};
  readonly #description: JobDescription;
  readonly #operations: readonly PlayedOperation[];

  private constructor(description: JobDescription, operations: readonly PlayedOperation[]) {
    this.#description = description;
    this.#operations = operations;
    this.words = [description.pending[0] ?? "", description.done[0] ?? ""];
  }

  static async of(description: JobDescription): Promise<JobPlatform> {
    const { operation, status, output, search, cancel } = description;
    const ids = [operation, status, output?.operation, search?.operation, cancel?.operation];
    const found = await Promise.all([...new Set(ids.flatMap((id) => id ?? []))].map((id) => catalog.get(id)));
    // One path may have a word where another has a placeholder.
    const placeholders = ({ path }: { readonly path: string }): number => path.split("{").length;
    const operations = found.sort((a, b) => placeholders(a) - placeholders(b)).map((
      { id, method, path },
    ) => ({
      id,
      method,
      path: new RegExp(`^${path.replace(/\{[^}]+\}/g, "([^/]+)")}$`),
    }));
    return new JobPlatform(description, operations);
  }

  /** Jobs of a client whose world this is. */
  client(ledger?: JobLedger | string, baseUrl = "https://na.api.test"): Jobs {
    const ads = new PlatformAds(
      { clientId: "client-1", clientSecret: "secret-1234567890", refreshToken: "refresh-1234567890" },
      {
        platform: {
          regions: { NA: { baseUrl } },
          tokenUrl: "https://id.test/token",
          headers: DEFAULT_HEADERS,
          wireWord: "platform",
        },
        fetch: (input, init) => this.fetch(input, init),
        now: () => this.now,
        random: () => 0.5,
        sleep: async (seconds, signal) => {
          signal?.throwIfAborted();
          this.waits.push(seconds);
          this.now += seconds * 1000;
          await this.onWait();
          signal?.throwIfAborted();
        },
        jobs: ledger,
        onWarning: () => {},
      },
    );
    return ads.profileFrom("1001", "US").jobs;
  }

  /** Requests to create a job. */
  get asked(): readonly SeenRequest[] {
    return this.seen.filter(({ operation }) => operation === this.#description.operation);
  }

  async fetch(input: string, init: RequestInit = {}): Promise<Response> {
    init.signal?.throwIfAborted();
    const url = new URL(input);
    const headers = new Headers(init.headers);
    if (url.hostname === "id.test") {
      return Response.json({ access_token: "token-abcdefgh", token_type: "bearer", expires_in: 3600 });
    }
    const method = init.method ?? "GET";
    const operation = url.hostname === "files.test"
      ? "file"
      : this.#operations.find((one) => one.method === method && one.path.test(url.pathname))?.id;
    if (operation === undefined) {
      return Response.json({ message: `no ${method} ${url.pathname}` }, { status: 404 });
    }
    const body = typeof init.body === "string" ? JSON.parse(init.body) : undefined;
    const request = { operation, url, headers, body };
    this.seen.push(request);
    const early = await Promise.resolve(this.intervene(request));
    if (early !== undefined) return early;
    const { output, search, status, cancel } = this.#description;
    if (operation === "file") return this.#file(request);
    if (operation === this.#description.operation) return Response.json(this.create(body));
    if (operation === search?.operation) {
      return Response.json({ [search.items]: this.jobs.map((job) => this.#listed(job)) });
    }
    const { idsInBody, idParam } = this.#description;
    const named = idsInBody ? [body?.[idParam]].flat() : url.pathname.split("/");
    const job = this.jobs.find(({ jobId }) => named.includes(jobId));
    if (job === undefined) return this.#notFound();
    if (operation === status) return Response.json(this.#status(job));
    if (operation === cancel?.operation) {
      job.words = [this.#description.cancelled?.[0] ?? this.#description.failed[0] ?? ""];
      return new Response(null, { status: 204 });
    }
    return Response.json(
      output?.pages === undefined
        ? { [output?.addresses ?? ""]: [this.#address(job)] }
        : { [output.pages]: this.rows },
    );
  }

  /** Creates a job, as the platform does even where its response is lost. */
  create(body?: Readonly<Record<string, unknown>>): unknown {
    const { token } = this.#description;
    const known = this.jobs.find((job) => token !== undefined && job.body?.[token] === body?.[token]);
    if (known !== undefined && body?.[token ?? ""] !== undefined) {
      return this.#enveloped({ [this.#idField]: known.jobId });
    }
    const jobId = `job-${this.jobs.length + 1}`;
    this.jobs.push({ jobId, body, createdAt: this.now, words: [...this.words], addresses: 0 });
    return this.#enveloped({ [this.#idField]: jobId });
  }

  get #idField(): string {
    return this.#description.id ?? this.#description.idParam;
  }

  #enveloped(fields: Readonly<Record<string, unknown>>): unknown {
    return placed(fields, this.#description.envelope);
  }

  #notFound(): Response {
    const { refusals } = this.#description;
    if (refusals === undefined) return Response.json({ message: "Not found" }, { status: 404 });
    const errors = [{ code: "RESOURCE_ID_NOT_FOUND", message: "Not found" }];
    return Response.json({ success: [], [refusals]: [{ index: 0, errors }] }, { status: 207 });
  }

  #listed({ jobId, body, createdAt }: PlayedJob): unknown {
    return {
      // A list tells what a request has in its path.
      dataSetId: "set-1",
      ...body,
      [this.#idField]: jobId,
      [this.#description.search?.created ?? ""]: new Date(createdAt).toISOString(),
    };
  }

  #status(job: PlayedJob): unknown {
    const word = job.words.length > 1 ? job.words.shift()! : job.words[0]!;
    const { output, word: field = "status", done } = this.#description;
    const isList = output?.addresses?.includes(".");
    const isDone = done.includes(word) && output?.addresses !== undefined && output.operation === undefined;
    const address = isDone && (this.rows.length > 0 || output.isFiles)
      ? placed(this.#address(job), output.addresses, isList) as Record<string, unknown>
      : {};
    return this.#enveloped({ [this.#idField]: job.jobId, [field]: word, ...address, ...this.more });
  }

  #address(job: PlayedJob): string {
    job.addresses++;
    return `https://files.test/${job.jobId}/result.csv?expires=${
      this.now + this.lifetime * 1000
    }&signature=s3cr3t`;
  }

  #file({ url, headers }: SeenRequest): Response {
    const foreign = [...headers.keys()].find((name) =>
      name === "authorization" || /advertising|platform/.test(name)
    );
    if (foreign !== undefined) {
      return new Response("<Error><Code>InvalidArgument</Code></Error>", { status: 400 });
    }
    if (this.now >= Number(url.searchParams.get("expires"))) {
      return new Response("<Error><Code>AccessDenied</Code></Error>", { status: 403 });
    }
    if (this.file !== undefined) return new Response(this.file());
    return new Response(fileOf(this.rows, this.#description) as Uint8Array<ArrayBuffer>);
  }
}

/** A value at a dotted path, in a list where the path has a number, or where it is in the objects of one. */
function placed(value: unknown, path: string | undefined, isList = false): unknown {
  return (path?.split(".") ?? []).reduceRight<unknown>(
    (inner, name, at) => name === "0" ? [inner] : { [name]: isList && at === 0 ? [inner] : inner },
    value,
  );
}

/** The rows in the form of a job's files. */
function fileOf(rows: readonly PlayedRow[], { output }: JobDescription): Uint8Array {
  if (output?.escape !== undefined) {
    const quoted = (text = "") => `"${text.replaceAll('"', '\\"')}"`;
    const lines = rows.map(({ name, value }) => `${quoted(name)},${quoted(value)}\n`);
    return new TextEncoder().encode(`name,value\n${lines.join("")}`);
  }
  const shaped = output?.shape === "nested"
    ? rows.map(({ name, value }) => ({ metadata: { name }, metrics: { value } }))
    : rows;
  return gzip(JSON.stringify(output?.list === undefined ? shaped : { [output.list]: shaped }));
}
