import { fileSystem } from "../../base/runtime/file_system.ts";
import { readNamedFile } from "../../base/runtime/read_named_file.ts";
import { ConfigurationError } from "../../errors.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" } as const;
const SIGNING = { name: "ECDSA", hash: "SHA-256" } as const;
const PBKDF2_ITERATIONS = 600_000;

export interface ApprovalKeyFiles {
  readonly secret: string;
  readonly public: string;
}

interface SecretFile {
  format: 1;
  key: string;
  passphrase?: { salt: string; iv: string; iterations: number };
}

interface PublicFile {
  format: 1;
  key: { kty: string; crv: string; x: string; y: string };
}

export function approvalKeyFiles(folder: string): ApprovalKeyFiles {
  const files = fileSystem();
  return {
    secret: files.join(folder, "approval-key.json"),
    public: files.join(folder, "approval-key.pub.json"),
  };
}

/**
 * Only the owner can read the secret half. A passphrase encrypts it, so that other programs of the same user cannot
 * sign.
 *
 * @param options.iterations PBKDF2 rounds.
 * @default 600000
 * @throws {ConfigurationError} when a key exists already.
 */
export async function createApprovalKey(
  files: ApprovalKeyFiles,
  options: { passphrase?: string; iterations?: number } = {},
): Promise<void> {
  const pair = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey("pkcs8", pair.privateKey));
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  const secret = options.passphrase
    ? await encrypted(pkcs8, options.passphrase, options.iterations ?? PBKDF2_ITERATIONS)
    : { format: 1, key: toBase64(pkcs8) };
  const made = await fileSystem().createText(files.secret, JSON.stringify(secret) + "\n", { mode: 0o600 });
  if (!made) {
    throw new ConfigurationError(`Cannot make an approval key: "${files.secret}" exists already`);
  }
  await fileSystem().writeText(files.public, JSON.stringify({ format: 1, key: { kty, crv, x, y } }) + "\n");
}

export async function approvalKeyNeedsPassphrase(files: ApprovalKeyFiles): Promise<boolean> {
  return (await readSecret(files)).passphrase !== undefined;
}

export async function signWithApprovalKey(
  files: ApprovalKeyFiles,
  text: string,
  options: { passphrase?: string } = {},
): Promise<string> {
  const file = await readSecret(files);
  const pkcs8 = file.passphrase === undefined
    ? fromBase64(file.key)
    : await decrypted(file, options.passphrase ?? "");
  const key = await crypto.subtle.importKey("pkcs8", pkcs8, ALGORITHM, false, ["sign"]);
  const signature = await crypto.subtle.sign(SIGNING, key, new TextEncoder().encode(text));
  return toBase64(new Uint8Array(signature));
}

export async function isSignedWithApprovalKey(
  publicPath: string,
  signed: { readonly text: string; readonly signature: string },
): Promise<boolean> {
  const file = parsed<PublicFile>(await readNamedFile(publicPath, "the public approval key"), publicPath);
  try {
    const key = await crypto.subtle.importKey("jwk", file.key, ALGORITHM, false, ["verify"]);
    const text = new TextEncoder().encode(signed.text);
    return await crypto.subtle.verify(SIGNING, key, fromBase64(signed.signature), text);
  } catch {
    return false;
  }
}

async function readSecret(files: ApprovalKeyFiles): Promise<SecretFile> {
  return parsed<SecretFile>(await readNamedFile(files.secret, "the approval key"), files.secret);
}

function parsed<File extends { format: 1; key: unknown }>(text: string, path: string): File {
  try {
    const file = JSON.parse(text) as File;
    if (file.format === 1 && file.key) return file;
  } catch {
    // Told below, with the file's name.
  }
  throw new ConfigurationError(`Cannot use the approval key "${path}": it is not an approval key`);
}

async function encrypted(pkcs8: BufferSource, passphrase: string, iterations: number): Promise<SecretFile> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const key = await keyOf(passphrase, { salt, iterations });
  const data = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, pkcs8);
  return {
    format: 1,
    key: toBase64(new Uint8Array(data)),
    passphrase: { salt: toBase64(salt), iv: toBase64(iv), iterations },
  };
}

async function decrypted(file: SecretFile, passphrase: string): Promise<ArrayBuffer> {
  const { salt, iv, iterations } = file.passphrase!;
  const key = await keyOf(passphrase, { salt: fromBase64(salt), iterations });
  try {
    return await crypto.subtle.decrypt({ name: "AES-GCM", iv: fromBase64(iv) }, key, fromBase64(file.key));
  } catch {
    throw new ConfigurationError("Cannot use the approval key: the passphrase is wrong");
  }
}

async function keyOf(
  passphrase: string,
  { salt, iterations }: { salt: BufferSource; iterations: number },
): Promise<CryptoKey> {
  const text = new TextEncoder().encode(passphrase);
  const base = await crypto.subtle.importKey("raw", text, "PBKDF2", false, ["deriveKey"]);
  const derivation = { name: "PBKDF2", hash: "SHA-256", salt, iterations };
  return await crypto.subtle.deriveKey(derivation, base, { name: "AES-GCM", length: 256 }, false, [
    "encrypt",
    "decrypt",
  ]);
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}
