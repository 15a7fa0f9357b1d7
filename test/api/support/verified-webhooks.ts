import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { verifyWebhook } from "../../../client/webhooks.ts";
import type { ApiUser, Wire } from "./api-user.ts";

const WEBHOOK = "/api/v1/webhook";

export type VerifiedWebhooks = {
  /** Bodies as they came; what is not signed is answered by nobody. */
  readonly received: readonly Wire[];
  readonly close: () => void;
};

/** A receiver of these events of the owner, which verifies each by its signature. */
export async function verifiedWebhooks(user: ApiUser, events: readonly string[]): Promise<VerifiedWebhooks> {
  let secret = "";
  const received: Wire[] = [];
  const receiver = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    received.push(await verifyWebhook({ secret, headers: request.headers, body }));
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  await user.send("PUT", WEBHOOK, { body: { url, enabled: true, events } });
  secret = (await user.send("POST", `${WEBHOOK}/secret`)).body.data.secret;
  return { received, close: () => receiver.close() };
}
