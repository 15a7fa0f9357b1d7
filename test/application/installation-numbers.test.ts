import { beforeEach, expect, it } from "vitest";
import { tellAccounts, tellCampaigns, tellShared } from "../../application/installation-numbers.ts";
import type { Metrics } from "../../application/ports/metrics.ts";
import { silentMetrics } from "../../simulation/memory/silent.ts";

const told = new Map<string, unknown>();
const metrics: Metrics = {
  ...silentMetrics,
  gauge: (name, value) => told.set(name, value),
  gauges: (name, series) =>
    told.set(
      name,
      series.map(({ value, labels }) => [...Object.values(labels), value]),
    ),
};
beforeEach(() => told.clear());

it("tells what all owners have together, each number under its own name", () => {
  const standing = { available: 1, reserved: 2, activeCalls: 3, slotsLimit: 4, slotsWanted: 5 };
  tellAccounts(metrics, standing);
  expect(Object.fromEntries(told)).toEqual({
    ringfold_database_up: 1,
    ringfold_credits_available: [[1]],
    ringfold_credits_reserved: [[2]],
    ringfold_active_calls: [[3]],
    ringfold_call_slots_limit: [[4]],
    ringfold_call_slots_wanted: [[5]],
  });
});

it("leaves out every number of accounts that cannot be read, and says that it could not", () => {
  tellAccounts(metrics, null);
  const { ringfold_database_up: up, ...numbers } = Object.fromEntries(told);
  expect([up, ...Object.values(numbers)]).toEqual([0, [], [], [], [], []]);
});

it("tells the delay of each carrier and the conversations of each form; nothing of them when it cannot be read", () => {
  tellShared(metrics, {
    delays: [
      { carrier: "twilio", seconds: 1.5 },
      { carrier: "asterisk", seconds: 0 },
    ],
    conversations: { text: 200, audio: 50 },
  });
  expect(Object.fromEntries(told)).toEqual({
    ringfold_carrier_turn_delay_seconds: [
      ["twilio", 1.5],
      ["asterisk", 0],
    ],
    ringfold_conversations_limit: [
      ["text", 200],
      ["audio", 50],
    ],
  });
  tellShared(metrics, null);
  expect([...told.values()]).toEqual([[], []]);
});

it("tells each state of campaigns, also one that no campaign is in; of the paused ones each reason", () => {
  tellCampaigns(metrics, [
    { state: "RUNNING", pauseReason: null, count: 2 },
    { state: "PAUSED", pauseReason: "manual", count: 3 },
    { state: "PAUSED", pauseReason: null, count: 1 },
  ]);
  expect(told.get("ringfold_campaigns")).toEqual([
    ["PENDING", "", 0],
    ["RUNNING", "", 2],
    ["COMPLETED", "", 0],
    ["CANCELLED", "", 0],
    ["PAUSED", "manual", 3],
    ["PAUSED", "", 1],
  ]);
  tellCampaigns(metrics, []);
  expect(told.get("ringfold_campaigns")).toHaveLength(4);
  tellCampaigns(metrics, null);
  expect(told.get("ringfold_campaigns")).toEqual([]);
});
