import type { AuditLog } from "../../../src/automation/audit/audit_log.ts";
import type { Fetch } from "../../../mod.ts";
import { PlatformAds } from "../../../src/client/platform_ads.ts";
import { Emulator, type EmulatorOptions } from "../../../src/emulator/mod.ts";
import { judge, type Review } from "../../../src/plans/review/judge.ts";
import { loadPolicy } from "../../../src/plans/policy/load_policy.ts";
import { PlanStore } from "../../../src/plans/store/plan_store.ts";
import { toolsetNames } from "../../../src/interfaces/mcp/context/toolsets.ts";
import { McpContext, type ToolSettings } from "../../../src/interfaces/mcp/context/mcp_context.ts";
import type { StoreAccess } from "../../../src/interfaces/mcp/context/store_access.ts";

interface Door {
  knock: () => void;
  open: Promise<void>;
}

/** An emulator and a server's context that works on it, in folders of their own. */
export class World implements AsyncDisposable {
  /** The platform. */
  readonly emulator: Emulator;
  /** Folder that is removed at the end. */
  readonly folder: string;
  /** Lines of the servers' logs. */
  readonly log: string[] = [];
  /** Milliseconds by which the servers' clock is ahead: the time that a person takes. */
  passed = 0;

  readonly #door: Door;

  private constructor(parts: { emulator: Emulator; folder: string; door: Door }) {
    this.emulator = parts.emulator;
    this.folder = parts.folder;
    this.#door = parts.door;
  }

  /** Starts it. */
  static async start(options: Pick<EmulatorOptions, "quirks" | "journalLimit"> = {}): Promise<World> {
    const door: Door = { knock: () => {}, open: Promise.resolve() };
    const sleep = (): Promise<void> => {
      door.knock();
      return door.open;
    };
    const emulator = await Emulator.start({
      clock: { now: "2026-09-30T12:00:00Z", frozen: true },
      sleep,
      ...options,
    });
    return new World({ emulator, folder: await Deno.makeTempDir({ prefix: "mcp-test-" }), door });
  }

  /** Holds back the next write of that kind at the platform's door, until it is let in. */
  holdNext(method: string, path: string): { readonly arrived: Promise<void>; letIn(): void } {
    const arrived = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    this.#door.knock = arrived.resolve;
    this.#door.open = opened.promise;
    this.emulator.setFaults([{ match: { method, path }, times: 1, effects: { delay: 1 } }]);
    return { arrived: arrived.promise, letIn: opened.resolve };
  }

  /** Folder of the plans. */
  get planFolder(): string {
    return `${this.folder}/plans`;
  }

  /** What a new server process would share among its connections. */
  context(
    settings: Partial<ToolSettings> = {},
    { fetch, ...options }: { fetch?: Fetch; now?: () => number; store?: StoreAccess; audit?: AuditLog } = {},
  ): McpContext {
    const { credentials, platform } = this.emulator;
    const context = new McpContext({
      settings: {
        approval: undefined,
        approvalKey: `${this.folder}/approval-key.pub.json`,
        demo: false,
        planFolder: this.planFolder,
        policyFolder: `${this.folder}/policy-days`,
        readOnly: false,
        rows: "both",
        toolsets: toolsetNames(),
        saveFolder: undefined,
        stateFolder: this.folder,
        ...settings,
      },
      connect: async (context) => {
        const policy = settings.policy === undefined
          ? undefined
          : await loadPolicy(settings.policy, { ledger: `${this.folder}/policy-days` });
        context.policy = policy;
        return new PlatformAds(credentials, {
          platform,
          profiles: settings.profiles,
          policy,
          now: () => this.emulator.clock.now(),
          sleep: () => Promise.resolve(),
          onEvent: context.onEvent,
          ...(fetch === undefined ? {} : { fetch }),
        });
      },
      log: (line) => this.log.push(line),
      now: () => Date.now() + this.passed,
      ...options,
    });
    context.secrets.add(credentials.clientSecret);
    context.secrets.add(credentials.refreshToken);
    return context;
  }

  /** Requests that changed or could change the account, from the platform's own journal. */
  writes(): string[] {
    return this.emulator.requests()
      .filter(({ method, path }) => isWrite(method, path))
      .map(({ method, path }) => `${method} ${path}`);
  }

  /** Stops the platform and removes the folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.emulator.stop();
    await Deno.remove(this.folder, { recursive: true });
  }
}

function isWrite(method: string, path: string): boolean {
  if (path.startsWith("/auth/")) return false;
  if (method === "PUT" || method === "DELETE" || method === "PATCH") return true;
  return method === "POST" && !/\/(list|history|recommendations|reports)$/.test(path);
}

/** What a person is shown of a plan of a world. */
export async function reviewIn(world: World, planId: string): Promise<Review> {
  const { credentials, platform } = world.emulator;
  const ads = new PlatformAds(credentials, { platform, now: () => world.emulator.clock.now() });
  const plan = await PlanStore.open(world.planFolder).get(planId);
  return await judge(plan, ads.profileFrom(plan.profileId, plan.countryCode));
}
