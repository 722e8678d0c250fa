import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from "jose";

/** A key that signs tokens. */
export interface SigningKey {
  /** Its name in the list of keys. */
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  /** The public half as the list of keys has it. */
  readonly jwk: JWK;
}

/** Makes a key that signs tokens. */
export async function signingKey(kid: string, algorithm = "ES256"): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  return {
    kid,
    privateKey,
    publicKey,
    jwk: { ...await exportJWK(publicKey), kid, alg: algorithm, use: "sig" },
  };
}

/** What a token says; what is `undefined` is left out of it. */
export interface TokenDraft {
  readonly claims?: JWTPayload;
  readonly header?: Partial<JWTHeaderParameters>;
  readonly key?: SigningKey;
}

/** Secret of every program that the server knows. */
export const CLIENT_SECRET = "secret-of-a-program";

/** An authorization server of tests: metadata, keys, and tokens for whatever is asked. */
export class AuthorizationServer implements AsyncDisposable {
  /** The keys that it publishes; the first signs. */
  keys: SigningKey[];
  /** Replaces what it publishes as keys. */
  published: unknown;
  /** Replaces parts of its metadata. */
  metadata: Readonly<Record<string, unknown>> = {};
  /** Where its metadata are. */
  metadataPath: string;
  /** False while it answers nothing but failures. */
  isUp = true;
  /** Paths of the requests so far. */
  readonly requests: string[] = [];
  /** The most that it grants. @default whatever is asked for */
  grantable: string | undefined;
  /** What tokens were asked for: the server, and scopes. */
  readonly grants: string[] = [];
  /** Milliseconds since the epoch, by which it dates tokens. */
  now: () => number = Date.now;
  readonly #server: Server;
  readonly #path: string;

  private constructor(key: SigningKey, path: string) {
    this.keys = [key];
    this.#path = path;
    this.metadataPath = `/.well-known/oauth-authorization-server${path}`;
    this.#server = createServer((request, response) => {
      this.requests.push(request.url ?? "");
      if (request.method === "POST" && request.url === `${path}/token`) {
        return void this.#grant(request, response);
      }
      const document = this.#document(request.url ?? "");
      response.writeHead(this.isUp ? document === undefined ? 404 : 200 : 500, {
        "content-type": "application/json",
      });
      response.end(JSON.stringify(document ?? {}));
    });
  }

  /**
   * Starts it on loopback.
   *
   * @param options.path Path of its address, as issuers of several customers have one.
   */
  static async start({ path = "" }: { path?: string } = {}): Promise<AuthorizationServer> {
    const server = new AuthorizationServer(await signingKey("first"), path);
    await new Promise<void>((done) => server.#server.listen(0, "127.0.0.1", done));
    return server;
  }

  /** Its name, the claim `iss`. */
  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.#path}`;
  }

  /** Address of the keys. */
  get jwks(): string {
    return `${this.issuer}/keys`;
  }

  /** A token of an hour for the audience, or one that differs from it. */
  async token(
    audience: string,
    { claims = {}, header = {}, key = this.keys[0]! }: TokenDraft = {},
  ): Promise<string> {
    const seconds = Math.floor(this.now() / 1000);
    const whole = {
      iss: this.issuer,
      aud: audience,
      sub: "ann",
      iat: seconds,
      exp: seconds + 3600,
      ...claims,
    };
    const said = Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));
    return await new SignJWT(said)
      .setProtectedHeader(
        { alg: key.jwk.alg!, kid: key.kid, typ: "at+jwt", ...header } as JWTHeaderParameters,
      )
      .sign(key.privateKey, {
        crit: Object.fromEntries((header.crit ?? []).map((name) => [name, true])),
      });
  }

  #document(path: string): unknown {
    if (path === this.metadataPath) {
      return {
        issuer: this.issuer,
        jwks_uri: this.jwks,
        authorization_endpoint: `${this.issuer}/authorize`,
        token_endpoint: `${this.issuer}/token`,
        response_types_supported: ["code"],
        token_endpoint_auth_methods_supported: ["client_secret_basic"],
        ...this.metadata,
      };
    }
    if (path === `${this.#path}/keys`) return this.published ?? { keys: this.keys.map(({ jwk }) => jwk) };
    return undefined;
  }

  /** Gives a program that knows its secret a token for the server and the scopes that it asks for. */
  async #grant(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const asked = new URLSearchParams(body);
    this.grants.push(`${asked.get("resource")} ${asked.get("scope")}`);
    const [client, secret] = atob(/^Basic (.*)$/.exec(request.headers.authorization ?? "")?.[1] ?? "").split(
      ":",
    );
    const isKnown = secret === CLIENT_SECRET && asked.get("grant_type") === "client_credentials";
    const token = await this.token(asked.get("resource") ?? "", {
      claims: { sub: client!, scope: this.grantable ?? asked.get("scope") ?? "" },
    });
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
    response.end(
      JSON.stringify(isKnown ? { access_token: token, token_type: "Bearer" } : { error: "invalid_client" }),
    );
  }

  /** Stops it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((done) => this.#server.close(() => done()));
  }
}
