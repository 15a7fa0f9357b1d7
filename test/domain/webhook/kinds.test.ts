import { expect, it } from "vitest";
import {
  ALL_KINDS,
  CALL_KINDS,
  CALL_ONCE_KINDS,
  CAMPAIGN_KINDS,
  DEFAULT_KINDS,
  KINDS_WITH_FACTS,
  kindThatTells,
  NUMBER_KINDS,
  subjectOf,
  WEBHOOK_KINDS,
} from "../../../domain/webhook/kinds.ts";

it("only the seed's two kinds are sent to an endpoint that names none", () => {
  expect(DEFAULT_KINDS).toEqual(["call.started", "call.ended"]);
});

it("every kind is about a call, about a campaign or about a number", () => {
  expect([...CALL_KINDS, ...CAMPAIGN_KINDS, ...NUMBER_KINDS]).toEqual(ALL_KINDS);
  expect(ALL_KINDS).toHaveLength(9);
});

it("the kinds of a call have places of their own, and only the last one may be repeated", () => {
  const places = CALL_KINDS.map((kind) => WEBHOOK_KINDS[kind].sequence);
  expect(new Set(places).size).toBe(places.length);
  expect(places).toEqual(places.toSorted());
  expect(CALL_KINDS.filter((kind) => WEBHOOK_KINDS[kind].repeats)).toEqual(CALL_KINDS.slice(-1));
  expect(CALL_ONCE_KINDS).toEqual(["call.started", "call.ended"]);
  expect(KINDS_WITH_FACTS).toEqual(["call.ended"]);
});

it("each kind of a campaign tells one type of events, and no type is told twice", () => {
  for (const kind of CAMPAIGN_KINDS) expect(kindThatTells(WEBHOOK_KINDS[kind].tells)).toBe(kind);
  expect(kindThatTells("CampaignCreated")).toBeNull();
  expect(kindThatTells("CallConnected")).toBeNull();
});

it("what names a call is about the call, also when it is one of a campaign", () => {
  expect(subjectOf({ callId: "call_1", campaignId: "cmp_1" })).toBe("call_1");
  expect(subjectOf({ callId: null, campaignId: "cmp_1" })).toBe("cmp_1");
  expect(subjectOf({ callId: null, campaignId: null, phoneNumber: "+15005550006" })).toBe("+15005550006");
  expect(subjectOf({ callId: null, campaignId: null })).toBeNull();
});
