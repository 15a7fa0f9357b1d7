import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../simulation/drills/eventually.ts";
import type { ApiUser, Wire } from "./support/api-user.ts";
import { startTestService, type TestService } from "./support/service.ts";
import { made } from "./support/things.ts";

/** Simulated callee: docs/api-by-example.md. */
const ASKS_FOR_A_CALL = "+15005550014";
const WAIT_MILLIS = 60_000;

let service: TestService;
let user: ApiUser;
beforeAll(async () => {
  service = await startTestService({});
  user = await service.newOwner();
}, 180_000);
afterAll(() => service.stop());

const data = async (path: string): Promise<Wire> => (await user.send("GET", path)).body.data;

it("a single call notes when the customer wants to be called, promises nothing, and keeps no note", async () => {
  const { id: phoneNumberId } = await made(user, "/api/v1/phone-numbers", { phoneNumber: "+15005550000" });
  const draft = {
    name: "Ada",
    greetingMessage: "Hello, this is Ada.",
    systemPrompt: "Be kind.",
    language: "en",
  };
  const { id: assistantId } = await made(user, "/api/v1/assistants", { ...draft, callback: {} });
  expect((await data(`/api/v1/assistants/${assistantId}`)).callback).toEqual({
    maxDays: 14,
    maxPerContact: 2,
  });
  await user.send("POST", `/api/v1/assistants/${assistantId}/publish`);
  const body = { to: ASKS_FOR_A_CALL, assistantId, phoneNumberId };
  const { callId } = (await user.send("POST", "/api/v1/calls/outbound", { body })).body;
  const place = `/api/v1/calls/${callId}`;
  await eventually("its end", async () => (await data(place)).endReason === "assistant_ended", WAIT_MILLIS);
  const call = await data(place);
  expect(call.callback).toEqual({
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/),
    callbackAt: null,
    zone: null,
    note: null,
  });
  expect(call.messages.map(({ content }: Wire) => content)).toContain(
    "I have noted when you would like to be called. I cannot promise a call. Goodbye!",
  );
  const [listed] = await data("/api/v1/calls");
  expect(listed.callback).toEqual(call.callback);
});
