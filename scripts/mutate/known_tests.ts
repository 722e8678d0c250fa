import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { linesRun } from "./line_coverage.ts";
import { runTests } from "./test_run.ts";

/** A file of tests, and what it reaches. */
export interface KnownTests {
  /** Path from the root. */
  readonly file: string;
  /** How long they take when they pass. */
  readonly seconds: number;
  /** The lines of sources that they run: `path:line`. */
  readonly lines: ReadonlySet<string>;
}

/** Where what was measured is kept for the next time: by the contents of the tests and of all that they import. */
const MEASURED = join(tmpdir(), "platform-ads-mutate-2");

/**
 * How long a file of tests takes and which lines of src it runs; gives the output of one that fails. It is run once for
 * that, unless it was measured before and nothing has changed since.
 */
export async function measureTests(copy: string, file: string): Promise<KnownTests | string> {
  const place = join(MEASURED, `${await contentsHash(copy, file)}.json`);
  const kept = await Deno.readTextFile(place).catch(() => undefined);
  if (kept !== undefined) {
    const { seconds, lines } = JSON.parse(kept);
    return { file, seconds, lines: new Set(lines) };
  }
  const coverage = await Deno.makeTempDir({ prefix: "mutate-coverage-" });
  try {
    const { passed, seconds, output } = await runTests(copy, file, { seconds: 600, coverage });
    if (!passed) return output;
    const report = await new Deno.Command(Deno.execPath(), {
      args: ["coverage", "-q", "--lcov", `--include=/src/`, coverage],
      cwd: copy,
      stdin: "null",
      stderr: "null",
    }).output();
    const lines = linesRun(new TextDecoder().decode(report.stdout), copy);
    await Deno.mkdir(MEASURED, { recursive: true, mode: 0o700 });
    await Deno.writeTextFile(`${place}.${Deno.pid}`, JSON.stringify({ seconds, lines: [...lines] }));
    await Deno.rename(`${place}.${Deno.pid}`, place);
    return { file, seconds, lines };
  } finally {
    await Deno.remove(coverage, { recursive: true });
  }
}

/** Equal as long as a file of tests, everything that it imports and the versions of packages stay as they are. */
async function contentsHash(copy: string, file: string): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", file],
    cwd: copy,
    stdin: "null",
    stderr: "null",
  }).output();
  const graph: { modules: { local?: string }[] } = JSON.parse(new TextDecoder().decode(stdout));
  const root = await Deno.realPath(copy);
  const paths = graph.modules.flatMap(({ local }) => local?.startsWith(root) ? [relative(root, local)] : []);
  const hash = createHash("sha256").update(`${Deno.version.deno} ${file}`);
  for (const path of ["deno.json", "deno.lock", ...paths.sort()]) {
    hash.update(`\0${path}\0`).update(await Deno.readFile(join(root, path)));
  }
  return hash.digest("hex");
}
