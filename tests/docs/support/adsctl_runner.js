/**
 * Runs adsctl inside this process for each line of stdin, `{"words", "folder", "env"}`, and answers each with a line of
 * JSON: a start takes longer than most commands do. The argument is the module with `main`, of a clone or of an installed
 * package; it runs on Node and on Deno.
 */
import process from "node:process";
import { createInterface } from "node:readline";

const { main } = await import(process.argv[2]);

for await (const line of createInterface({ input: process.stdin })) {
  const { words, folder, env } = JSON.parse(line);
  process.chdir(folder);
  const printed = { stdout: "", stderr: "" };
  const stream = (name) => ({
    isTerminal: false,
    columns: undefined,
    write: (text) => {
      printed[name] += text;
      return Promise.resolve();
    },
  });
  const code = await main(words, {
    stdout: stream("stdout"),
    stderr: stream("stderr"),
    stdin: {
      isTerminal: false,
      text: () => Promise.resolve(""),
      pieces: () => new Blob([]).stream().pipeThrough(new TextDecoderStream()),
      line: () => Promise.resolve(undefined),
    },
    env,
    now: Date.now,
    sleep: (seconds) => new Promise((done) => setTimeout(done, seconds * 1000)),
    onInterrupt: () => () => {},
  });
  process.stdout.write(`${JSON.stringify({ code, ...printed })}\n`);
}
