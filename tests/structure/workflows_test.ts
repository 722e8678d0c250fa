import { deepEqual, doesNotMatch, equal, ok } from "../support/assert.ts";
import { parse } from "yaml";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly permissions?: unknown;
  readonly jobs: Readonly<
    Record<string, { readonly "timeout-minutes"?: number; readonly steps: readonly Step[] }>
  >;
}

const FOLDER = ".github/workflows";
const workflows = new Map<string, Workflow>();
for (const { name } of Deno.readDirSync(FOLDER)) {
  workflows.set(name, parse(await Deno.readTextFile(`${FOLDER}/${name}`)) as Workflow);
}
const steps = [...workflows].flatMap(([file, { jobs }]) =>
  Object.values(jobs).flatMap((job) => job.steps.map((step) => ({ file, ...step })))
);

Deno.test("every workflow says what it may do and when to give up", () => {
  deepEqual([...workflows.keys()].sort(), ["catalog.yml", "ci.yml", "release.yml", "reliability.yml"].sort());
  for (const [file, { permissions, jobs }] of workflows) {
    ok(permissions !== undefined, `${file} has no permissions`);
    for (const [name, job] of Object.entries(jobs)) {
      ok(job["timeout-minutes"], `${file}: ${name} has no limit`);
    }
  }
});

Deno.test("every script that a workflow runs is there", () => {
  const paths = steps.flatMap(({ run = "" }) => run.match(/(?:\bscripts\/\w+\.ts|\.ci\/run)\b/g) ?? []);
  ok(paths.length >= 5, paths.join(" "));
  for (const path of paths) ok(Deno.statSync(path).isFile, path);
});

Deno.test("Deno has one version, in the workflows, in CI and on the pages", async () => {
  const said = steps.filter(({ uses = "" }) => uses.startsWith("denoland/setup-deno@")).map((step) =>
    String(step.with?.["deno-version"])
  );
  for (const path of [".ci/run", "README.md", "CONTRIBUTING.md", "docs/getting_started.md"]) {
    const text = await Deno.readTextFile(path);
    said.push(...[...text.matchAll(/\bdeno@([\d.]+)/g)].map((found) => found[1]!));
  }
  ok(said.length > 8);
  equal(new Set(said).size, 1, [...new Set(said)].join(" "));
});

Deno.test("the README installs the tarball of this version", async () => {
  const { version } = JSON.parse(await Deno.readTextFile("deno.json")) as { version: string };
  const tarballs = (await Deno.readTextFile("README.md")).match(/platform-ads-[\d.]+\.tgz/g) ?? [];
  deepEqual([...new Set(tarballs)], [`platform-ads-${version}.tgz`]);
});

Deno.test("every action is pinned by the hash of a commit", () => {
  const used = steps.flatMap(({ file, uses }) => uses === undefined ? [] : [`${file}: ${uses}`]);
  ok(used.length >= 10);
  deepEqual(used.filter((line) => !/@[0-9a-f]{40}$/.test(line)), []);
});

Deno.test("an action has one version", () => {
  const versions = new Map<string, Set<string>>();
  for (const { uses } of steps) {
    const [name, version] = uses?.split("@") ?? [];
    if (name !== undefined) versions.set(name, (versions.get(name) ?? new Set()).add(version!));
  }
  deepEqual([...versions].filter(([, known]) => known.size > 1), []);
});

Deno.test("npm publishes a path that it cannot take for a repository of somebody's", () => {
  const publishing = steps.filter(({ run = "" }) => run.includes("npm publish"));
  equal(publishing.length, 1);
  for (const { run } of publishing) doesNotMatch(run!, /\s(?!\.\/)\S+\.tgz/);
});

Deno.test("the weekly run of the reliability suite draws a new seed each time", () => {
  const runs = steps.filter(({ run = "" }) => run.includes("task reliability"));
  equal(runs.length, 1);
  doesNotMatch(runs[0]!.run!, /--seed/);
});
