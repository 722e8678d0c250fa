/** A mail server on loopback that keeps what it takes. */
export interface SmtpServer extends AsyncDisposable {
  readonly port: number;
  /** Messages that were taken, with their headers. */
  readonly messages: string[];
  /** Recipients of each message. */
  readonly recipients: string[][];
  /** Response to the end of a message in place of taking it, for example `451 4.3.0 try later`. */
  refusal: string | undefined;
  /** Response to a login in place of taking it. */
  loginRefusal: string | undefined;
}

/** Starts a mail server that speaks as much SMTP as a client needs. */
export function smtpServer(): SmtpServer {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.Conn>();
  const server = {
    port: listener.addr.port,
    messages: [] as string[],
    recipients: [] as string[][],
    refusal: undefined as string | undefined,
    loginRefusal: undefined as string | undefined,
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const connection of open) {
        try {
          connection.close();
        } catch {
          // The other side has closed it.
        }
      }
      await accepting;
    },
  };
  const serve = async (connection: Deno.Conn): Promise<void> => {
    open.add(connection);
    const say = (line: string): Promise<number> => connection.write(new TextEncoder().encode(`${line}\r\n`));
    let recipients: string[] = [];
    let message: string[] | undefined;
    await say("220 mail.test ESMTP");
    let rest = "";
    for await (const chunk of connection.readable.pipeThrough(new TextDecoderStream())) {
      rest += chunk;
      const lines = rest.split("\r\n");
      rest = lines.pop()!;
      for (const line of lines) {
        if (message !== undefined) {
          if (line !== ".") message.push(line.replace(/^\./, ""));
          else {
            if (server.refusal === undefined) {
              server.messages.push(message.join("\n"));
              server.recipients.push(recipients);
            }
            await say(server.refusal ?? "250 2.0.0 taken");
            [message, recipients] = [undefined, []];
          }
          continue;
        }
        const [verb = ""] = line.toUpperCase().split(" ");
        if (verb === "EHLO") await say("250-mail.test\r\n250-AUTH PLAIN LOGIN\r\n250 8BITMIME");
        else if (verb === "AUTH") await say(server.loginRefusal ?? "235 2.7.0 accepted");
        else if (verb === "RCPT") {
          recipients.push(/<([^>]*)>/.exec(line)![1]!);
          await say("250 2.1.5 ok");
        } else if (verb === "DATA") {
          message = [];
          await say("354 go on");
        } else if (verb === "QUIT") await say("221 2.0.0 bye");
        else await say("250 2.0.0 ok");
      }
    }
  };
  const accepting = (async () => {
    for await (const connection of listener) {
      void serve(connection).catch(() => {}).finally(() => open.delete(connection));
    }
  })();
  return server;
}
