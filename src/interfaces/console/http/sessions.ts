import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Milliseconds for which a token that was not used is good. */
const TOKEN_LIFE = 15 * 60 * 1000;
/** Sessions at the same time; the oldest ends when there is one more. */
const MAX_SESSIONS = 20;

/** The two secrets of a signed-in browser. */
interface SessionSecrets {
  /** Value of the cookie, which no script can read. */
  readonly cookie: string;
  /** Sent as a header by the pages, for a browser sends cookies to every port of this machine. */
  readonly secret: string;
}

/** Access to the console: one-time tokens that open sessions, and the sessions. Only digests are kept. */
export class Sessions {
  readonly #now: () => number;
  readonly #tokens: { readonly digest: Uint8Array; readonly until: number }[] = [];
  readonly #sessions: { readonly cookie: Uint8Array; readonly secret: Uint8Array }[] = [];

  /** @param now Milliseconds since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Makes a token for one sign-in within 15 minutes. */
  newToken(): string {
    const token = randomText();
    this.#tokens.push({ digest: digest(token), until: this.#now() + TOKEN_LIFE });
    return token;
  }

  /** Uses up a token and opens a session; `undefined` for a token that is wrong, used or too old. */
  open(token: string): SessionSecrets | undefined {
    const at = this.#tokens.findIndex((one) => timingSafeEqual(one.digest, digest(token)));
    const [found] = at === -1 ? [] : this.#tokens.splice(at, 1);
    if (found === undefined || found.until < this.#now()) return undefined;
    const secrets = { cookie: randomText(), secret: randomText() };
    this.#sessions.push({ cookie: digest(secrets.cookie), secret: digest(secrets.secret) });
    if (this.#sessions.length > MAX_SESSIONS) this.#sessions.shift();
    return secrets;
  }

  /** True for the two secrets of one session. */
  holds({ cookie, secret }: SessionSecrets): boolean {
    const given = { cookie: digest(cookie), secret: digest(secret) };
    return this.#sessions.some((one) =>
      timingSafeEqual(one.cookie, given.cookie) && timingSafeEqual(one.secret, given.secret)
    );
  }
}

function randomText(): string {
  return randomBytes(32).toString("base64url");
}

/** Digests are of one length, and comparing them shows nothing of what they were made from. */
function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
