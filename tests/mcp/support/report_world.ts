import type { PlatformAds } from "../../../src/client/platform_ads.ts";
import { toolsetNames } from "../../../src/interfaces/mcp/context/toolsets.ts";
import { McpContext, type ToolSettings } from "../../../src/interfaces/mcp/context/mcp_context.ts";
import { StoreAccess } from "../../../src/interfaces/mcp/context/store_access.ts";
import type { ProgramCommand } from "../../../src/store/model/query_question.ts";
import { ReportHost } from "../../support/report_host.ts";

/** A stand-in for the platform's report service and servers' contexts that work on it. */
export class ReportWorld implements AsyncDisposable {
  /** The report service. */
  readonly host: ReportHost = new ReportHost();
  /** Folder that is removed at the end. */
  readonly folder: string = Deno.makeTempDirSync({ prefix: "mcp-reports-" });
  readonly #contexts: McpContext[] = [];

  /** Path of the store. */
  get store(): string {
    return `${this.folder}/ads.sqlite`;
  }

  /** What a new server process would share among its connections. */
  context(
    options: { settings?: Partial<ToolSettings>; store?: boolean; program?: ProgramCommand } = {},
  ): McpContext {
    const profile = { profileId: "1001", countryCode: "US", timezone: "UTC" };
    const ads = {
      profile: () => Promise.resolve(this.host.client(profile)),
      profiles: () => Promise.resolve([{ ...profile, region: "NA", accountInfo: {} }]),
    };
    const context = new McpContext({
      settings: {
        approval: undefined,
        approvalKey: "",
        demo: false,
        planFolder: `${this.folder}/plans`,
        policyFolder: `${this.folder}/policy-days`,
        readOnly: false,
        rows: "both",
        toolsets: toolsetNames(),
        saveFolder: undefined,
        stateFolder: this.folder,
        ...options.settings,
      },
      connect: () => Promise.resolve(ads as unknown as PlatformAds),
      store: options.store ? new StoreAccess(this.store, { program: options.program }) : undefined,
      now: () => this.host.now,
    });
    this.#contexts.push(context);
    return context;
  }

  /** Stops the contexts and removes the folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const context of this.#contexts) await context.stop();
    await Deno.remove(this.folder, { recursive: true });
  }
}
