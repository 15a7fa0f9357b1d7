import type { ShownMessage } from "../../contract/conversation.ts";
import type { CarrierKind } from "../../domain/call/carrier-identity.ts";
import type {
  AnsweredBy,
  CallCompleted,
  CallConnected,
  CallEvent,
  CallFailed,
  CallRecordingAvailable,
  CallRequested,
} from "../../domain/call/events.ts";
import { changedMessage, messageOf, toolCallIdOf } from "../call/shown-messages.ts";

/** The data for the two webhook bodies of a call, folded from its stream. */
export type CallStory = {
  request: CallRequested["data"];
  /** By which it was dialled; null: not dialled yet, or by a release that did not store it. */
  carrier: CarrierKind | null;
  answer: CallConnected["data"] | null;
  /** The last verdict; null: that of the answer. */
  judgedAs: AnsweredBy | null;
  readonly messages: ShownMessage[];
  /** Index of each tool message that has no result yet. */
  readonly toolsAsked: Map<string, number>;
  /** Epoch of the latest session; 0: there was none. */
  epoch: number;
  /** The latest epoch whose session has ended. */
  endedEpoch: number;
  end: CallCompleted | CallFailed | null;
  recording: CallRecordingAvailable["data"] | null;
  /** Its texts were erased. */
  erased: boolean;
};

export function beginStory(request: CallRequested["data"]): CallStory {
  return {
    request,
    carrier: null,
    answer: null,
    judgedAs: null,
    messages: [],
    toolsAsked: new Map(),
    epoch: 0,
    endedEpoch: 0,
    end: null,
    recording: null,
    erased: false,
  };
}

/** Applies an event to its story; a repeat changes nothing. */
export function tell(story: CallStory, event: CallEvent): void {
  switch (event.type) {
    case "CallDialingBegan":
      story.carrier = event.data.carrier?.kind ?? null;
      break;
    case "CallConnected":
      story.answer ??= event.data;
      break;
    case "CallMachineJudged":
      story.judgedAs = event.data.answeredBy;
      break;
    case "CallMessageAdded":
    case "CallToolBegan":
    case "CallHandedOver":
      addMessage(story, event);
      break;
    case "CallSpeechCut":
      if (story.messages[event.data.messageIndex]?.interrupted !== true)
        changeMessage(story, event.data.messageIndex, event);
      break;
    case "CallToolEnded":
      changeMessage(story, story.toolsAsked.get(event.data.toolCallId), event);
      story.toolsAsked.delete(event.data.toolCallId);
      break;
    case "CallSessionBegan":
      story.epoch = Math.max(story.epoch, event.data.epoch);
      break;
    case "CallSessionEnded":
      story.endedEpoch = Math.max(story.endedEpoch, event.data.epoch);
      break;
    case "CallCompleted":
    case "CallFailed":
      story.end ??= event;
      break;
    case "CallRecordingAvailable":
      story.recording ??= event.data;
      break;
    case "CallContentErased":
      forgetWords(story);
      break;
    default:
      break;
  }
}

function addMessage(story: CallStory, event: CallEvent): void {
  const message = story.erased ? null : messageOf(event);
  if (message?.index !== story.messages.length) return;
  story.messages.push(message);
  const toolCallId = toolCallIdOf(event);
  if (toolCallId !== null) story.toolsAsked.set(toolCallId, message.index);
}

function changeMessage(
  { messages }: CallStory,
  index: number | undefined,
  event: Parameters<typeof changedMessage>[1],
): void {
  const message = index === undefined ? undefined : messages[index];
  if (message !== undefined) messages[message.index] = changedMessage(message, event);
}

function forgetWords(story: CallStory): void {
  story.erased = true;
  story.messages.length = 0;
  story.toolsAsked.clear();
  story.request = {
    ...story.request,
    greetingMessage: null,
    specialInstructions: null,
    voicemailMessage: null,
  };
}

/** Their recordings come when nobody waits for them any more. */
const LATE_RECORDINGS: ReadonlySet<CarrierKind | null> = new Set(["twilio"]);

/** A recording was announced, comes soon after the end, and has not been reported yet. */
export function awaitsRecording(story: CallStory): boolean {
  if (story.erased || LATE_RECORDINGS.has(story.carrier)) return false;
  return story.end?.data.recordingStatus === "pending" && story.recording === null;
}

/** The session has not ended, so the conversation may still record something. */
export function awaitsLastWord({ epoch, endedEpoch }: CallStory): boolean {
  return epoch > endedEpoch;
}
