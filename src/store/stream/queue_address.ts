import { ConfigurationError } from "../../errors.ts";

/** A queue, by its URL and ARN. */
export interface QueueAddress {
  /** URL for requests. */
  readonly url: string;
  /** ARN used by subscriptions: `arn:aws:sqs:REGION:ACCOUNT:NAME`. */
  readonly arn: string;
  /** Region that requests are signed for. */
  readonly region: string;
}

/** Settings of a queue other than its name. */
export interface QueueSettings {
  /** The platform's own word on the wire, which is part of the queue's host. @default "platform" */
  readonly wireWord?: string | undefined;
  /** Region, if the name contains none. @default "us-east-1" */
  readonly region?: string | undefined;
  /** Endpoint of an SQS-compatible service, in place of the usual host. */
  readonly endpoint?: string | undefined;
}

const ARN = /^arn:([a-z-]+):sqs:([a-z0-9-]+):(\d{12}):([A-Za-z0-9_-]{1,80}(?:\.fifo)?)$/;
const HOST = /^sqs\.([a-z0-9-]+)\./;

/**
 * Parses the address of a queue: a URL or an ARN.
 *
 * @throws {ConfigurationError} for other text, and for FIFO queues, which the stream does not support.
 */
export function queueAddress(text: string, settings: QueueSettings = {}): QueueAddress {
  const address = text.startsWith("arn:") ? fromArn(text, settings) : fromUrl(text, settings);
  if (address.arn.endsWith(".fifo")) {
    throw new ConfigurationError(
      `Cannot use queue "${text}": the stream delivers to standard queues only, and this one is first-in-first-out`,
    );
  }
  return address;
}

function fromArn(text: string, { endpoint, wireWord = "platform" }: QueueSettings): QueueAddress {
  const [, partition, region = "", account, name] = ARN.exec(text) ?? [];
  if (partition === undefined) {
    throw new ConfigurationError(
      `Cannot use queue "${text}": expected an ARN such as arn:aws:sqs:us-east-1:123456789012:hourly`,
    );
  }
  const host = `https://sqs.${region}.${wireWord}aws.com${partition === "aws-cn" ? ".cn" : ""}`;
  return { url: `${(endpoint ?? host).replace(/\/+$/, "")}/${account}/${name}`, arn: text, region };
}

function fromUrl(text: string, settings: QueueSettings): QueueAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const [account = "", name = ""] = url?.pathname.split("/").filter((part) => part !== "").slice(-2) ?? [];
  if (url === undefined || !/^https?:$/.test(url.protocol) || name === "") {
    throw new ConfigurationError(
      `Cannot use queue "${text}": expected its address, such as https://HOST/123456789012/hourly, or its ARN`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new ConfigurationError("Cannot use the queue: its address must not contain a password");
  }
  const region = HOST.exec(url.hostname)?.[1] ?? settings.region ?? "us-east-1";
  const partition = url.hostname.endsWith(".cn") ? "aws-cn" : "aws";
  return { url: url.href, arn: `arn:${partition}:sqs:${region}:${account}:${name}`, region };
}
