/** Updates existing variables in place, adds new ones at the end, and leaves all other lines unchanged. */
export function setInDotenv(text: string, values: Readonly<Record<string, string>>): string {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  let result = text;
  for (const [name, value] of Object.entries(values)) {
    const line = new RegExp(
      `^([ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=[ \\t]*)("(?:\\\\[^]|[^"\\\\])*"|'[^']*'|\`[^\`]*\`|[^\\r\\n]*)`,
      "gm",
    );
    let found = false;
    result = result.replace(line, (_, before: string) => {
      found = true;
      return before + quoted(value);
    });
    if (found) continue;
    if (result !== "" && !result.endsWith("\n")) result += lineEnd;
    result += `${name}=${quoted(value)}${lineEnd}`;
  }
  return result;
}

function quoted(value: string): string {
  // A bar would be a pipe for a shell that reads the file.
  if (/^[\w./+=:@-]*$/.test(value)) return value;
  return `"${value.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r")}"`;
}
