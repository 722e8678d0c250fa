import { COMMANDS } from "./command_index.ts";
import { wrapped } from "./shell/io/text_width.ts";
import { HELP_TOPICS } from "./help_topics.ts";

const WIDTH = 100;
const NAMES = 17;
const START: readonly Row[] = [
  { name: "adsctl init", summary: "set up the demo, your files or your account" },
  { name: "adsctl demo --console", summary: "a demo account in the browser" },
  { name: "adsctl list campaigns -m CA --demo", summary: "list the campaigns of that account" },
  { name: "adsctl help plan update", summary: "see how to change something" },
  { name: "adsctl auth doctor", summary: "see what your login still needs" },
];

interface Row {
  readonly name: string;
  readonly summary: string;
}

/** Built from the command index alone, so no command has to be loaded. */
export function frontPage(
  { width = WIDTH }: { width?: number | undefined } = {},
): string {
  const most = Math.min(width, WIDTH);
  const rows = (list: readonly Row[], names = NAMES): string[] =>
    list.flatMap((row) => rowLines(row, names, most));
  const lines = wrapped(
    "Manage advertising accounts from the terminal: plan changes, review them, apply them, undo them.",
    most,
  );
  lines.push("", "Usage: adsctl <command> [arguments] [options]");
  for (const [heading, entries] of Map.groupBy(COMMANDS, (entry) => entry.heading)) {
    lines.push("", `${heading}:`, ...rows(entries));
  }
  lines.push("", "Help topics (adsctl help TOPIC):", ...rows(HELP_TOPICS));
  lines.push(
    "",
    "Options:",
    ...rows([
      { name: "--demo", summary: "Use the built-in demo account, without a login" },
      { name: "--version", summary: "Print the version" },
      { name: "-h, --help", summary: "Show this help, or the help of a command" },
    ]),
    "",
    "Begin with:",
    ...rows(START, 36),
  );
  return lines.join("\n") + "\n";
}

function rowLines({ name, summary }: Row, names: number, width: number): string[] {
  const indent = " ".repeat(names + 2);
  const [first = "", ...more] = wrapped(summary, width, indent);
  return [`  ${name.padEnd(names)}${first.slice(indent.length)}`, ...more];
}
