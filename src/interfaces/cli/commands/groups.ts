import { lazyGroup, withLazyCommands } from "../shell/command.ts";

export const accountGroup = lazyGroup("account", {
  summary: "Inspect, compare, copy and rehearse the whole account, or keep it as files",
  examples: [
    ["adsctl account history -m US", "list what changed, and when"],
    ["adsctl account pull -m US", "save the account as files, one per campaign"],
    ["adsctl account drift -m US", "find changes that your plans did not make"],
  ],
}, {
  "history": async () => (await import("./account/history.ts")).historyCommand,
  "drift": async () => (await import("./account/drift.ts")).driftCommand,
  "pull": async () => (await import("./account/pull.ts")).pullCommand,
  "diff": async () => (await import("./account/diff.ts")).diffCommand,
  "copy": async () => (await import("./account/copy.ts")).copyCommand,
  "rehearse": async () => (await import("./rehearse.ts")).rehearseCommand,
  "labels": async () => (await import("./account/labels.ts")).labelsCommand,
  "recommendations": async () => (await import("./account/recommendations.ts")).recommendationsCommand,
  "bids": async () => (await import("./account/bids.ts")).bidsCommand,
  "product-problems": async () => (await import("./account/product_problems.ts")).productProblemsCommand,
});

export const authGroup = withLazyCommands(
  "auth",
  async () => (await import("./auth/auth.ts")).authCommand,
  { "profiles": async () => (await import("./auth/profiles.ts")).profilesCommand },
);

export const demoGroup = withLazyCommands(
  "demo",
  async () => (await import("./emulator/demo.ts")).demoCommand,
  { "arena": async () => (await import("./emulator/arena.ts")).arenaCommand },
);

export const opsGroup = withLazyCommands(
  "ops",
  async () => (await import("./ops/ops.ts")).opsCommand,
  { "wire": async () => (await import("./ops/wire.ts")).wireCommand },
);

const auto = () => import("./automation/auto.ts");
const schedule = () => import("./automation/schedule.ts");
const watch = () => import("./automation/watch.ts");

export const autoGroup = lazyGroup("auto", {
  summary: "Run syncs, schedules, pacing, alert rules and scripts on timers",
  details:
    "service.yaml has timers for profiles, and names the files of units: schedules, pacing, goals, watch (alert " +
    "rules) and scripts. Each unit also runs alone, from cron. Several processes can share one store: each timer of " +
    "a profile runs in only one of them, missed runs are made up once, and another process takes over after a crash " +
    "within a minute. Only schedules, pacing, and rules with policy-allowed plans write to the account.",
  examples: [
    ["adsctl auto init", "write a commented service.yaml based on the account and the folder"],
    ["adsctl auto run", "run its timers until Ctrl-C or SIGTERM"],
    ["adsctl auto status", "show last runs, late timers and next runs"],
    ["adsctl auto run schedules -m US", "run one unit once"],
  ],
  library: "await runService(profiles, { file, place, store, plans, signal })",
}, {
  "init": async () => (await auto()).initCommand,
  "check": async () => (await auto()).checkCommand,
  "show": async () => (await auto()).showCommand,
  "run": async () => (await auto()).runCommand,
  "status": async () => (await auto()).statusCommand,
  "plan": async () => (await auto()).planCommand,
  "start": async () => (await schedule()).startCommand,
  "stop": async () => (await schedule()).stopCommand,
  "base": async () => (await schedule()).baseCommand,
  "learn": async () => (await schedule()).learnCommand,
  "outcome": async () => (await schedule()).outcomeCommand,
  "test": async () => (await watch()).testCommand,
  "alerts": async () => (await watch()).alertsCommand,
  "mark": async () => (await watch()).markCommand,
  "script": async () => (await import("./automation/run.ts")).runCommand,
  "worker": async () => (await import("./automation/worker.ts")).workerCommand,
  "audit": async () => (await import("./automation/audit.ts")).auditCommand,
});

export const storeGroup = withLazyCommands(
  "store",
  async () => (await import("./store/store.ts")).storeCommand,
  { "stream": async () => (await import("./store/stream.ts")).streamCommand },
);

export const reportGroup = withLazyCommands(
  "report",
  async () => (await import("./report/report.ts")).reportCommand,
  { "clean-room": async () => (await import("./report/clean_room.ts")).cleanRoomCommand },
);
