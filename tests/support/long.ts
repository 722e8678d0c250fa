/**
 * The tag of tests that `deno task test` leaves to `deno task test:long`.
 *
 * `deno test FILE` runs every test of a file, tagged or not.
 */
import { marks } from "../../scripts/run_tests/marks.ts";

/** Tags the test that is declared next. */
export function long(): void {
  marks.isNextLong = true;
}

/** Tags every test that the file declares from here on. A file that begins with it is not loaded by `deno task test`. */
export function longFile(): void {
  marks.isFileLong = true;
}
