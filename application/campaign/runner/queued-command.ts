import type { CampaignCommand } from "../../../domain/campaign/decider.ts";
import type { Of } from "../../../domain/shared/decider.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import type { JsonObject, JsonValue } from "../../../domain/shared/json.ts";
import type { EventOrigin } from "../../log/append-events.ts";
import type { Outcome } from "../../outcome.ts";

/** A command without the fields that only the process with the lease can add: time, conditions and actor. */
type WithoutItsPlace<Command extends CampaignCommand> = Command extends unknown
  ? Omit<Command, "now" | "world" | "by" | "reason">
  : never;

/**
 * Commands that the process with the lease executes, and their names in stored rows. These never change, so
 * that processes of two releases execute each other's commands.
 */
const STORED_KINDS = {
  StartCampaign: "start",
  PauseCampaign: "pause",
  ResumeCampaign: "resume",
  CancelCampaign: "cancel",
  DeleteCampaign: "delete",
  ChangeSettings: "change",
  SkipContact: "skip",
  GiveUpCall: "give_up_call",
} as const;

/** Commands of users. */
export type UserCommand = WithoutItsPlace<
  Of<CampaignCommand, keyof typeof STORED_KINDS & CampaignCommand["type"]>
>;

/** GiveUpCall comes from the watchdog: the end of the call will never be known. */
export type QueuedCommand = UserCommand | { readonly type: "GiveUpCall"; readonly callId: CallId };

const TYPES = new Map<unknown, string>(Object.entries(STORED_KINDS).map(([type, kind]) => [kind, type]));

/** The command and its origin as stored in the queue. */
export function writeCommand({ type, ...fields }: QueuedCommand, origin: EventOrigin): JsonObject {
  return { intent: asJson({ kind: STORED_KINDS[type], ...fields }), origin: asJson(origin) };
}

/** Reads what `writeCommand` wrote; null: written by a release that this one does not know. */
export function readCommand(
  payload: JsonObject,
): { readonly command: QueuedCommand; readonly origin: EventOrigin } | null {
  const row = payload as { readonly intent?: { readonly kind?: string }; readonly origin?: EventOrigin };
  if (row.intent === undefined || row.origin === undefined) return null;
  const { kind, ...fields } = row.intent;
  const type = TYPES.get(kind);
  return type === undefined ? null : { command: { type, ...fields } as QueuedCommand, origin: row.origin };
}

export function writeAnswer(answer: Outcome<null>): JsonObject {
  return { answer: asJson(answer) };
}

/** null: not an answer of `writeAnswer`. */
export function readAnswer(payload: JsonObject): Outcome<null> | null {
  const row = payload as { readonly answer?: Outcome<null> };
  return row.answer ?? null;
}

function asJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
