import { isIP, Socket } from "node:net";
import { connect as startTls, type ConnectionOptions } from "node:tls";

/** Milliseconds between the loss of a connection and its being told as closed. */
const PATIENCE = 50;

/** What asks a server for encryption, and what one says that can (PostgreSQL's protocol, "SSLRequest"). */
const SSL_REQUEST = Uint8Array.of(0, 0, 0, 8, 4, 210, 22, 47);
const YES = "S".charCodeAt(0);

/** Where a server is, and how to talk to it. */
export interface SocketTarget {
  /** Name or address. */
  readonly host: string;
  /** Port. */
  readonly port: number;
  /** Seconds that it has to answer. */
  readonly seconds: number;
  /** Options of the handshake; `undefined` where nothing is encrypted. */
  readonly tls: ConnectionOptions | undefined;
}

/**
 * Connects to a server, for the PostgreSQL client (postgres 3.4.9), which needs three things done differently.
 *
 * The loss of a connection is told in two steps: first as an error, which fails every statement that was sent, and a
 * moment later as closed. The client takes back the transaction of a failed statement; on a connection that is told as
 * closed at once it throws where nobody can catch it, or waits for ever. Its own way to encrypt would lead around this.
 * And a connection that cannot be made comes as one that is lost: the client never again uses the place in its pool of
 * one that was refused to it.
 *
 * It is lost with the `code` `CONNECT_TIMEOUT` or `TLS_NOT_OFFERED`, or as the system says.
 */
export async function patientSocket(to: SocketTarget): Promise<Socket> {
  try {
    return patient(await connected(to));
  } catch (error) {
    return lost(error as Error);
  }
}

async function connected(to: SocketTarget): Promise<Socket> {
  const opened: Socket[] = [];
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(coded("CONNECT_TIMEOUT", "No server answered in time")),
    to.seconds * 1000,
  );
  const hear = (socket: Socket, event: string): Promise<unknown> =>
    Promise.race([heard(socket, event), late.promise]);
  try {
    const plain = new Socket();
    opened.push(plain);
    plain.connect(to.port, to.host);
    await hear(plain, "connect");
    if (to.tls === undefined) return plain;
    plain.write(SSL_REQUEST);
    const answer = await hear(plain, "data") as Uint8Array;
    // One letter and not a byte more: what follows it would be taken for encrypted.
    if (answer.length !== 1 || answer[0] !== YES) {
      throw coded("TLS_NOT_OFFERED", "The server does not encrypt");
    }
    // What happens to it is told by the connection around it.
    plain.on("error", () => {});
    const name = isIP(to.host) === 0 ? { servername: to.host } : {};
    const encrypted = startTls({ ...to.tls, ...name, host: to.host, socket: plain });
    opened.push(encrypted);
    await hear(encrypted, "secureConnect");
    return encrypted;
  } catch (error) {
    for (const socket of opened) socket.on("error", () => {}).destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** A connection that tells, once somebody listens, that it is lost. What is written to it goes nowhere. */
function lost(error: Error): Socket {
  const socket = new Socket();
  socket.write = () => true;
  setTimeout(() => {
    socket.emit("error", error);
    socket.emit("close", true);
  });
  return socket;
}

/** Resolves with what comes with an event; fails when the connection does before. */
function heard(socket: Socket, event: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const lost = (): void => reject(coded("CONNECTION_CLOSED", "The connection was lost"));
    const settled = (settle: (value: unknown) => void) => (value: unknown): void => {
      socket.off("error", failed).off("close", lost).off(event, came);
      settle(value);
    };
    const failed = settled(reject);
    const came = settled(resolve);
    socket.on("error", failed).on("close", lost).on(event, came);
  });
}

/** Makes a connection tell its loss in two steps, unless it was ended here. */
function patient(socket: Socket): Socket {
  const emit = socket.emit.bind(socket);
  const end = socket.end.bind(socket) as (...args: unknown[]) => Socket;
  let failed = false;
  let endedHere = false;
  /** The client ends it with a last message. */
  socket.end = (...args: unknown[]): Socket => {
    endedHere ||= args.length > 0;
    return end(...args);
  };
  socket.emit = (event: string, ...args: unknown[]): boolean => {
    if (event === "error") failed = true;
    if (event !== "close" || endedHere) return emit(event, ...args);
    if (!failed) emit("error", coded("CONNECTION_CLOSED", "The connection was lost"));
    setTimeout(() => emit("close", false), PATIENCE);
    return true;
  };
  return socket;
}

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
