/** How tests ended. */
export interface TestRun {
  /** True when every test passed. */
  readonly passed: boolean;
  /** True when they were stopped because they did not end. */
  readonly isStopped: boolean;
  /** How long they took. */
  readonly seconds: number;
  /** Name of the first test that failed; `undefined` when none did, or when it is not known. */
  readonly failed: string | undefined;
  /** The end of what was printed. */
  readonly output: string;
}

/**
 * Runs a file of tests in a copy of the project until the first one fails. Tests that never end are stopped, and failed.
 *
 * @param options `seconds` is the time after which they are stopped, `names` the only tests to run, and `coverage` a
 * folder for what they reach.
 */
export async function runTests(
  copy: string,
  file: string,
  options: {
    readonly seconds: number;
    readonly names?: readonly string[] | undefined;
    readonly coverage?: string | undefined;
  },
): Promise<TestRun> {
  const { seconds, names, coverage } = options;
  const began = performance.now();
  const signal = AbortSignal.timeout(seconds * 1000);
  const run = new Deno.Command(Deno.execPath(), {
    args: [
      ...["test", "-A", "-q", "--no-check", "--fail-fast", "--reporter=tap"],
      ...names === undefined ? [] : [`--filter=/^(?:${names.map(RegExp.escape).join("|")})$/`],
      ...coverage === undefined ? [] : [`--coverage=${coverage}`],
      file,
    ],
    cwd: copy,
    env: { NO_COLOR: "1", DENO_COVERAGE_NO_REPORT: "1" },
    stdin: "null",
    signal,
  });
  const { success, stdout, stderr } = await run.output();
  const decoder = new TextDecoder();
  const printed = decoder.decode(stdout) + decoder.decode(stderr);
  return {
    passed: success,
    isStopped: !success && signal.aborted,
    seconds: (performance.now() - began) / 1000,
    failed: /^not ok \d+ - (.*)$/m.exec(printed)?.[1],
    output: printed.slice(-2000),
  };
}
