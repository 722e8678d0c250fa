const MESSAGES: readonly (readonly [pattern: RegExp, words: (...parts: string[]) => string])[] = [
  [/^unknown option '([^']+)'/, (option) => `Cannot find an option "${option}"`],
  [/^unknown command '([^']+)'/, (name) => `Cannot find a command "${name}"`],
  [/^missing required argument '([^']+)'/, (name) => `Cannot begin: <${name}> is missing`],
  [/^option '([^']+)' argument missing/, (flags) => `Cannot use ${flags}: its value is missing`],
  [/^required option '([^']+)' not specified/, (flags) => `Cannot begin: ${flags} is missing`],
  [
    /^option '([^']+)' argument '([^]*)' is invalid\. ?([^]*?)\.?$/,
    (flags, value, why) =>
      `Cannot use "${flags.includes("=") ? nameOnly(value) : value}" as ${flags}: ${lower(why)}`,
  ],
  [
    /^command-argument value '([^]*)' is invalid for argument '([^']+)'\. ?([^]*?)\.?$/,
    (value, name, why) => `Cannot use "${value}" as <${name}>: ${lower(why)}`,
  ],
  [
    /^too many arguments(?: for '[^']+')?\. Expected (\d+) arguments? but got (\d+): ([^]*?)\.?$/,
    (expected, _got, words) => {
      const surplus = words.split(", ").slice(Number(expected)).map((word) => `"${word}"`).join(", ");
      const most = expected === "1" ? "one argument" : `${expected} arguments`;
      return `Cannot use ${surplus}: the command takes ${expected === "0" ? "no arguments" : `only ${most}`}`;
    },
  ],
  [
    /^option '([^']+)' cannot be used with option '([^']+)'/,
    (a, b) => `Cannot use ${a} together with ${b}: choose one`,
  ],
];

/** Values of pairs may be secrets, such as those of headers. */
function nameOnly(pair: string): string {
  return pair.replace(/(=)[^]*|[:\s][^]*/, "$1…");
}

export function parserWords(message: string): string {
  const [, text = "", near] =
    /^(?:error: )?([^]*?)(?:\n\(Did you mean (?:one of )?([^]*)\?\))?$/.exec(message.trimEnd()) ?? [];
  for (const [pattern, words] of MESSAGES) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const said = words(...found.slice(1));
    if (near === undefined) return said;
    return `${said}. Did you mean ${near.split(", ").map((one) => `"${one}"`).join(" or ")}?`;
  }
  return text;
}

function lower(text: string): string {
  if (text.startsWith("Allowed choices are ")) {
    return `expected one of ${text.slice("Allowed choices are ".length)}`;
  }
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
