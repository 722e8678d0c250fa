import { createHash, createHmac } from "node:crypto";
import type { IncomingRequest } from "../http/incoming_request.ts";

export const QUEUE_CREDENTIALS = { accessKeyId: "emulator", secretAccessKey: "emulator" } as const;

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request,\s*SignedHeaders=([^,]+),\s*Signature=([0-9a-f]{64})$/;

/**
 * Checks the signature of a request (AWS Signature Version 4).
 *
 * @returns Code and reason of a refusal, or `undefined`.
 */
export function signatureProblem(request: IncomingRequest): { code: string; message: string } | undefined {
  const { headers, method, path } = request;
  const parts = AUTHORIZATION.exec(headers.authorization ?? "");
  if (parts === null) {
    return { code: "MissingAuthenticationToken", message: "Request is missing Authentication Token" };
  }
  const [, keyId, day = "", region = "", service = "", signed = "", signature] = parts;
  if (keyId !== QUEUE_CREDENTIALS.accessKeyId) {
    return {
      code: "InvalidClientTokenId",
      message: "The security token included in the request is invalid.",
    };
  }
  const lines = signed.split(";").map((name) =>
    `${name}:${(headers[name] ?? "").trim().replace(/\s+/g, " ")}\n`
  );
  const canonical = [
    method,
    path,
    request.queryText.split("&").sort().join("&"),
    lines.join(""),
    signed,
    headers["x-amz-content-sha256"] ?? hash(request.body),
  ].join("\n");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"] ?? "", scope, hash(canonical)].join("\n");
  const key = [day, region, service, "aws4_request"].reduce<string | Uint8Array>(
    (before, part) => createHmac("sha256", before).update(part).digest(),
    `AWS4${QUEUE_CREDENTIALS.secretAccessKey}`,
  );
  if (createHmac("sha256", key).update(text).digest("hex") === signature) return undefined;
  return {
    code: "SignatureDoesNotMatch",
    message: "The request signature we calculated does not match the signature you provided.",
  };
}

function hash(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
