import type { Client } from "./api.ts";
import { OPERATIONS } from "./operations.ts";
import { sender } from "./requests.ts";
import type { ClientOptions, RequestParams } from "./transport.ts";

/**
 * A typed client of the API: one method for each operation of the document, under its tag
 * (`client.calls.startOutboundCall`). An answer that is not 2xx rejects with a RingfoldError; a missing or
 * incomplete answer with a ConnectionError.
 */
export function createClient(options: ClientOptions): Client {
  const send = sender(options);
  const groups: Record<string, Record<string, unknown>> = {};
  for (const operation of OPERATIONS) {
    const methods = groups[operation.group] ?? {};
    methods[operation.name] = (...args: readonly unknown[]) => send(operation, args);
    groups[operation.group] = methods;
  }
  // Made from the table that Client is the type of.
  return groups as unknown as Client;
}

/**
 * For a creating POST: for 24 h the same key with the same body gets the first answer again. Without it each
 * call of a method makes its own key, unless `retries` is 0.
 */
export function idempotencyKey(key: string): RequestParams {
  return { headers: { "Idempotency-Key": key } };
}
