/**
 * A process of its own, so that its memory can be told: `day_runner.ts <calls> [leak]`. A day of the emulator's clock
 * in which agents of both eras call every tool over HTTP; prints a JSON line of {@linkcode DaySample} after each tenth.
 * With `leak` every answer is held on to, as a server would that forgets nothing.
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { httpSettings } from "../../../src/interfaces/mcp/context/http_settings.ts";
import { mcpHttpHandler } from "../../../src/interfaces/mcp/http/mcp_http_handler.ts";
import { StoreAccess } from "../../../src/interfaces/mcp/context/store_access.ts";
import { World } from "../../mcp/support/world.ts";
import { SeededRandom } from "../../support/seeded_random.ts";
import { SEED } from "../support/size.ts";

/** What a tenth of the day left behind, after a collection of garbage. */
export interface DaySample {
  /** Bytes of live objects. */
  readonly heap: number;
  /** Calls so far, by tool; those that failed under `TOOL failed`. */
  readonly calls: Readonly<Record<string, number>>;
  /** What a mistake of the server itself says. */
  readonly internal: readonly string[];
}

const DAY_SECONDS = 24 * 3600;
const CALLS_A_CLIENT = 25;
const INTERNAL =
  /Cannot read propert|is not a function|is not iterable|is not defined|Maximum call stack|Internal/;

type Data = Readonly<Record<string, unknown>>;
type Answered = { isError?: boolean; structuredContent?: unknown; content: unknown };

/** What later calls need of earlier ones. */
interface Found {
  uri: string;
  planId: string;
  fingerprint: string;
}

const market = "US";
const OPERATION = "sponsored-products:ListSponsoredProductsKeywords";

/** The calls of a round, with arguments that an agent would give. */
function duties(random: SeededRandom, found: Found, number: number): [string, Data][] {
  const keyword = { market, entity: "sp_keywords" };
  const pause = {
    ...keyword,
    items: [{ keywordId: random.pick(keywordIds), bid: random.integer(20, 150) / 100 }],
  };
  return [
    ["api_notes", {}],
    ["list_profiles", {}],
    ["list_entities", { ...keyword, limit: 20 }],
    ["get_suggested_bids", { market, ids: keywordIds.slice(0, 3) }],
    ["get_suggested_bids_for_new", {
      market,
      asins: ["B000000001"],
      keywords: ["shoe:EXACT"],
    }],
    ["get_change_history", { market, since: "-3" }],
    ["run_report", { market, report: "sp_campaigns", start: `-${random.integer(2, 20)}` }],
    ["compare_periods", { market }],
    ["find_waste", { market }],
    ["query_result", { from: found.uri, limit: 5 }],
    ["search_operations", { text: "keyword", limit: 5 }],
    ["describe_operation", { operation: OPERATION }],
    ["call_operation", { market, operation: OPERATION, body: { maxResults: 50 } }],
    ["list_plans", { limit: 5 }],
    ["query_reports", { sql: "SELECT count(*) AS n FROM sp_campaigns" }],
    ["report_coverage", {}],
    ["sync_reports", { markets: [market], reports: ["sp_campaigns"], entities: number % 4 === 0 }],
    ["plan_create", { market, entity: "portfolios", items: [{ name: `Day ${number}`, state: "enabled" }] }],
    ["plan_archive", { ...keyword, ids: [random.pick(keywordIds)] }],
    ["plan_bids", { market, change: "+5%", best: 3, max: 3 }],
    ["plan_harvest", { market }],
    ["plan_call", {
      market,
      operation: "sponsored-products:UpdateSponsoredProductsKeywords",
      body: { keywords: [] },
    }],
    ["plan_restore_from_history", { market, since: "-1" }],
    ["save_result", { result_uri: found.uri, file: `rows-${number}-${random.integer(0, 1e9)}.json` }],
    ["plan_update", pause],
    ["get_plan", { plan_id: found.planId }],
    ["apply_plan", { plan_id: found.planId, fingerprint: found.fingerprint }],
  ];
}

let keywordIds: readonly string[] = [];

if (import.meta.main) {
  const collect = (globalThis as { gc?: () => void }).gc;
  if (collect === undefined) throw new Error("Cannot measure: run it with --v8-flags=--expose-gc");
  const [calls, leak] = [Number(Deno.args[0]), Deno.args[1] === "leak"];
  await using world = await World.start({ quirks: { reportSeconds: 0 }, journalLimit: 300 });
  const now = () => world.emulator.clock.now();
  const saveFolder = `${world.folder}/saved`;
  await Deno.mkdir(saveFolder);
  const store = new StoreAccess(`${world.folder}/ads.sqlite`, { now });
  const context = world.context({ saveFolder }, { now, store });
  const handler = mcpHttpHandler(context, httpSettings("3911", { token: undefined, hosts: [], origins: [] }));
  const random = new SeededRandom(SEED);
  const held: unknown[] = [];
  const counts: Record<string, number> = {};
  const internal: string[] = [];
  const found: Found = { uri: "", planId: "", fingerprint: "" };
  let client: Client | undefined;
  let queue: [string, Data][] = [];
  let rounds = 0;
  for (let call = 0; call < calls; call++) {
    if (call % CALLS_A_CLIENT === 0) {
      // Half of the clients go away without a word.
      if (call % (2 * CALLS_A_CLIENT) === 0) await client?.close();
      const isModern = random.next() < 0.5;
      client = new Client({ name: "day", version: "1" }, {
        versionNegotiation: { mode: isModern ? { pin: "2026-07-28" } : "legacy" },
      });
      const fetch = (input: string | URL | Request, init?: RequestInit) => {
        const request = new Request(input, init);
        request.headers.set("host", "127.0.0.1:3911");
        return handler.fetch(request);
      };
      await client.connect(
        new StreamableHTTPClientTransport(new URL("http://127.0.0.1:3911/mcp"), { fetch }),
      );
    }
    if (keywordIds.length === 0) {
      const args = { market, entity: "sp_keywords", limit: 100 };
      const { structuredContent } = await client!.callTool({
        name: "list_entities",
        arguments: args,
      }) as Answered;
      const data = structuredContent as { rows: { keywordId: string }[]; result_uri: string };
      keywordIds = data.rows.map(({ keywordId }) => keywordId);
      found.uri = data.result_uri;
    }
    if (queue.length === 0) queue = duties(random, found, rounds++);
    const [name, given] = queue.shift()!;
    const args = name === "get_plan" || name === "apply_plan"
      ? { plan_id: found.planId, ...(name === "apply_plan" ? { fingerprint: found.fingerprint } : {}) }
      : given;
    const answer = await client!.callTool({ name, arguments: args }) as Answered;
    const key = answer.isError ? `${name} failed` : name;
    counts[key] = (counts[key] ?? 0) + 1;
    const text = JSON.stringify(answer.content);
    if (answer.isError && INTERNAL.test(text)) internal.push(`${name}: ${text.slice(0, 500)}`);
    const data = answer.structuredContent as Record<string, string> | undefined;
    if (name === "plan_update") {
      [found.planId, found.fingerprint] = [data?.["plan_id"] ?? "", data?.["fingerprint"] ?? ""];
    }
    if (data?.["result_uri"] !== undefined) found.uri = data["result_uri"];
    if (leak) held.push(Array.from({ length: 10 }, () => structuredClone(answer)));
    world.emulator.clock.advance(DAY_SECONDS / calls);
    if ((call + 1) % Math.floor(calls / 10) !== 0) continue;
    // What the platform keeps for itself is no matter of the server.
    world.emulator.reset();
    collect();
    const sample: DaySample = { heap: Deno.memoryUsage().heapUsed, calls: counts, internal };
    console.log(JSON.stringify(sample));
  }
  await client?.close();
  await handler.close();
  await context.stop();
  Deno.exit(held.length > calls ? 1 : 0);
}
