import { describe, expect, it } from "vitest";
import { verifyCampaign } from "../../../application/audit/verify-campaign.ts";
import { at, contact } from "../../domain/campaign/example-campaign.ts";
import { recorded, type Story, startedStory } from "./example-history.ts";
import { both, changed, type Plant } from "./plant.ts";

const OPTIONS = { now: null };
const LONG = "x".repeat(5_000);

const story = () => startedStory([contact(1)], { maxRetries: 0 }).dial(3, [1, 1]);
const problems = (plant: Plant, of: Story = story()) =>
  verifyCampaign(recorded(plant(of.log)), OPTIONS).map(({ rule, problem }) => `${rule}: ${problem}`);
const pinned = (texts: object): Plant => changed("CampaignCreated", 0, () => texts);
const said = (texts: object): Plant => changed("CallRequested", 0, () => texts);
const NOTHING = { greetingMessage: "", specialInstructions: null, voicemailMessage: null };

describe("what is said in a call", () => {
  it("may be nothing where the campaign says nothing", () => {
    expect(problems(both(pinned(NOTHING), said(NOTHING)))).toEqual([]);
    expect(problems(both(pinned({ ...NOTHING, specialInstructions: "Be kind" }), said(NOTHING)))).toEqual([
      "texts-as-pinned: A call without its texts is dialled",
    ]);
  });

  it("may not be nothing because it would be too long", () => {
    expect(problems(both(pinned({ placeholders: 2, greetingMessage: LONG }), said(NOTHING)))).toEqual([
      "texts-as-pinned: A call without its texts is dialled",
    ]);
  });

  it("has its limits since the second rule of placeholders", () => {
    const greetings = both(
      pinned({ placeholders: 2, greetingMessage: LONG }),
      said({ greetingMessage: LONG }),
    );
    expect(problems(greetings)).toEqual(["texts-as-pinned: greetingMessage is longer than 4096 bytes"]);
  });

  it("may be long in every text of a campaign that is older than that", () => {
    const texts = { specialInstructions: "y".repeat(40_000) };
    expect(problems(both(pinned(texts), said(texts)))).toEqual([]);
  });

  it("is told with the names of all texts that are wrong", () => {
    expect(problems(said({ greetingMessage: "Bye", specialInstructions: "Be rude" }))).toEqual([
      "texts-as-pinned: greetingMessage, specialInstructions: not what the pinned texts make",
    ]);
  });
});

describe("the way of a dial", () => {
  const through = (connectionId: string | null, kind = "asterisk"): Plant =>
    changed("CallDialingBegan", 0, () => ({ carrier: { kind, connectionId, instance: "pbx" } }));
  const requested = (connectionId: string): Plant => said({ connectionId });

  it("is the one that was requested; the installation's own has no name", () => {
    expect(problems(both(requested("conn_1"), through("conn_1")))).toEqual([]);
    expect(problems(both(requested("conn_default_asterisk"), through(null)))).toEqual([]);
    expect(problems(both(requested("conn_1"), through("conn_2")))).toEqual([
      "dialled-as-requested: Dialled through conn_2, requested conn_1",
    ]);
    expect(problems(through("conn_2"))).toEqual([
      "dialled-as-requested: Dialled through conn_2, requested null",
    ]);
  });

  it("is any for the phone in the browser, and for calls that did not store it", () => {
    expect(problems(both(requested("conn_1"), through(null, "phone")))).toEqual([]);
    const older = changed("CallDialingBegan", 0, () => ({ carrier: undefined }));
    expect(problems(both(requested("conn_1"), older))).toEqual([]);
  });
});

describe("an outcome without an end of its call", () => {
  const outcome = (of: Story) =>
    of.campaign({
      type: "RecordAttemptOutcome",
      contactId: "ctc_1",
      callId: "call_1",
      endReason: "invalid_text",
      durationSeconds: null,
      cost: 0,
      endedAt: at(20),
      now: at(20),
    });

  it("is that of a call that the log never took, whose texts are invalid, and of no other", () => {
    const stored = outcome(story());
    expect(problems((log) => log, stored)).toEqual([
      "outcome-matches-call: The outcome comes before the end of the call",
    ]);
    const neverTaken: Plant = (log) => log.filter(({ type }) => !type.startsWith("Call"));
    expect(problems(neverTaken, stored)).toEqual([]);
  });
});
