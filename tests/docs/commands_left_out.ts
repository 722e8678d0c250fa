/** Pages whose commands are not those of a user: generated ones, released versions, and what only a clone can run. */
export const PAGES_LEFT_OUT = /^(?:CHANGELOG\.md|CONTRIBUTING\.md|changes\/|docs\/cli\/|docs\/proofs\.md)/;

/** Why a command that a page shows is not run. */
interface LeftOut {
  readonly path: string;
  readonly commands: RegExp;
  readonly reason: string;
}

const CLONE = "sets up a clone: tests/package/readme_proofs.ts runs these";

/** The only list of commands that the tests of the pages don't run. */
export const LEFT_OUT: readonly LeftOut[] = [
  { path: "README.md", commands: /^(?:npx|alias|npm)/, reason: CLONE },
  { path: "docs/getting_started.md", commands: /^(?:npx|alias)/, reason: CLONE },
  {
    path: "docs/agents_reference.md",
    commands: /^(?:npm|platform-ads-mcp)/,
    reason: "needs an OAuth issuer",
  },
  { path: "docs/arena.md", commands: /agent\.sh/, reason: "needs an agent" },
  {
    path: "docs/connecting.md",
    commands: /^adsctl auth (?:url|exchange)/,
    reason: "needs a person's consent",
  },
  {
    path: "docs/deploying.md",
    commands: /./,
    reason: "changes the machine: tests/docs/deploy_test.ts reads them",
  },
  { path: "docs/emulator.md", commands: /^adsctl demo (?:start|record)/, reason: "serves until Ctrl-C" },
  { path: "docs/emulator.md", commands: /^adsctl demo diff/, reason: "needs a recording of a real account" },
  { path: "docs/guides/from_files.md", commands: /FILE/, reason: "stands for any file" },
  {
    path: "docs/scaling.md",
    commands: /./,
    reason: "needs PostgreSQL: tests/store and tests/worker have one",
  },
  { path: "docs/store.md", commands: /--from/, reason: "needs a bucket or copies of a stream" },
  { path: "docs/store.md", commands: /target-postgres/, reason: "needs a Singer target" },
];

/** Files that a page shows as a block, by the page and name, each with words that only this block holds. */
export const SUPPLIED_FILES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "docs/guides/week.md": { "goals.yaml": "aim: sales" },
};

/** The reason why a command is not run, or `undefined` for one that is. */
export function leftOutReason(path: string, command: string): string | undefined {
  return LEFT_OUT.find((one) => one.path === path && one.commands.test(command))?.reason;
}
