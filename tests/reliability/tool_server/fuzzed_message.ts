import type { SeededRandom } from "../../support/seeded_random.ts";

const METHODS = [
  "initialize",
  "ping",
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "resources/subscribe",
  "resources/unsubscribe",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "logging/setLevel",
  "server/discover",
  "subscriptions/listen",
  "tasks/get",
  "tasks/cancel",
  "notifications/initialized",
  "notifications/cancelled",
  "notifications/progress",
  "notifications/roots/list_changed",
];
const TOOLS = [
  "api_notes",
  "apply_plan",
  "call_operation",
  "call_tool",
  "describe_operation",
  "get_change_history",
  "get_plan",
  "get_suggested_bids",
  "get_suggested_bids_for_new",
  "get_suggested_bids_for_targets",
  "list_entities",
  "list_plans",
  "list_profiles",
  "plan_archive",
  "plan_call",
  "plan_create",
  "plan_restore_from_history",
  "plan_update",
  "query_result",
  "run_report",
  "save_result",
  "search_operations",
  "search_tools",
];
const NAMES = [
  "name",
  "arguments",
  "uri",
  "_meta",
  "market",
  "entity",
  "items",
  "plan_id",
  "fingerprint",
  "operation",
  "path_params",
  "query",
  "body",
  "headers",
  "fields",
  "states",
  "ids",
  "limit",
  "offset",
  "sql",
  "report",
  "start",
  "end",
  "columns",
  "tool",
  "text",
  "requestId",
  "progressToken",
  "protocolVersion",
  "capabilities",
  "clientInfo",
  "level",
  "ref",
  "argument",
  "cursor",
  "__proto__",
  "constructor",
  "toString",
  "inputResponses",
  "requestState",
];
const TEXTS = [
  "US",
  "sp_keywords",
  "sp_campaigns",
  "ENABLED",
  "2025-11-25",
  "2026-07-28",
  "1999-01-01",
  "-7",
  "",
  " ",
  "../../etc/passwd",
  "platform-ads://plans",
  "platform-ads://plans/x",
  "platform-ads://results/%00",
  "file:///etc/passwd",
  "SELECT 1",
  "DROP TABLE x",
  "lower_wasted_bids",
  "sponsored-products:ListSponsoredProductsKeywords",
  "\u0000\u001b[31m\u202e\u{e0041}",
  "\ud800",
  "a\nb\r\nc",
  "NaN",
  "1e999",
  "__proto__",
];

/** Any value, mostly of the kind that this protocol carries. */
export function anyValue(random: SeededRandom, depth = 0): unknown {
  const kind = random.integer(0, depth > 4 ? 7 : 10);
  if (kind <= 2) return random.pick(TEXTS);
  if (kind === 3) return random.pick([0, -1, 1, 50, 1.5, 1e21, -0, 2 ** 53, Number.MIN_VALUE]);
  if (kind === 4) return random.pick([true, false, null]);
  if (kind === 5) return "x".repeat(random.pick([1, 100, 20_001]));
  if (kind === 6) return [];
  if (kind === 7) return {};
  if (kind === 8) return Array.from({ length: random.integer(0, 4) }, () => anyValue(random, depth + 1));
  return anyObject(random, depth);
}

function anyObject(random: SeededRandom, depth: number): Record<string, unknown> {
  const names = Array.from({ length: random.integer(0, 5) }, () => random.pick(NAMES));
  // A field named __proto__ is a field like others in JSON.
  return Object.fromEntries(names.map((name) => [name, anyValue(random, depth + 1)]));
}

/** A message as it would be right but for what its fields hold. */
function nearlyRight(random: SeededRandom, id: number): Record<string, unknown> {
  const method = random.next() < 0.5 ? "tools/call" : random.pick(METHODS);
  const params = method === "tools/call"
    ? { name: random.pick(TOOLS), arguments: toolArguments(random) }
    : anyObject(random, 1);
  const isNotification = method.startsWith("notifications/");
  return { jsonrpc: "2.0", ...(isNotification ? {} : { id }), method, params };
}

function toolArguments(random: SeededRandom): Record<string, unknown> {
  const args = anyObject(random, 1);
  if (random.next() < 0.6) args["market"] = "US";
  if (random.next() < 0.4) args["entity"] = random.pick(["sp_keywords", "sp_campaigns", "portfolios"]);
  return args;
}

function nested(random: SeededRandom): string {
  const depth = random.pick([70, 3_000, 30_000]);
  const deep = random.next() < 0.5 ? "[".repeat(depth) + "]".repeat(depth) : '{"a":'.repeat(depth) + "1" +
    "}".repeat(depth);
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_entities","arguments":${deep}}}`;
}

/** The text of a message that no honest client sends: broken, of wrong types, deep, huge, unknown, or out of order. */
export function fuzzedMessage(random: SeededRandom, id: number): string {
  const message = nearlyRight(random, id);
  const chance = random.next();
  if (chance < 0.35) return JSON.stringify(message);
  if (chance < 0.5) {
    return JSON.stringify({
      ...message,
      [random.pick(["jsonrpc", "id", "method", "params"])]: anyValue(random),
    });
  }
  if (chance < 0.55) {
    return JSON.stringify({
      ...message,
      method: random.pick(["tools/delete", "x", "", "rpc.discover", "constructor"]),
    });
  }
  if (chance < 0.65) {
    return JSON.stringify(Array.from({ length: random.integer(0, 4) }, () => nearlyRight(random, id)));
  }
  if (chance < 0.68) return nested(random);
  if (chance < 0.7) {
    return JSON.stringify({ ...message, params: { name: "x".repeat(random.pick([100_000, 5_000_000])) } });
  }
  if (chance < 0.75) {
    return JSON.stringify({ jsonrpc: "2.0", id, [random.pick(["result", "error"])]: anyValue(random) });
  }
  if (chance < 0.8) return JSON.stringify(anyValue(random));
  return broken(JSON.stringify(message), random);
}

/** The text with characters changed, left out or added, or cut off. */
function broken(text: string, random: SeededRandom): string {
  const at = random.integer(0, Math.max(0, text.length - 1));
  switch (random.integer(0, 3)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + random.pick(["\u0000", '"', "}", "\\", "\ufeff", "1"]) + text.slice(at);
    case 2:
      return text.slice(0, at) + text.slice(at + random.integer(1, 5));
    default:
      return text.slice(0, at) + String.fromCharCode(random.integer(0, 0xffff)) + text.slice(at + 1);
  }
}
