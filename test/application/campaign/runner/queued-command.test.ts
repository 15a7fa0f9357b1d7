import { expect, it } from "vitest";
import {
  type QueuedCommand,
  readCommand,
  writeCommand,
} from "../../../../application/campaign/runner/queued-command.ts";

const origin = { owner: "usr_1", actor: "key_1", correlationId: "1", causationId: null } as const;

const STORED: readonly (readonly [QueuedCommand, object])[] = [
  [{ type: "StartCampaign" }, { kind: "start" }],
  [{ type: "PauseCampaign" }, { kind: "pause" }],
  [{ type: "ResumeCampaign" }, { kind: "resume" }],
  [
    { type: "CancelCampaign", hangUpActiveCalls: true },
    { kind: "cancel", hangUpActiveCalls: true },
  ],
  [
    { type: "ChangeSettings", changes: { maxRetries: 2 } },
    { kind: "change", changes: { maxRetries: 2 } },
  ],
  [
    { type: "ChangeSettings", changes: {}, pins: { greetingMessage: null, placeholders: 3 } },
    { kind: "change", changes: {}, pins: { greetingMessage: null, placeholders: 3 } },
  ],
  [
    { type: "SkipContact", contactId: "ctc_1" },
    { kind: "skip", contactId: "ctc_1" },
  ],
  [
    { type: "GiveUpCall", callId: "call_1" },
    { kind: "give_up_call", callId: "call_1" },
  ],
];

it.each(STORED)("stores $type as every release has stored it, and reads it", (command, intent) => {
  expect(writeCommand(command, origin)).toEqual({ intent, origin });
  expect(readCommand({ intent: { ...intent }, origin })).toEqual({ command, origin });
});

it("answers null for a command that this release does not know", () => {
  expect(readCommand({ intent: { kind: "rewind" }, origin })).toBeNull();
});

it("answers null for a row without a command, or without whoever gave it", () => {
  expect([{}, { intent: { kind: "pause" } }, { origin }].map(readCommand)).toEqual([null, null, null]);
});
