import type { createTransport } from "nodemailer";
import { visibleText } from "../../base/text/visible_text.ts";
import { withPackages } from "../../store/model/optional_packages.ts";
import type { Alert } from "./alert.ts";

interface EmailOptions {
  /** SMTP URL with credentials: `smtps://USER:PASSWORD@HOST:465`. */
  readonly server: string;
  readonly variable: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly seconds: number;
  readonly signal?: AbortSignal | undefined;
}

/** @returns The problem without addresses or secrets; `undefined` if the server accepted the message. */
export async function sendEmail(alert: Alert, options: EmailOptions): Promise<string | undefined> {
  const { server, variable, from, to, seconds, signal } = options;
  const settings = transportOf(server, seconds);
  if (settings === undefined) {
    return `${variable} is not an address such as smtps://USER:PASSWORD@HOST:465`;
  }
  const { createTransport } = await withPackages(
    "e-mail",
    "nodemailer",
    () => import("nodemailer"),
  );
  const transport = createTransport(settings);
  const stop = (): void => transport.close();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    await transport.sendMail({
      from,
      to: [...to],
      subject: `[${alert.severity}] ${visibleText(alert.title)}`.slice(0, 200),
      text: [...alert.text.split("\n").map(visibleText), "", `Alert ${alert.id}, rule ${alert.rule}`].join(
        "\n",
      ),
      // Mail programs show a message that comes a second time once.
      messageId: `<${alert.id}.${alert.profileId}@alerts.invalid>`,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return undefined;
  } catch (error) {
    signal?.throwIfAborted();
    return problemOf(error);
  } finally {
    signal?.removeEventListener("abort", stop);
    transport.close();
  }
}

type Settings = Exclude<Parameters<typeof createTransport>[0], string | undefined>;

/** Parses the address of a mail server. Passwords are sent only over encrypted connections. */
function transportOf(address: string, seconds: number): Settings | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, port, username, password } = new URL(address);
  if ((protocol !== "smtp:" && protocol !== "smtps:") || hostname === "") return undefined;
  const isSecure = protocol === "smtps:";
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? isSecure ? 465 : 587 : Number(port),
    secure: isSecure,
    requireTLS: !isSecure && !isHere,
    ignoreTLS: !isSecure && isHere,
    ...(username === "" ? {} : {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    connectionTimeout: 1000 * seconds,
    greetingTimeout: 1000 * seconds,
    socketTimeout: 1000 * seconds,
  };
}

/** Describes an error by its codes only, because server messages may contain user names and addresses. */
function problemOf(error: unknown): string {
  const { code, responseCode } = error as { readonly code?: unknown; readonly responseCode?: unknown };
  const name = typeof code === "string" ? code : error instanceof Error ? error.name : "error";
  return typeof responseCode === "number"
    ? `the mail server responds with ${responseCode} (${name})`
    : `the mail server cannot be reached (${name})`;
}
