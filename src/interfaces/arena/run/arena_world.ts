import * as z from "zod";
import { isObject } from "../../../base/json/fields_of.ts";
import { requiredId } from "../../../base/json/id_of.ts";
import { marketOf } from "../../../base/markets/markets.ts";
import { answerNodeRequest } from "../../../base/runtime/node_bridge.ts";
import { dayIn } from "../../../base/time/calendar.ts";
import { PlatformAds } from "../../../client/platform_ads.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import type { ReportRow } from "../../../client/reports/file/report_row.ts";
import type { JsonObject } from "../../../emulator/core/json.ts";
import { Emulator } from "../../../emulator/emulator.ts";
import type { HistoryEvent } from "../../../emulator/state/history_event.ts";
import { loadPolicy } from "../../../plans/policy/load_policy.ts";
import { httpSettings } from "../../mcp/context/http_settings.ts";
import { McpContext } from "../../mcp/context/mcp_context.ts";
import { mcpHttpHandler } from "../../mcp/http/mcp_http_handler.ts";
import { tool } from "../../mcp/tooling/tool.ts";
import { copyOf } from "../account/account_draft.ts";
import { type AccountImage, accountImage, type Difference, differences } from "../account/account_image.ts";
import { answerLines } from "../judge/answer_lines.ts";
import type { DrawnTask, Limits, Seen, ServedCall, Stage, ToolReply, Tools, Truth } from "../judge/task.ts";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PIECES = /\p{L}+|\p{N}{1,3}|\s*[^\s\p{L}\p{N}]+|\s{2,}/gu;
const LETTERS_OF_TOKEN = 7;

/**
 * Approximates current tokenizers: numbers in groups of three, short words whole. Within 10 % of o200k for tool
 * responses.
 */
export function tokenEstimate(text: string): number {
  let count = 0;
  for (const [piece] of text.matchAll(PIECES)) {
    count += /^\p{L}/u.test(piece) ? Math.ceil(piece.length / LETTERS_OF_TOKEN) : 1;
  }
  return count;
}

function reportTruth(profile: ProfileClient): Truth {
  const read = new Map<string, Promise<ReportRow[]>>();
  const rows: Truth["rows"] = (preset, start, end) => {
    const key = `${preset} ${start} ${end}`;
    const known = read.get(key);
    if (known !== undefined) return known;
    const asked = profile.reports.run(preset, start, end);
    read.set(key, asked);
    return asked;
  };
  return {
    rows,
    sum: async (column, { preset, start, end, where = () => true }) => {
      const found = (await rows(preset, start, end)).filter(where);
      return Math.round(found.reduce((sum, row) => sum + Number(row[column] ?? 0), 0) * 100) / 100;
    },
  };
}

const LIMITS: Limits = { calls: 25, tokens: 40_000, days: 0 };
const ADDRESS = "http://127.0.0.1/mcp";
const DAY_SECONDS = 86_400;

interface Message {
  readonly method?: unknown;
  readonly id?: unknown;
  readonly params?: { readonly name?: unknown; readonly arguments?: unknown };
}

export class ArenaWorld implements Tools, Stage, AsyncDisposable {
  readonly emulator: Emulator;
  readonly limits: Limits;
  readonly calls: ServedCall[] = [];
  days = 0;
  readonly #task: DrawnTask;
  readonly #folder: string;
  readonly #context: McpContext;
  readonly #handler: ReturnType<typeof mcpHttpHandler>;
  #before: AccountImage;
  #last: AccountImage;
  readonly #steps: Difference[] = [];
  readonly #underWay = new Set<Promise<unknown>>();
  #isOver = false;
  readonly #start: string;
  readonly #notAgents: Set<HistoryEvent>;
  #number = 0;

  private constructor(
    task: DrawnTask,
    parts: { emulator: Emulator; folder: string; context: McpContext; watch: Watch },
  ) {
    this.#task = task;
    this.emulator = parts.emulator;
    this.#folder = parts.folder;
    this.limits = { ...LIMITS, ...task.limits };
    this.#context = parts.context;
    const settings = httpSettings("127.0.0.1:0", { token: undefined, hosts: [], origins: [] });
    const tools = this.limits.days === 0 ? [] : [waitTool(() => this)];
    this.#handler = mcpHttpHandler(this.#context, settings, { tools });
    for (const draft of task.profiles) {
      const profile = this.emulator.state.profile(draft.profileId)!;
      for (const event of draft.history()) profile.recordEvent(event);
    }
    this.#notAgents = new Set(this.#history());
    this.#before = accountImage(this.emulator);
    this.#last = this.#before;
    parts.watch.changed = () => this.#look();
    this.#start = this.emulator.snapshot();
  }

  static async open(task: DrawnTask): Promise<ArenaWorld> {
    const [first] = task.profiles;
    if (first === undefined) throw new RangeError("Cannot open a task: it has no profile");
    const folder = await mkdtemp(join(tmpdir(), "platform-ads-arena-"));
    try {
      const emulator = await Emulator.start({
        listen: false,
        seed: first.profileId,
        account: copyOf(task.profiles, first.now),
        clock: { now: new Date(first.now).toISOString(), frozen: true },
        quirks: { reportSeconds: 0 },
        sleep: () => Promise.resolve(),
        ...(task.faults === undefined ? {} : { faults: task.faults }),
      });
      if (task.policy !== undefined) await writeFile(join(folder, "policy.yaml"), task.policy);
      const watch: Watch = { changed: () => {} };
      const context = contextOf(task, { emulator, folder, watch });
      return new ArenaWorld(task, { emulator, folder, context, watch });
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async call(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<ToolReply> {
    const version = "2026-07-28";
    const meta = "io.modelcontextprotocol";
    const response = await this.answer(
      new Request(ADDRESS, {
        method: "POST",
        headers: {
          "host": "127.0.0.1",
          "accept": "application/json, text/event-stream",
          "content-type": "application/json",
          "mcp-method": "tools/call",
          "mcp-name": name,
          "mcp-protocol-version": version,
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: ++this.#number,
          method: "tools/call",
          params: {
            name,
            arguments: args,
            _meta: {
              [`${meta}/protocolVersion`]: version,
              [`${meta}/clientInfo`]: { name: "arena", version: "1" },
              [`${meta}/clientCapabilities`]: {},
            },
          },
        }),
      }),
    );
    return replyIn(await response.text());
  }

  async answer(request: Request): Promise<Response> {
    const answered = this.#answer(request);
    this.#underWay.add(answered);
    try {
      return await answered;
    } finally {
      this.#underWay.delete(answered);
    }
  }

  async #answer(request: Request): Promise<Response> {
    if (request.method !== "POST") return await this.#handler.fetch(request);
    const body = await request.text();
    const forwarded = new Request(request, { body });
    forwarded.headers.set("host", "127.0.0.1");
    const message = messageIn(body);
    // Calls in a batch would not be counted.
    if (message === "batch") return refused(undefined, "Send one message a request");
    if (message === undefined || !COUNTED.has(String(message.method))) {
      return await this.#handler.fetch(forwarded);
    }
    if (this.#isOver) return refused(message.id, "The task is over: its answer was given");
    if (this.calls.length >= this.limits.calls) {
      const text = `The ${this.limits.calls} calls of this task are used up. Give your answer`;
      const result = { isError: true, content: [{ type: "text", text }] };
      return message.method === "tools/call"
        ? Response.json({ jsonrpc: "2.0", id: message.id, result })
        : refused(message.id, text);
    }
    const response = await this.#handler.fetch(forwarded);
    const text = await response.text();
    const call = served(message, replyIn(text));
    this.calls.push(call);
    this.#task.afterCall?.(call, this);
    return new Response(text, response);
  }

  /** Rejects further calls and waits for running ones, because an agent may answer before its work ends. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#underWay);
    await this.#context.stop();
  }

  /** Records intermediate states, so that reverted changes are noticed. */
  #look(): void {
    const now = accountImage(this.emulator);
    this.#steps.push(...differences(this.#last, now));
    this.#last = now;
  }

  async listen(): Promise<{ readonly url: string; stop(): Promise<void> }> {
    const server = createServer((incoming, outgoing) => {
      answerNodeRequest(incoming, outgoing, (request) => this.answer(request)).catch(() =>
        outgoing.destroy()
      );
    });
    await new Promise<void>((done, fail) => {
      server.once("error", fail);
      server.listen(0, "127.0.0.1", done);
    });
    const { port } = server.address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${port}/mcp`,
      stop: async () => {
        const closed = new Promise<void>((done) => server.close(() => done()));
        server.closeAllConnections();
        await closed;
      },
    };
  }

  edit(
    kind: "sp.keywords" | "sp.campaigns",
    id: string,
    field: "bid" | "budget" | "state",
    value: number | string,
  ): void {
    const profile = this.emulator.state.profile(this.#task.profiles[0]!.profileId)!;
    const collection = profile.collection(kind);
    const entity = collection.get(id)!;
    const budget = entity["budget"] as JsonObject | undefined;
    const before = field === "budget" ? budget?.["budget"] : entity[field];
    collection.replace({ ...entity, [field]: field === "budget" ? { ...budget, budget: value } : value });
    const event: HistoryEvent = {
      entityType: kind === "sp.keywords" ? "KEYWORD" : "CAMPAIGN",
      entityId: id,
      changeType: { bid: "BID_AMOUNT", budget: "BUDGET_AMOUNT", state: "STATUS" }[field],
      previousValue: String(before),
      newValue: String(value),
      timestamp: this.emulator.clock.now(),
      metadata: {
        campaignId: requiredId(entity, "campaignId"),
        ...(kind === "sp.keywords"
          ? {
            adGroupId: requiredId(entity, "adGroupId"),
            keyword: String(entity["keywordText"]),
            keywordType: `KEYWORD_${entity["matchType"]}`,
          }
          : {}),
      },
    };
    profile.recordEvent(event);
    this.#notAgents.add(event);
    // The agent is not held to account for it.
    const key = `${profile.id} ${kind} ${id}`;
    const part = field === "budget" ? { ...budget, budget: value } : value;
    this.#before = new Map(this.#before).set(key, { ...this.#before.get(key), [field]: part });
    this.#last = new Map(this.#last).set(key, { ...this.#last.get(key), [field]: part });
  }

  entity(kind: string, id: string): JsonObject | undefined {
    return this.emulator.state.profile(this.#task.profiles[0]!.profileId)!.collection(kind).get(id);
  }

  get day(): string {
    const { country } = this.#task.profiles[0]!;
    return dayIn(marketOf(country)?.timeZone ?? "UTC", this.emulator.clock.now());
  }

  wait(days: number): string[] {
    const messages: string[] = [];
    for (let count = 0; count < days && this.days < this.limits.days; count++) {
      this.emulator.advance(DAY_SECONDS);
      this.days++;
      const message = this.#task.onDay?.(this.days, this);
      if (message !== undefined) messages.push(message);
    }
    return messages;
  }

  seen(text: string): Seen {
    const log = [...this.emulator.requests()];
    const [first] = this.#task.profiles;
    this.#look();
    const after = this.#last;
    const changes = this.#history().filter((event) => !this.#notAgents.has(event));
    // Reports leave out what is paused: the judge reads those of the days before the run as the account was then.
    if (this.days === 0) this.emulator.restore(this.#start);
    // What troubled the agent must not trouble the judge.
    this.emulator.setFaults([]);
    return {
      before: this.#before,
      after,
      steps: this.#steps,
      log,
      changes,
      days: this.days,
      calls: this.calls,
      text,
      answer: answerLines(text),
      truth: reportTruth(
        new PlatformAds(this.emulator.credentials, clientOptions(this.emulator)).profileFrom(
          first!.profileId,
          first!.country,
        ),
      ),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handler.close();
    await this.#context.stop();
    await this.emulator.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #history(): HistoryEvent[] {
    return this.#task.profiles.flatMap((
      { profileId },
    ) => [...this.emulator.state.profile(profileId)!.history()]);
  }
}

interface Watch {
  changed(): void;
}

const COUNTED: ReadonlySet<string> = new Set(["tools/call", "resources/read", "prompts/get"]);
const READS = /\/(list|token|reports)$/;

function refused(id: unknown, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: id ?? null, error: { code: -32600, message } });
}

function clientOptions(emulator: Emulator, watch?: Watch) {
  // An agent that reads that it works on a copy would act in another way.
  const { rehearsal: _, ...platform } = emulator.platform;
  return {
    platform,
    fetch: async (input: string | URL | Request, init?: RequestInit) => {
      const request = new Request(input, init);
      const { method, url } = request;
      try {
        return await emulator.fetch(request);
      } finally {
        // The platform may have done what it did not answer.
        if (method !== "GET" && !READS.test(new URL(url).pathname)) watch?.changed();
      }
    },
    now: () => emulator.clock.now(),
    sleep: () => Promise.resolve(),
  };
}

function contextOf(
  task: DrawnTask,
  { emulator, folder, watch }: { emulator: Emulator; folder: string; watch: Watch },
): McpContext {
  const { visible, person = "yes" } = task;
  return new McpContext({
    settings: {
      approval: undefined,
      approvalKey: join(folder, "approval-key.pub.json"),
      demo: false,
      planFolder: join(folder, "plans"),
      policyFolder: join(folder, "policy-days"),
      readOnly: false,
      rows: "data",
      toolsets: undefined,
      saveFolder: undefined,
      stateFolder: folder,
      ...(visible === undefined ? {} : { profiles: visible }),
    },
    connect: async (context) => {
      const policy = task.policy === undefined ? undefined : await loadPolicy(join(folder, "policy.yaml"), {
        ledger: join(folder, "policy-days"),
        figures: (request) => context.figures.figures(request),
        now: context.now,
      });
      return new PlatformAds(emulator.credentials, {
        ...clientOptions(emulator, watch),
        figures: (request) => context.figures.figures(request),
        onEvent: context.onEvent,
        profiles: visible,
        policy,
      });
    },
    now: () => emulator.clock.now(),
    person: () => Promise.resolve(person === "silent" ? "nothing" : person),
  });
}

function waitTool(world: () => ArenaWorld) {
  return tool({
    name: "wait_days",
    title: "Wait",
    description:
      "Lets days of the account pass. Says which day it is then, and what the person wrote meanwhile.",
    input: z.strictObject({ days: z.int().min(1).max(31).default(1) }),
    output: z.object({ day: z.string(), days_left: z.int(), messages: z.array(z.string()) }),
    effect: "read",
    run: ({ days }) => {
      const messages = world().wait(days);
      const left = world().limits.days - world().days;
      const { day } = world();
      const text = [
        `It is ${day} in the market; ${left} days are left`,
        ...messages.map((one) => `The person writes: ${one}`),
      ];
      return Promise.resolve({ data: { day, days_left: left, messages }, text: text.join("\n") });
    },
  });
}

function messageIn(body: string): Message | "batch" | undefined {
  try {
    const message: unknown = JSON.parse(body);
    if (Array.isArray(message)) return "batch";
    return typeof message === "object" && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}

function served({ method, params = {} }: Message, reply: ToolReply): ServedCall {
  const args = objectOf(unfolded(params.arguments));
  const isInner = params.name === "call_tool" && typeof args["tool"] === "string";
  const { text, data } = reply;
  const structured = JSON.stringify(data) ?? "";
  return {
    ...reply,
    tool: method === "tools/call" ? String(isInner ? args["tool"] : params.name) : String(method),
    args: isInner ? objectOf(args["arguments"]) : args,
    // Most clients show a model one of both.
    tokens: Math.max(tokenEstimate(text), tokenEstimate(structured)),
  };
}

/** Parses JSON texts in arguments, as the tools do. */
function unfolded(value: unknown): unknown {
  if (typeof value === "string") {
    if (!/^\s*[[{]|^\s*(true|false)\s*$/.test(value)) return value;
    try {
      return unfolded(JSON.parse(value));
    } catch {
      return value;
    }
  }
  if (Array.isArray(value)) return value.map(unfolded);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, unfolded(field)]));
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function replyIn(body: string): ToolReply {
  const texts = body.startsWith("{")
    ? [body]
    : body.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5));
  for (const text of texts.toReversed()) {
    const message = objectOf(JSON.parse(text));
    const { content, isError, structuredContent } = objectOf(message["result"]);
    if (Array.isArray(content)) {
      const parts = content.map((part) => String(objectOf(part)["text"] ?? ""));
      return { isError: isError === true, text: parts.join("\n"), data: structuredContent ?? {} };
    }
    const { contents, messages } = objectOf(message["result"]);
    if (contents !== undefined || messages !== undefined) {
      return { isError: false, text: JSON.stringify(contents ?? messages), data: {} };
    }
    const error = objectOf(message["error"]);
    if (error["message"] !== undefined) return { isError: true, text: String(error["message"]), data: {} };
  }
  return { isError: true, text: "", data: {} };
}
