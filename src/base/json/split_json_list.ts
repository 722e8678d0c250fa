interface SplitJson {
  add(part: string): void;
  rest(): string;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;
const COLON = 0x3a;

/**
 * Splits the items of a list in a JSON text. Processes the text as it arrives, so it is never in memory as a whole.
 * Malformed JSON is passed on, and fails when an item or the rest is parsed.
 *
 * @param field A missing list leaves the rest unchanged.
 */
export function splitJsonList(field: string, onItem: (text: string) => void): SplitJson {
  const rest: string[] = [];
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let name = "";
  let isName = false;
  let inList = false;
  let wasFound = false;
  let items = 0;
  let held = "";
  let textFrom = 0;
  const isList = (): boolean => depth === 1 && isName && name === field && !wasFound;

  const add = (part: string): void => {
    const text = held + part;
    let from = 0;
    for (let at = held.length; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (code === BACKSLASH) isEscaped = true;
        else if (code === QUOTE) {
          isText = false;
          if (depth === 1 && !inList) name = text.slice(textFrom + 1, at);
        }
        continue;
      }
      switch (code) {
        case QUOTE:
          isText = true;
          textFrom = at;
          break;
        case COLON:
          if (depth === 1) isName = true;
          break;
        case OPEN_LIST:
          if (isList()) {
            inList = wasFound = true;
            rest.push(text.slice(from, at + 1));
            from = at + 1;
          }
          depth += 1;
          break;
        case OPEN_OBJECT:
          depth += 1;
          break;
        case COMMA:
          if (inList && depth === 2) {
            onItem(text.slice(from, at));
            items += 1;
            from = at + 1;
          } else if (depth === 1) isName = false;
          break;
        case CLOSE_LIST:
        case CLOSE_OBJECT:
          if (inList && depth === 2) {
            const last = text.slice(from, at);
            if (items > 0 || last.trim() !== "") onItem(last);
            inList = false;
            isName = false;
            from = at;
          }
          depth -= 1;
          break;
      }
    }
    if (inList) held = text.slice(from);
    else {
      // A name may be cut: it is kept until it has ended.
      const until = isText ? Math.max(from, textFrom) : text.length;
      rest.push(text.slice(from, until));
      held = text.slice(until);
      from = until;
    }
    textFrom -= from;
  };
  return { add, rest: () => rest.join("") + held };
}
