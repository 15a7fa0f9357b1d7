import { expect, it } from "vitest";
import { createRecordedCalls } from "../../../application/call/recorded-calls.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  OWNER,
  PHONE_NUMBER,
  sharedStores,
  until,
} from "../engine-world.ts";

it("a carrier records what the first speaker wants recorded, and nothing that is not known", async () => {
  const stores = sharedStores();
  const { useCases } = engineProcess(stores);
  const call = { phoneNumberId: PHONE_NUMBER, assistantId: ASSISTANT, squadId: null, to: "+12025550100" };
  const texts = { greetingMessage: null, specialInstructions: null, metadata: {} };
  await until(
    stores,
    useCases.startOutboundCall(CALLER, { ...call, ...texts, to: "+12025550100", reservedCallId: "call_1" }),
  );
  const version = await stores.directory.assistantVersion(OWNER, ASSISTANT, 1);
  expect(version?.recording).toBeNull();
  const [sha256] = [...(stores.database.streams.get("call-call_1")?.events ?? [])].map(
    ({ data }) => data["pinned"],
  );
  const pinned = await stores.pinnedConversations.read(String(sha256));
  if (pinned === null) throw new Error("nothing was pinned");
  const [first] = pinned.speakers;
  if (first === undefined) throw new Error("nobody speaks");
  const loud = await stores.pinnedConversations.store({
    ...pinned,
    speakers: [{ ...first, recording: "on" }],
  });
  const recorded = createRecordedCalls(stores.pinnedConversations);
  const wishes = [{ pinned: String(sha256) }, { pinned: loud }, { pinned: "unknown" }, {}];
  const asked = await Promise.all(wishes.map((wish) => recorded(wish, "asterisk")));
  expect(asked).toEqual([false, true, false, false]);
  expect(await recorded({}, "simulated")).toBe(true);
});
