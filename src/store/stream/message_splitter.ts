export interface SplitMessage {
  readonly line: number;
  readonly body: string;
}

/** Maximum characters of a message. Longer ones are split into parts, which are invalid JSON. */
const MAX_MESSAGE = 1 << 20;

const [NEWLINE, QUOTE, COMMA, BACKSLASH] = [0x0A, 0x22, 0x2C, 0x5C];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5B, 0x5D, 0x7B, 0x7D];

/**
 * Splits streamed text into JSON values: one or several per line, spanning lines, or items of a list. Other text is a
 * message up to the end of its line, so that the reader can report it. Holds at most one message.
 */
export class MessageSplitter {
  #text = "";
  #at = 0;
  #line = 1;
  #start = this.#at;
  #startLine = this.#line;
  #state: "between" | "value" | "string" | "escape" | "other" = "between";
  readonly #open: number[] = [];
  #last: number | undefined;
  #isInList = false;
  #found: SplitMessage[] = [];

  push(piece: string): SplitMessage[] {
    this.#text += piece;
    for (; this.#at < this.#text.length; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      this.#step(code);
      if (code === NEWLINE) this.#line++;
      const end = this.#at + 1;
      if (this.#state !== "between" && end - this.#start === MAX_MESSAGE) {
        this.#take(end);
        this.#begin("other", end);
      }
    }
    const from = this.#state === "between" ? this.#at : this.#start;
    this.#text = this.#text.slice(from);
    this.#at -= from;
    this.#start = 0;
    return this.#takeFound();
  }

  /** True if the text so far ends inside a value or a list. */
  get isCutOff(): boolean {
    return this.#isInList || !["between", "other"].includes(this.#state);
  }

  end(): SplitMessage[] {
    this.#take(this.#at);
    return this.#takeFound();
  }

  #step(code: number): void {
    switch (this.#state) {
      case "between":
        return this.#next(code);
      case "value":
        return this.#inValue(code);
      case "string":
        if (code === QUOTE) this.#state = "value";
        else if (code === BACKSLASH) this.#state = "escape";
        // A value that was cut off: its strings have no line breaks.
        else if (code === NEWLINE) this.#take(this.#at);
        return;
      case "escape":
        if (code === NEWLINE) this.#take(this.#at);
        else this.#state = "string";
        return;
      case "other":
        if (code === NEWLINE) this.#take(this.#at);
    }
  }

  #next(code: number): void {
    if (code === COMMA || isSpace(code)) return;
    if (code === OPEN_LIST && !this.#isInList) this.#isInList = true;
    else if (code === CLOSE_LIST && this.#isInList) this.#isInList = false;
    else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      this.#begin("value", this.#at);
      this.#open.push(code);
      this.#last = code;
    } else this.#begin("other", this.#at);
  }

  #inValue(code: number): void {
    if (isSpace(code)) return;
    if (code === QUOTE) this.#state = "string";
    else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      if (this.#isCutOff()) {
        this.#take(this.#at);
        return this.#next(code);
      }
      this.#open.push(code);
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      this.#open.pop();
      if (this.#open.length === 0) return this.#take(this.#at + 1);
    }
    this.#last = code;
  }

  /**
   * True if a line starts with a bracket that cannot belong to the current value, which was therefore cut off.
   * Prevents it from swallowing the following messages.
   */
  #isCutOff(): boolean {
    if (this.#text.charCodeAt(this.#at - 1) !== NEWLINE) return false;
    const isElement = this.#open.at(-1) === OPEN_LIST && (this.#last === OPEN_LIST || this.#last === COMMA);
    return !isElement;
  }

  #begin(state: "value" | "other", start: number): void {
    this.#state = state;
    this.#start = start;
    this.#startLine = this.#line;
  }

  #take(end: number): void {
    const body = this.#text.slice(this.#start, end).trim();
    if (body !== "") this.#found.push({ line: this.#startLine, body });
    this.#state = "between";
    this.#open.length = 0;
  }

  #takeFound(): SplitMessage[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === NEWLINE || code === 0x0D || code === 0x09 || code === 0xFEFF;
}
