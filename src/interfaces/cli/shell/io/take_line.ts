export class InterruptedError extends Error {
  constructor() {
    super("Interrupted");
    this.name = "InterruptedError";
  }
}

/**
 * Handles Return, Backspace, Ctrl-C and Ctrl-D of a terminal in raw mode. `undefined` when the input ends before
 * anything was typed.
 *
 * @throws {InterruptedError} at Ctrl-C.
 * @throws the signal's reason when it fires.
 */
export async function takeLine(
  read: () => Promise<Uint8Array | undefined>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  const decoder = new TextDecoder();
  let line = "";
  while (true) {
    const chunk = await Promise.race([read(), aborted]);
    if (chunk === undefined) return line === "" ? undefined : line;
    for (const char of decoder.decode(chunk, { stream: true })) {
      if (char === "\n" || char === "\r") return line;
      if (char === "\x03") throw new InterruptedError();
      if (char === "\x04") return line === "" ? undefined : line;
      if (char === "\x7f" || char === "\b") line = [...line].slice(0, -1).join("");
      else line += char;
    }
  }
}
