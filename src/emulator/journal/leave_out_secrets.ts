import type { Credentials } from "../../connection/credentials.ts";

const TOKEN = /Atz[ar](?:\||%(?:25)*7C)[\w.-]+/g;
const LEFT_OUT = "left-out";

/** Gives a function that takes tokens, and the secrets of an account, out of a text, wherever somebody has put them. */
export function leaveOutSecrets({ clientSecret, refreshToken }: Credentials): (text: string) => string {
  const secrets = [clientSecret, refreshToken].flatMap((secret) => [secret, encodeURIComponent(secret)]);
  return (text) =>
    secrets.reduce((left, secret) => left.replaceAll(secret, LEFT_OUT), text).replace(TOKEN, LEFT_OUT);
}
