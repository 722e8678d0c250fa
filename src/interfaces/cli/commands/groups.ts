import { lazyGroup, withLazyCommands } from "../shell/command.ts";

/** The account as a whole: its history, its files and its copies. */
export const accountGroup = lazyGroup("account", {
  summary: "Inspect, compare, copy and rehearse the whole account, or keep it as files",
  examples: [
    ["adsctl account history -m US", "list what changed, and when"],
    ["adsctl account pull -m US", "save the account as files, one per campaign"],
    ["adsctl account drift -m US", "find changes that your plans did not make"],
  ],
}, {
  "history": async () => (await import("./history.ts")).historyCommand,
  "drift": async () => (await import("./account/drift.ts")).driftCommand,
  "pull": async () => (await import("./account/pull.ts")).pullCommand,
  "diff": async () => (await import("./account/diff.ts")).diffCommand,
  "copy": async () => (await import("./account/copy.ts")).copyCommand,
  "rehearse": async () => (await import("./rehearse.ts")).rehearseCommand,
  "labels": async () => (await import("./labels.ts")).labelsCommand,
  "recommendations": async () => (await import("./recommendations.ts")).recommendationsCommand,
  "bids": async () => (await import("./bids.ts")).bidsCommand,
  "product-problems": async () => (await import("./product_problems.ts")).productProblemsCommand,
});

export const authGroup = withLazyCommands(
  "auth",
  async () => (await import("./auth/auth.ts")).authCommand,
  { "profiles": async () => (await import("./profiles.ts")).profilesCommand },
);

export const demoGroup = withLazyCommands(
  "demo",
  async () => (await import("./emulator/demo.ts")).demoCommand,
  { "arena": async () => (await import("./arena/arena.ts")).arenaCommand },
);

export const opsGroup = withLazyCommands(
  "ops",
  async () => (await import("./ops/ops.ts")).opsCommand,
  { "wire": async () => (await import("./wire.ts")).wireCommand },
);

export const serviceGroup = withLazyCommands(
  "service",
  async () => (await import("./automation/service.ts")).serviceCommand,
  {
    "script": async () => (await import("./automation/run.ts")).runCommand,
    "worker": async () => (await import("./automation/worker.ts")).workerCommand,
    "audit": async () => (await import("./audit.ts")).auditCommand,
  },
);

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
