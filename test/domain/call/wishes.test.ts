import { describe, expect, it } from "vitest";
import { callDecider } from "../../../domain/call/decider.ts";
import type { EndReason } from "../../../domain/call/end-reason.ts";
import type {
  CallEndRequested,
  CallEvent,
  EndedBy,
  EndWishBy,
  EndWishReason,
} from "../../../domain/call/events.ts";
import { specOf } from "../../support/decider-spec.ts";
import { at, began, connected, ended, requested, ringing, talking } from "./example-call.ts";

const given = specOf(callDecider);
const callId = "call_1" as const;
const wish = (by: EndWishBy, reason: CallEndRequested["data"]["reason"]): CallEvent => ({
  type: "CallEndRequested",
  data: { callId, at: at(20), by, reason },
});
const WISHES: readonly (readonly [EndWishReason, EndWishBy, EndReason, EndedBy])[] = [
  ["api", "api", "api_ended", "api"],
  ["campaign_cancelled", "system", "api_ended", "system"],
  ["max_duration", "system", "max_duration", "system"],
  ["assistant_ended", "assistant", "assistant_ended", "assistant"],
  ["silence_timeout", "assistant", "silence_timeout", "assistant"],
  ["assistant_error", "assistant", "assistant_error", "system"],
  ["voicemail", "system", "voicemail", "assistant"],
  ["voicemail_message_left", "system", "voicemail_message_left", "assistant"],
];

describe("an end that was wished for", () => {
  /** Stored by older releases. */
  const OLDER = ["transferred", "assistant", "transferred", "assistant"] as const;
  it.each([...WISHES, OLDER])(
    "%s by %s: %s by %s, whatever the carrier says",
    (reason, by, endReason, endedBy) => {
      const history = [requested, began, connected, talking, wish(by, reason)];
      for (const told of ["customer_ended", "connection_lost", "api_ended"] as const) {
        const command = ended(25, 4, { endReason: told, endedBy: "customer" });
        expect(
          given(...history)
            .when(command)
            .events(),
        ).toMatchObject([{ data: { endReason, endedBy } }]);
      }
      const closed = given(...history)
        .when({ type: "ExpireDeadline", now: at(50), lookup: null })
        .events();
      expect(closed).toMatchObject([{ data: { endReason, endedBy } }]);
    },
  );
  it.each(WISHES.filter(([reason]) => reason !== "api" && reason !== "campaign_cancelled"))(
    "%s is wished for only of an answered call",
    (reason, by) => {
      const command = { type: "RequestEnd", by, reason, now: at(20) } as const;
      given(requested, began, ringing).when(command).thenEvents();
      const [first] = given(requested, began, connected).when(command).events();
      expect(first).toEqual(wish(by, reason));
    },
  );
  it("is the first that was wished for", () =>
    given(requested, began, connected, wish("assistant", "assistant_ended"))
      .when({ type: "RequestEnd", by: "api", reason: "api", now: at(21) })
      .thenEvents());
});
