import { ConfigurationError } from "../../../errors.ts";

export interface AuthSettings {
  readonly issuer: string;
  readonly audience: string;
  /**
   * Address of the issuer's keys.
   *
   * @default taken from the issuer's metadata
   */
  readonly jwks?: string | undefined;
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|localhost|\[::1\])$/;

/**
 * Returns `undefined` if no part is set.
 *
 * @throws {ConfigurationError} when a part is missing, or an address does not use https.
 */
export function authSettings(
  { issuer, audience, jwks }: { [Part in keyof AuthSettings]?: string | undefined },
): AuthSettings | undefined {
  if (issuer === undefined && audience === undefined && jwks === undefined) return undefined;
  if (issuer === undefined) throw missing("--auth-issuer", "ISSUER");
  if (audience === undefined) throw missing("--auth-audience", "AUDIENCE");
  checkAddress(issuer, "--auth-issuer");
  checkAddress(audience, "--auth-audience");
  if (jwks !== undefined) checkAddress(jwks, "--auth-jwks");
  return { issuer, audience, ...(jwks === undefined ? {} : { jwks }) };
}

/** True for https, or http on this machine. */
export function isSecureAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return username === "" && password === "" &&
    (protocol === "https:" || protocol === "http:" && LOOPBACK.test(hostname));
}

function checkAddress(text: string, option: string): void {
  const isPlain = isSecureAddress(text) && !/[?#]/.test(text);
  if (isPlain) return;
  throw new ConfigurationError(
    `Cannot use ${option} "${text}": give a whole https address without a query, as in https://id.example (http only on loopback)`,
  );
}

function missing(option: string, part: string): ConfigurationError {
  return new ConfigurationError(
    `Cannot check the tokens of an issuer: ${option} (PLATFORM_ADS_MCP_AUTH_${part}) is not set. See --help`,
  );
}
