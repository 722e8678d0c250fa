import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { NOTES } from "../../../platform/notes/notes.ts";
import { recordedChallenge, recordedRead } from "../tooling/recorded_call.ts";
import { callerOf, type Identity } from "../access/identity.ts";
import { readChallenge } from "../access/tool_scopes.ts";
import type { McpContext } from "../context/mcp_context.ts";
import type { Row } from "../calls/text_table.ts";
import { planRow } from "../tools/plan_answer.ts";
import { cleanData } from "../calls/clean.ts";
import { fitsMessage } from "../calls/result_cache.ts";
import { addressOf, COVERAGE, PLAN_LIST, PLANS, planUri } from "../tooling/resource_uris.ts";
import { coverageRows } from "../tooling/coverage_rows.ts";

const ALERT_LIST = "platform-ads://alerts";

const RESULTS = "platform-ads://results/{id}";
const MAX_LISTED = 50;

export function registerResources(server: McpServer, context: McpContext, identity: Identity): void {
  const scopeChallenge = recordedChallenge(readChallenge, "resources/read", context);
  const mayRead = (mcp: ServerContext): boolean => callerOf(mcp, identity).may("read");
  const recorded =
    <Contents>(read: (address: URL) => Contents | Promise<Contents>) =>
    (address: URL, mcp: ServerContext): Promise<Contents> =>
      recordedRead(() => read(address), address, { context, identity: callerOf(mcp, identity) });
  server.registerResource("notes", "platform-ads://notes", {
    title: "Notes on the platform",
    description: "Undocumented platform behaviour",
    mimeType: "text/markdown",
    scopeChallenge,
  }, recorded((address) => contents(address, "text/markdown", notesText())));

  const { store } = context;
  if (store !== undefined) {
    server.registerResource(
      "coverage",
      COVERAGE,
      {
        title: "Stored reports",
        description: "Contents of the report store",
        mimeType: "application/json",
        scopeChallenge,
      },
      recorded(async (address) =>
        contents(
          address,
          "application/json",
          JSON.stringify(coverageRows(await store.use((opened) => opened.coverage()), context.now())),
        )
      ),
    );
    server.registerResource(
      "alerts",
      ALERT_LIST,
      {
        title: "Alerts",
        description: "The newest open alerts of watched profiles; subscribe for updates",
        mimeType: "application/json",
        scopeChallenge,
      },
      recorded(async (address) =>
        contents(
          address,
          "application/json",
          JSON.stringify(cleanData({ rows: await openAlerts(context) }).rows),
        )
      ),
    );
  }

  const planIds = async (): Promise<string[]> => identity.may("read") ? await context.planIds() : [];
  const kept = () => identity.may("read") ? context.results.list() : [];
  server.registerResource(
    "plans",
    PLAN_LIST,
    {
      title: "Plans",
      description: "The newest plans and their states",
      mimeType: "application/json",
      scopeChallenge,
    },
    recorded(async (address) => {
      const newest = (await context.listPlans()).slice(0, MAX_LISTED);
      return contents(
        address,
        "application/json",
        JSON.stringify(cleanData({ rows: newest.map(planRow) }).rows),
      );
    }),
  );

  const plans = new ResourceTemplate(PLANS, {
    list: async (mcp) => {
      const ids = mayRead(mcp) ? (await planIds()).slice(0, MAX_LISTED) : [];
      return {
        resources: ids.map((id) => ({ uri: planUri(id), name: `Plan ${id}`, mimeType: "text/markdown" })),
      };
    },
    complete: { id: async (start) => (await planIds()).filter((id) => id.startsWith(start)) },
  });
  server.registerResource("plan", plans, {
    title: "Plan",
    description: "A saved plan: every change with before and after",
    mimeType: "text/markdown",
    scopeChallenge,
  }, (address, { id }, mcp) =>
    recorded(async () => {
      const plan = await context.plan(String(id)).catch(() => undefined);
      if (plan === undefined) throw new ResourceNotFoundError(address.href);
      return contents(address, "text/markdown", plan.toMarkdown());
    })(address, mcp));

  const results = new ResourceTemplate(RESULTS, {
    list: (mcp) => ({
      resources: (mayRead(mcp) ? context.results.list() : []).slice(0, MAX_LISTED)
        .map(({ id, title }) => ({ uri: addressOf(RESULTS, id), name: title, mimeType: "application/json" })),
    }),
    complete: {
      id: (start) => kept().map(({ id }) => id).filter((id) => id.startsWith(start)),
    },
  });
  server.registerResource("result", results, {
    title: "Result",
    description: "All rows of a shortened result",
    mimeType: "application/json",
    scopeChallenge,
  }, (address, { id }, mcp) =>
    recorded(() => {
      const kept = context.results.get(String(id));
      if (kept === undefined) throw new ResourceNotFoundError(address.href);
      if (!fitsMessage(kept)) {
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `Cannot read ${address.href} in one message: use offset, or save_result`,
        );
      }
      return contents(address, "application/json", context.secrets.removeFromText(kept.json));
    })(address, mcp));
}

function notesText(): string {
  const groups = NOTES.map(({ title, notes }) =>
    [`## ${title}`, ...notes.map(({ title, text }) => `### ${title}\n\n${text}`)].join("\n\n")
  );
  return `# Notes on the platform\n\n${groups.join("\n\n")}\n`;
}

function contents(address: URL, mimeType: string, text: string) {
  return { contents: [{ uri: address.href, mimeType, text }] };
}

const MAX_WATCHED = 256;

/** Only for clients of the 2025 revisions; the transport notifies current clients itself. */
export function registerSubscriptions(server: McpServer, context: McpContext, identity: Identity): void {
  const watched = new Set<string>();
  const report = (uri: string): void => {
    if (watched.has(uri)) server.server.sendResourceUpdated({ uri }).catch(() => {});
  };
  server.server.registerCapabilities({ resources: { subscribe: true } });
  server.server.setRequestHandler("resources/subscribe", ({ params: { uri } }, mcp) => {
    if (!callerOf(mcp, identity).may("read")) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidRequest,
        `Cannot watch ${uri}: your token lacks the scope "read"`,
      );
    }
    if (watched.size >= MAX_WATCHED) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Cannot watch ${uri}: a session watches at most ${MAX_WATCHED} resources`,
      );
    }
    watched.add(uri);
    if (uri === ALERT_LIST) watchAlerts(context);
    context.updates.add(report);
    return {};
  });
  server.server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    watched.delete(uri);
    return {};
  });
  const { onclose } = server.server;
  server.server.onclose = () => {
    context.updates.delete(report);
    onclose?.();
  };
}

function watchAlerts(context: McpContext): void {
  context.alertPoll ??= new AlertPoll(context);
  context.alertPoll.start();
}

class AlertPoll {
  readonly #context: McpContext;
  #timer: ReturnType<typeof setInterval> | undefined;
  #known: string | undefined;

  constructor(context: McpContext) {
    this.#context = context;
  }

  start(): void {
    if (this.#timer !== undefined || this.#context.store === undefined) return;
    void this.#look();
    this.#timer = setInterval(() => void this.#look(), 1000 * this.#context.alertSeconds);
    this.#context.stopping.addEventListener("abort", () => this.stop(), { once: true });
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    const newest = await openAlerts(this.#context).then((rows) => JSON.stringify(rows), () => this.#known);
    if (this.#known !== undefined && newest !== this.#known) this.#context.updated(ALERT_LIST);
    this.#known = newest;
  }
}

async function openAlerts(context: McpContext): Promise<Row[]> {
  const { store, settings, now } = context;
  if (store === undefined) return [];
  const { OPEN_MARKS, WatchState } = await import("../../../automation/watch/watch_state.ts");
  const profileId = settings.profiles === undefined
    ? undefined
    : (await context.profiles(context.stopping)).map(({ profileId }) => profileId);
  const state = await WatchState.open(store.place);
  try {
    const open = await state.list({ profileId, state: OPEN_MARKS, limit: MAX_LISTED, now: now() });
    return open.map((alert) => ({
      id: alert.id,
      country: alert.countryCode,
      profile_id: alert.profileId,
      day: alert.day,
      severity: alert.severity,
      rule: alert.rule,
      title: alert.title,
      state: alert.mark.state,
      plan_id: alert.planId,
    }));
  } finally {
    await state.close();
  }
}
