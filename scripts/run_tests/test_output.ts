import { LONG_MARK } from "./lanes.ts";

const RESULT = /^(\S+) => (.*) \.\.\. (ok|ignored|FAILED)(?: \(.*\))?$/;
const BLOCK_START = /^------- (?:post-test |pre-test )?output -------$/;
const BLOCK_END = /----- (?:post-test |pre-test )?output end -----$/;
/** How tests that print why they are skipped begin that line. */
const SKIP_REASON = /^Not tried\b/;
/** The line of counts that `deno test` ends with. */
const COUNTS = /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed/;
const NOISE = /^(?:Check|Download|Initialize) /;

/** Where a {@linkcode TestOutput} writes. */
export interface TestOutputOptions {
  /** Takes a line. */
  readonly print: (line: string) => void;
  /** Takes the text of a counter that replaces the one before; the empty text removes it. @default no counter */
  readonly counter?: (text: string) => void;
}

/**
 * Reads the lines of `deno test --parallel` and prints what matters: each failed test with what it printed, the errors
 * and counts at the end, and why tests were skipped.
 */
export class TestOutput {
  readonly #print: (line: string) => void;
  readonly #counter: (text: string) => void;
  readonly #skipped = new Set<string>();
  #block: string[] | undefined;
  #lastBlock: readonly string[] = [];
  #passed = 0;
  #failed = 0;
  #summary = false;
  #long = 0;

  constructor({ print, counter = () => {} }: TestOutputOptions) {
    this.#print = print;
    this.#counter = counter;
  }

  /** Tests of the files that were run; `long` ones were left to the other lane. */
  get counts(): { readonly passed: number; readonly failed: number; readonly long: number } {
    return { passed: this.#passed, failed: this.#failed, long: this.#long };
  }

  /** Takes a line of the standard output. */
  line(line: string): void {
    if (this.#summary) return this.#summed(line);
    if (this.#block !== undefined) return this.#inBlock(this.#block, line);
    if (BLOCK_START.test(line)) {
      this.#block = [];
      return;
    }
    if (line.trim() === "") return;
    const [, file, name, verdict] = RESULT.exec(line) ?? [];
    if (verdict === "FAILED") {
      this.#failed++;
      this.#show(`FAILED ${file} => ${name}`);
      for (const printed of this.#lastBlock) this.#show(`       ${printed}`);
    } else if (verdict === "ignored" && name!.startsWith(LONG_MARK)) this.#long++;
    else if (verdict === "ignored") this.#skipped.add(`Skipped: ${file} => ${name}`);
    else if (verdict === "ok") this.#passed++;
    else {
      if (line === " ERRORS " || COUNTS.test(line)) this.#beginSummary();
      this.#summed(line);
    }
    this.#lastBlock = [];
    if (!this.#summary) this.#counter(`${this.#passed} passed, ${this.#failed} failed`);
  }

  /** Takes a line of the standard error. */
  diagnostic(line: string): void {
    if (!NOISE.test(line)) this.#show(line);
  }

  /** Says that no more lines come. */
  end(): void {
    this.#counter("");
  }

  #inBlock(block: string[], line: string): void {
    if (!BLOCK_END.test(line)) {
      if (SKIP_REASON.test(line)) this.#skipped.add(line);
      block.push(line);
      return;
    }
    this.#lastBlock = block;
    this.#block = undefined;
  }

  #beginSummary(): void {
    this.#summary = true;
    for (const line of this.#skipped) this.#show(line);
  }

  /** The final counts hold what no line named: a file that cannot be loaded. */
  #summed(line: string): void {
    const [, passed, failed] = COUNTS.exec(line) ?? [];
    if (passed !== undefined) [this.#passed, this.#failed] = [Number(passed), Number(failed)];
    this.#show(line);
  }

  #show(line: string): void {
    this.#counter("");
    this.#print(line);
  }
}
