import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Lifetime of an unused token in milliseconds. */
const TOKEN_LIFE = 15 * 60 * 1000;
/** Maximum sessions; a further one ends the oldest. */
const MAX_SESSIONS = 20;

interface SessionSecrets {
  readonly cookie: string;
  /** Sent as a header, because browsers send cookies to every port of this machine. */
  readonly secret: string;
}

/** Stores only digests of tokens and secrets. */
export class Sessions {
  readonly #now: () => number;
  readonly #tokens: { readonly digest: Uint8Array; readonly until: number }[] = [];
  readonly #sessions: { readonly cookie: Uint8Array; readonly secret: Uint8Array }[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  newToken(): string {
    const token = randomText();
    this.#tokens.push({ digest: digest(token), until: this.#now() + TOKEN_LIFE });
    return token;
  }

  /** Invalidates the token; `undefined` if it is wrong, used or expired. */
  open(token: string): SessionSecrets | undefined {
    const at = this.#tokens.findIndex((one) => timingSafeEqual(one.digest, digest(token)));
    const [found] = at === -1 ? [] : this.#tokens.splice(at, 1);
    if (found === undefined || found.until < this.#now()) return undefined;
    const secrets = { cookie: randomText(), secret: randomText() };
    this.#sessions.push({ cookie: digest(secrets.cookie), secret: digest(secrets.secret) });
    if (this.#sessions.length > MAX_SESSIONS) this.#sessions.shift();
    return secrets;
  }

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

/** Equal-length digests allow a comparison that leaks nothing about the secret. */
function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
