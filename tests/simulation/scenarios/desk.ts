import { deepEqual, equal, ok } from "../../support/assert.ts";
import { type Change, type ChangePlan, PlanStore, PlatformAdsError } from "../../../mod.ts";
import { approvalKeyFiles, createApprovalKey } from "../../../src/plans/review/approval_key.ts";
import type { AppliedRecord } from "../../../src/plans/mod.ts";
import { findingKey } from "../../../src/plans/model/finding.ts";
import { loadPolicy } from "../../../src/plans/policy/mod.ts";
import { TestAccount } from "../../reliability/support/test_account.ts";
import { clientIn, fetchOf, runProgram, type Scenario } from "../scenario.ts";
import { Disk } from "../world/disk.ts";
import { adsctl, consoleServer, toolServer } from "../world/programs.ts";
import { CALM, type World } from "../world/world.ts";

const PLANS = "/agent";
const CONFIG = "/config/platform-ads";
/** Changes of the plans that may be sent, and those that the policy allows a day: not all plans have room. */
const [PER_PLAN, ALLOWED] = [4, 10];
/** Longer than anything that a dead program sent can be on its way, in milliseconds. */
const ALL_ARRIVED = 200_000;
/** Modules that the programs load when they need them. */
const LOADED = [
  "src/account",
  "src/base",
  "src/client",
  "src/interfaces/cli/commands/plan",
  "src/interfaces/cli",
  "src/interfaces/cli/shell",
  "src/interfaces/console",
  "src/interfaces/mcp",
  "src/plans",
  "src/platform",
  "src/store/figures",
  "src/store/queue",
  "src/store/sqlite",
];

export const DESK: Scenario = {
  name: "desk",
  seeds: 2,
  about:
    "A person with adsctl, a script, an agent's tool server and the console act on the same plans; killed and frozen",
  load: async () => {
    for (const folder of LOADED) await loadAll(new URL(`../../../${folder}/`, import.meta.url));
  },
  async run(world) {
    const account = await TestAccount.of(world.emulator, { fetch: fetchOf(world) });
    const { chance } = world;
    const all = account.plan({
      bids: 3 * PER_PLAN,
      budgets: 0,
      adGroups: 3,
      keywords: 0,
      archives: 0,
      brandBids: 0,
      brandKeywords: 0,
      brandTargets: 0,
    }).changes;
    const bids = all.filter(({ op }) => op === "update");
    const creates = all.filter(({ op }) => op === "create");
    const part = (at: number): Change[] => bids.slice(at * (PER_PLAN - 1), (at + 1) * (PER_PLAN - 1));
    const plans = [0, 1, 2].map((at) => account.planOf([...part(at), creates[at]!]));
    const forbidden = account.planOf(bids.slice(-3));
    const disk = new Disk();
    for (const plan of [...plans, forbidden]) disk.put(`${PLANS}/plan-${plan.id}.json`, plan.toJson());
    const ids = forbidden.changes.map(({ id }) => `"${id}"`).join(", ");
    disk.put(
      "/policy.yaml",
      `version: 1\nmax_changes: ${ALLOWED}\nprotect: { ids: [${ids}] }\nlevels: { protect: approve }\n`,
    );
    const env = variables(world);
    await runProgram(world, {
      name: "key",
      disk,
      main: () => createApprovalKey(approvalKeyFiles(CONFIG)),
    });

    const note = (what: string): void => world.log.add(`= ${what}`);
    const person = async (): Promise<void> => {
      for (let left = chance.integer("acts of the person", 1, 2); left > 0; left--) {
        const act = chance.pick("act", ["apply", "approve", "approve", "resume"]);
        const code = await adsctl(["plan", act, chance.pick("plan", plans).id], { env, person: true });
        note(`plan ${act}: ${code}`);
      }
    };
    const script = async (): Promise<void> => {
      const plan = chance.pick("plan", [forbidden, ...plans]);
      const act = chance.pick("act", ["apply", "resume"]);
      note(`plan ${act} --yes: ${await adsctl(["plan", act, plan.id, "--yes", "--accept-risk"], { env })}`);
    };
    const agent = (): Promise<void> =>
      toolServer(["--plan-dir", PLANS, "--policy", "/policy.yaml"], {
        env: { ...env, PLATFORM_ADS_MCP_APPROVAL: "terminal" },
        work: async (agent) => {
          for (let left = chance.integer("acts of the agent", 1, 3); left > 0; left--) {
            const { id, fingerprint } = chance.pick("plan", [forbidden, ...plans]);
            const { isError, text } = await agent.call("apply_plan", { plan_id: id, fingerprint });
            note(`apply_plan: ${isError ? text.slice(0, 60) : "done"}`);
            await new Promise((later) => setTimeout(later, chance.integer("the agent waits", 1, 60) * 1000));
          }
        },
      });
    const page = async (): Promise<void> => {
      const policy = await loadPolicy("/policy.yaml", { ledger: "/state/platform-ads/policy-days" });
      await consoleServer({
        ads: clientIn(world, { policy }),
        folder: PLANS,
        config: CONFIG,
        work: async (ask) => {
          const { id, fingerprint } = chance.pick("plan", plans);
          const review = await ask(`/api/plans/${id}/review`);
          if (review.status !== 200) return;
          const accepted = review.data.findings.map(findingKey);
          const { shown } = review.data;
          const act = chance.pick("act", ["approve", "apply", "apply"]);
          const { status, data } = await ask(`/api/plans/${id}/${act}`, { fingerprint, accepted, shown });
          note(`${act} in the console: ${status} ${data.code ?? ""}`);
          if (status === 409 && data.code === "REFUSED") await ask(`/api/plans/${id}/resume`, { accepted });
        },
      });
    };
    const programs = { person, script, agent, page };
    const check = (): void => {
      deepEqual(all.filter((change) => account.timesDone(change) > 1).map(name), [], "nothing is done twice");
      const sent = forbidden.changes.filter((change) => account.timesDone(change) > 0).map(name);
      deepEqual(sent, [], "nothing is sent that nobody approved");
      const again = bids.filter(({ id }) => writesOf(world, id!) > 1).map(name);
      deepEqual(again, [], "nothing is sent twice");
      const count = all.filter((change) => account.timesDone(change) > 0).length;
      ok(count <= ALLOWED, `${count} changes were sent where ${ALLOWED} a day are allowed`);
    };

    world.drawFaults(["kill", "freeze", "loseResponse", "loseRequest", "slow"]);
    for (let round = 1, rounds = chance.integer("rounds", 2, 3); round <= rounds; round++) {
      const started = Object.entries(programs).flatMap(([who, main]) =>
        chance.happens(`${who} takes part`, 0.7) ? [world.spawn(`${who} ${round}`, { disk, main })] : []
      );
      await world.run(Promise.all(started.map(({ ended }) => ended)));
      for (const { name, error } of started) {
        ok(error === undefined || isExpected(error), `${name} threw ${(error as Error)?.stack}`);
      }
      check();
    }
    world.faults = CALM;
    await world.run(world.pass(ALL_ARRIVED));
    for (const plan of plans) {
      await runProgram(world, {
        name: `last of ${plan.id}`,
        disk,
        main: () => adsctl(["plan", "resume", plan.id, "--yes", "--accept-risk"], { env }),
      });
    }
    check();
    const records = await runProgram(world, {
      name: "reader",
      disk,
      main: () => Promise.all(plans.map((plan) => PlanStore.open(PLANS).applied(plan.id))),
    });
    for (const [at, plan] of plans.entries()) explains(records[at], plan, account);
  },
};

/** Holds what is written down of a plan against what the platform did. */
function explains(record: AppliedRecord | undefined, plan: ChangePlan, account: TestAccount): void {
  for (const [at, change] of plan.changes.entries()) {
    const times = account.timesDone(change);
    const outcome = record?.changes[at]?.outcome ?? "nothing";
    if (times > 0) ok(/done|unknown/.test(outcome), `${name(change)} was done and is called ${outcome}`);
    if (outcome === "done") equal(times, 1, `${name(change)} is called done`);
  }
}

/** How often the platform was asked to change a keyword. */
function writesOf({ emulator }: World, id: string): number {
  return emulator.requests().filter(({ method, path, body }) =>
    method === "PUT" && path.endsWith("/sp/keywords") && body?.includes(`"${id}"`)
  ).length;
}

function name({ op, kind, label }: Change): string {
  return `${op} ${kind} ${label}`;
}

function isExpected(error: unknown): boolean {
  // A client of the tool server waits a minute for a response.
  return error instanceof PlatformAdsError || /timed out/i.test(String(error));
}

function variables({ emulator: { platform, credentials } }: World): Record<string, string> {
  return {
    PLATFORM_ADS_BASE_URL_NA: platform.regions.NA!.baseUrl,
    PLATFORM_ADS_BASE_URL_EU: platform.regions.EU!.baseUrl,
    PLATFORM_ADS_BASE_URL_FE: platform.regions.FE!.baseUrl,
    PLATFORM_ADS_TOKEN_URL: platform.tokenUrl,
    PLATFORM_ADS_CLIENT_ID: credentials.clientId,
    PLATFORM_ADS_CLIENT_SECRET: credentials.clientSecret,
    PLATFORM_ADS_REFRESH_TOKEN: credentials.refreshToken,
    PLATFORM_ADS_POLICY: "/policy.yaml",
    PLATFORM_ADS_MCP_PLAN_DIR: PLANS,
    PLATFORM_ADS_STORE: "/none.sqlite",
    XDG_STATE_HOME: "/state",
    XDG_CONFIG_HOME: "/config",
  };
}

async function loadAll(folder: URL): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) await loadAll(new URL(`${name}/`, folder));
    else if (name.endsWith(".ts")) await import(new URL(name, folder).href);
  }
}
