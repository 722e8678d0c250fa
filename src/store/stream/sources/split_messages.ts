/**
 * The messages of a text: one JSON value a line, several in a row on one line, a list, or one value over many lines. What
 * is not JSON is a message as well, as it is.
 */
export function* splitMessages(text: string): Generator<{ line: number; body: string }> {
  const isWhole = spansLines(text);
  if (isWhole) {
    yield { line: 1, body: text.trim() };
    return;
  }
  let line = 0;
  for (const body of linesOf(text)) {
    line++;
    const trimmed = body.trim();
    if (trimmed === "") continue;
    const parts = isJson(trimmed) ? [trimmed] : valuesIn(trimmed);
    for (const part of parts) yield { line, body: part };
  }
}

/** True for one value that is written over several lines. */
function spansLines(text: string): boolean {
  const trimmed = text.trim();
  const end = trimmed.indexOf("\n");
  return end !== -1 && !isJson(trimmed.slice(0, end)) && isJson(trimmed);
}

function* linesOf(text: string): Generator<string> {
  let start = text.charCodeAt(0) === 0xFEFF ? 1 : 0;
  for (;;) {
    const end = text.indexOf("\n", start);
    if (end === -1) return yield text.slice(start);
    yield text.slice(start, end);
    start = end + 1;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The objects that follow each other on a line; the whole line where it is something else. */
function valuesIn(line: string): string[] {
  const values: string[] = [];
  let [depth, start, isInText] = [0, 0, false];
  for (let at = 0; at < line.length; at++) {
    const char = line[at];
    if (isInText) {
      if (char === "\\") at++;
      else if (char === '"') isInText = false;
    } else if (char === '"') isInText = true;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) {
      values.push(line.slice(start, at + 1).replace(/^[\s,]+/, ""));
      start = at + 1;
    }
  }
  const rest = line.slice(start).replace(/^[\s,]+/, "");
  if (rest !== "") values.push(rest);
  return values.every(isJson) ? values : [line];
}
