import type { Region } from "../../base/markets/markets.ts";
import { ConfigurationError } from "../../errors.ts";

/** A delivery stream (Firehose), and the roles that subscriptions to it need. */
export interface DeliveryStream {
  /** ARN of the delivery stream: `arn:aws:firehose:REGION:ACCOUNT:deliverystream/NAME`. */
  readonly deliveryStreamArn: string;
  /** ARN of the role that puts messages into the delivery stream. */
  readonly subscriptionRoleArn: string;
  /** ARN of the role with which the platform subscribes the delivery stream and passes on the other role. */
  readonly subscriberRoleArn: string;
}

const STREAM = /^arn:([a-z-]+):firehose:([a-z0-9-]+):(\d{12}):deliverystream\/[A-Za-z0-9_.-]{1,64}$/;
const ROLE = /^arn:([a-z-]+):iam::(\d{12}):role\/[\w+=,.@/-]{1,200}$/;
const MAX_LENGTH = 255;

const HOMES: Readonly<Record<Region, string>> = { NA: "us-east-1", EU: "eu-west-1", FE: "us-west-2" };

export function checkDeliveryStream(stream: DeliveryStream, region: Region): void {
  const { deliveryStreamArn, subscriptionRoleArn, subscriberRoleArn } = stream;
  const problems: string[] = [];
  const [, , home, account] = STREAM.exec(deliveryStreamArn) ?? [];
  if (home === undefined) {
    problems.push(
      `the delivery stream "${deliveryStreamArn}" is not an ARN such as ` +
        "arn:aws:firehose:us-east-1:123456789012:deliverystream/hourly",
    );
  } else if (home !== HOMES[region]) {
    problems.push(`the delivery stream is in ${home}, and profiles of ${region} deliver to ${HOMES[region]}`);
  }
  for (
    const [name, arn] of [["subscription", subscriptionRoleArn], ["subscriber", subscriberRoleArn]] as const
  ) {
    const [, , owner] = ROLE.exec(arn) ?? [];
    if (owner === undefined) {
      problems.push(`the ${name} role "${arn}" is not an ARN such as arn:aws:iam::123456789012:role/${name}`);
    } else if (account !== undefined && owner !== account) {
      problems.push(`the ${name} role belongs to account ${owner}, the delivery stream to ${account}`);
    }
  }
  for (const arn of Object.values(stream)) {
    if (String(arn).length > MAX_LENGTH) problems.push(`an ARN has over ${MAX_LENGTH} characters`);
  }
  if (problems.length > 0) {
    throw new ConfigurationError(`Cannot subscribe the delivery stream: ${problems.join("; ")}`);
  }
}
