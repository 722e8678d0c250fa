import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "../core/clock.ts";
import type { EmulatorState } from "./emulator_state.ts";
import type { Credentials } from "../../platform/connection/credentials.ts";

/** Lifetime of an access token, in seconds. */
export const ACCESS_TOKEN_LIFE = 3600;

const REFRESH_TOKEN_LIFE = 365 * 86_400;

interface Claims {
  readonly use: "access" | "refresh";
  readonly number: number;
  readonly expires: number;
}

/** Issues and checks tokens. They are signed and carry their expiry, so they survive a restart. */
export class Tokens {
  readonly #account: Account;
  readonly #state: EmulatorState;
  readonly #clock: Clock;

  constructor(account: Account, parts: { state: EmulatorState; clock: Clock }) {
    this.#account = account;
    this.#state = parts.state;
    this.#clock = parts.clock;
  }

  issueAccess(): string {
    return `Atza|${this.#sign({ use: "access", ...this.#newClaims(ACCESS_TOKEN_LIFE) })}`;
  }

  issueRefresh(): string {
    return `Atzr|${this.#sign({ use: "refresh", ...this.#newClaims(REFRESH_TOKEN_LIFE) })}`;
  }

  checkAccess(token: string): "valid" | "expired" | "unknown" {
    const claims = this.#read(token, "access");
    if (claims === undefined) return "unknown";
    return claims.number <= this.#state.tokensRevoked || this.#isOver(claims) ? "expired" : "valid";
  }

  checkRefresh(token: string): "valid" | "expired" | "unknown" {
    if (token === this.#account.credentials.refreshToken) return "valid";
    const claims = this.#read(token, "refresh");
    if (claims === undefined) return "unknown";
    return this.#isOver(claims) ? "expired" : "valid";
  }

  #newClaims(seconds: number): { number: number; expires: number } {
    return { number: this.#state.nextTokenNumber(), expires: this.#clock.now() + seconds * 1000 };
  }

  #isOver(claims: Claims): boolean {
    return this.#clock.now() >= claims.expires;
  }

  #sign(claims: Claims): string {
    const content = Buffer.from(JSON.stringify(claims)).toString("base64url");
    return `${content}.${this.#signature(content)}`;
  }

  #read(token: string, use: Claims["use"]): Claims | undefined {
    const [content = "", signature = ""] = token.replace(/^Atz[ar]\|/, "").split(".");
    const expected = Buffer.from(this.#signature(content));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const claims = JSON.parse(Buffer.from(content, "base64url").toString("utf8")) as Claims;
    return claims.use === use ? claims : undefined;
  }

  #signature(content: string): string {
    return createHmac("sha256", this.#account.key).update(content).digest("base64url");
  }
}

export interface Account {
  readonly credentials: Credentials;
  readonly key: string;
}

export function accountOf(seed: string): Account {
  const part = (name: string) => createHmac("sha256", `emulator ${seed}`).update(name).digest("hex");
  return {
    credentials: {
      clientId: `platform-application.${part("client").slice(0, 32)}`,
      clientSecret: `emulator-secret.${part("secret")}`,
      refreshToken: `Atzr|${part("refresh")}`,
    },
    key: part("key"),
  };
}
