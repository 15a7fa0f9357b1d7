import { expect, it } from "vitest";
import { isRecorded } from "../../../application/call/call-dialing.ts";
import type { CarrierKind } from "../../../domain/call/carrier-identity.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  OWNER,
  PHONE_NUMBER,
  QUIET_CARRIER,
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
  const wish = async (recording: "on" | "off") =>
    stores.pinnedConversations.store({ ...pinned, speakers: [{ ...first, recording }] });
  const [on, off] = [await wish("on"), await wish("off")];
  const asked = (kind: CarrierKind, records = true) =>
    Promise.all(
      [String(sha256), on, off, "unknown"].map((known) => {
        const can = {
          dialOnceForMillis: 0,
          answersMachineVerdict: false,
          records,
          resumes: false,
          callsPerSecond: null,
        };
        const carrier = { kind, can };
        return isRecorded(stores.pinnedConversations, { pinned: known, assistant: first }, carrier);
      }),
    );
  expect(await asked("asterisk")).toEqual([false, true, false, false]);
  expect(await asked("simulated")).toEqual([true, true, false, true]);
  expect(await asked("simulated", false)).toEqual([false, false, false, false]);
  // what another speaker wants does not count
  const other = { ...first, assistantId: "ast_2", recording: "off" } as const;
  const both = { ...pinned, speakers: [other, { ...first, recording: "on" as const }] };
  const two = await stores.pinnedConversations.store(both);
  const telephone = { kind: "asterisk", can: QUIET_CARRIER.can } as const;
  expect(await isRecorded(stores.pinnedConversations, { pinned: two, assistant: first }, telephone)).toBe(
    true,
  );
});
