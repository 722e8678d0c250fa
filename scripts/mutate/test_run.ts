import { linesRun } from "./line_coverage.ts";

/** How a file of tests ended. */
export interface TestRun {
  /** True when every test passed. */
  readonly passed: boolean;
  /** How long it took. */
  readonly seconds: number;
  /** The end of what it printed. */
  readonly output: string;
}

/** A file of tests, and what it reaches. */
export interface KnownTests {
  /** Path from the root. */
  readonly file: string;
  /** How long they take when they pass. */
  readonly seconds: number;
  /** The lines that they run: `path:line`. */
  readonly lines: ReadonlySet<string>;
}

/** Runs a file of tests in a copy of the project until the first one fails. Tests that never end are stopped, and failed. */
export async function runTests(
  copy: string,
  file: string,
  options: { readonly seconds: number; readonly coverage?: string },
): Promise<TestRun> {
  const began = performance.now();
  const coverage = options.coverage === undefined ? [] : [`--coverage=${options.coverage}`];
  const run = new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "-q", "--no-check", "--fail-fast", ...coverage, file],
    cwd: copy,
    env: { NO_COLOR: "1", DENO_COVERAGE_NO_REPORT: "1" },
    stdin: "null",
    signal: AbortSignal.timeout(options.seconds * 1000),
  });
  const { success, stdout, stderr } = await run.output();
  const decoder = new TextDecoder();
  const output = (decoder.decode(stdout) + decoder.decode(stderr)).slice(-2000);
  return { passed: success, seconds: (performance.now() - began) / 1000, output };
}

/** Runs a file of tests once to see how long it takes and which lines of `folder` it runs; gives the output of one that fails. */
export async function measureTests(copy: string, file: string, folder: string): Promise<KnownTests | string> {
  const coverage = await Deno.makeTempDir({ prefix: "mutate-coverage-" });
  try {
    const { passed, seconds, output } = await runTests(copy, file, { seconds: 600, coverage });
    if (!passed) return output;
    const report = await new Deno.Command(Deno.execPath(), {
      args: ["coverage", "-q", "--lcov", `--include=/${folder}/`, coverage],
      cwd: copy,
      stdin: "null",
      stderr: "null",
    }).output();
    return { file, seconds, lines: linesRun(new TextDecoder().decode(report.stdout), copy) };
  } finally {
    await Deno.remove(coverage, { recursive: true });
  }
}
