/** A JSON-RPC error for a request that does not reach the tools. */
export function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
  const error = { jsonrpc: "2.0", id: null, error: { code: -32_000, message } };
  return Response.json(error, { status, headers });
}
