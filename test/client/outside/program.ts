/**
 * A project of somebody else's, which knows the service through the package alone. package.test.ts copies
 * this folder out of the repository, installs the package there from its tarball, checks the types and runs
 * it. It prints what it saw as JSON.
 */
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import process from "node:process";
import {
  type CampaignRequest,
  type Client,
  type Contact,
  createClient,
  followEvents,
  type OwnerEvent,
  paginate,
  RingfoldError,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
} from "ringfold-client";

const { SERVICE_URL = "", PROXY_URL = "", API_KEY: apiKey = "" } = process.env;

const client = createClient({ baseUrl: SERVICE_URL, apiKey });
/** Through a proxy that cuts answers. */
const cutOff = createClient({ baseUrl: PROXY_URL, apiKey });

const { secret } = (await client.webhooks.showWebhookSecret()).data.data;
const receiver = await startReceiver(secret);
await client.webhooks.putWebhook({ url: receiver.url, enabled: true });
const ready = await whatACallNeeds(client);

const contacts = Array.from({ length: 250 }, (_none, index) => ({
  phoneNumber: "+15005550006",
  externalId: `row ${index}`,
}));
const request: CampaignRequest = { name: "From outside", ...ready, contacts };
const created = (await cutOff.campaigns.createCampaign(request)).data.data.campaign;
const campaigns = await all(paginate((page) => client.campaigns.listCampaigns(page)));
const rows: Contact[] = await all(paginate((page) => client.campaigns.listContacts(created.id, page), 100));

const unknown = await refusal(client.campaigns.getCampaign("cmp_not/there"));
const invalid = await refusal(client.campaigns.createCampaign({ ...request, name: "" }));
const plain = await refusal(
  client.calls.startOutboundCall({ ...ready, assistantId: "ast_nobody", to: "+15005550006" }),
);

const { callId } = (await client.calls.startOutboundCall({ ...ready, to: "+15005550006" })).data;
const followed: OwnerEvent[] = [];
for await (const event of followEvents(cutOff)) {
  followed.push(event);
  if (event.type === "CallCompleted" && event.data["callId"] === callId) break;
}
const listed = await all(paginate((page) => client.history.listEvents(page)));
const ended: WebhookEvent = await receiver.callEnded;

const csv = await new Response((await client.campaigns.exportContacts(created.id)).data).text();
await writeFile("call.wav", (await client.calls.getRecording(callId)).data);
receiver.stop();

console.log(
  JSON.stringify({
    campaigns: campaigns.map(({ id, name }) => ({ id, name })),
    created: created.id,
    rows: rows.map(({ externalId }) => externalId),
    unknown,
    invalid,
    plain,
    followed: followed.map(({ position }) => position),
    listed: listed.map(({ position }) => position),
    webhook: {
      event: ended.event,
      ofThisCall: ended.event === "call.ended" && ended.data["callId"] === callId,
    },
    tampered: [...receiver.tampered],
    csvLines: csv.trimEnd().split("\n").length,
    recording: (await readFile("call.wav")).subarray(0, 4).toString("latin1"),
  }),
);

async function whatACallNeeds({ assistants, phoneNumbers }: Client) {
  const assistant = { name: "Ada", greetingMessage: "Hello!", systemPrompt: "Be kind." };
  const { id: assistantId } = (await assistants.createAssistant(assistant)).data.data;
  await assistants.publishAssistant(assistantId);
  const number = (await phoneNumbers.createPhoneNumber({ phoneNumber: "+15005550000" })).data.data;
  return { assistantId, phoneNumberId: number.id };
}

async function all<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const found: Row[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

async function refusal(answer: Promise<unknown>) {
  try {
    await answer;
  } catch (error) {
    if (!(error instanceof Error && error instanceof RingfoldError)) throw error;
    const { message, status, code, details, requestId } = error;
    return { message, status, code, details, requestId };
  }
  throw new Error("It was not refused");
}

/** Answers 200 to what is verified, else 401. Each verified body is verified once more with one byte more. */
async function startReceiver(secret: string) {
  const tampered = new Set<string>();
  let tell: (event: WebhookEvent) => void;
  const callEnded = new Promise<WebhookEvent>((resolve) => (tell = resolve));
  const server = createServer(async (request, response) => {
    const { headers } = request;
    const body = await bytesOf(request);
    try {
      const event = await verifyWebhook({ secret, headers, body });
      const changed = verifyWebhook({ secret, headers, body: Buffer.concat([body, Buffer.from(" ")]) });
      tampered.add(
        await changed.then(String, (error) => (error instanceof WebhookError ? error.reason : "?")),
      );
      response.writeHead(200, { "Content-Type": "application/json" }).end('{"received":true}');
      if (event.event === "call.ended") tell(event);
    } catch {
      response.writeHead(401, { "Content-Type": "application/json" }).end('{"error":"not to be trusted"}');
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}/`, callEnded, tampered, stop: () => server.close() };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
