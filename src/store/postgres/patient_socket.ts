import { Socket } from "node:net";

/** Milliseconds between the loss of a connection and its being told as closed. */
const PATIENCE = 50;

/**
 * A connection whose loss is told in two steps: first as an error, which fails every statement that was sent, and a
 * moment later as closed. The PostgreSQL client (postgres 3.4.9) takes back the transaction of a failed statement; on a
 * connection that is told as closed at once it throws where nobody can catch it, or waits for ever.
 */
class PatientSocket extends Socket {
  #failed = false;
  #endedHere = false;

  /** Ends the connection; with a last message when it is the client who does. */
  override end(...args: never[]): this {
    this.#endedHere ||= args.length > 0;
    return super.end(...args as []);
  }

  /** Tells the listeners. */
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event === "error") this.#failed = true;
    if (event !== "close" || this.#endedHere) return super.emit(event, ...args);
    if (!this.#failed) {
      const lost = Object.assign(new Error("The connection was lost"), { code: "CONNECTION_CLOSED" });
      super.emit("error", lost);
    }
    setTimeout(() => super.emit("close", false), PATIENCE);
    return true;
  }
}

/**
 * Connects to a server.
 *
 * @throws {Error} with `code` `CONNECT_TIMEOUT`, or as the system says.
 */
export function patientSocket(to: { host: string; port: number; seconds: number }): Promise<Socket> {
  return new Promise((connected, failed) => {
    const socket = new PatientSocket();
    const fail = (error: Error): void => {
      clearTimeout(timer);
      socket.destroy();
      failed(error);
    };
    const late = Object.assign(new Error("No server answered in time"), { code: "CONNECT_TIMEOUT" });
    const timer = setTimeout(() => fail(late), to.seconds * 1000);
    socket.once("error", fail);
    socket.connect(to.port, to.host, () => {
      clearTimeout(timer);
      socket.off("error", fail);
      connected(socket);
    });
  });
}
