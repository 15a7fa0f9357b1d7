import type {
  CallCompleted,
  CallConnected,
  CallEvent,
  CallFailed,
  CallMessage,
  CallRecordingAvailable,
  CallRequested,
} from "../../domain/call/events.ts";

/** What the two webhook bodies of a call are made of, folded from its stream. */
export type CallStory = {
  readonly request: CallRequested["data"];
  answer: CallConnected["data"] | null;
  readonly messages: CallMessage[];
  end: CallCompleted | CallFailed | null;
  recording: CallRecordingAvailable["data"] | null;
  /** Its words are gone. */
  erased: boolean;
};

export function beginStory(request: CallRequested["data"]): CallStory {
  return { request, answer: null, messages: [], end: null, recording: null, erased: false };
}

/** Adds an event to the story it belongs to; the same one again changes nothing. */
export function tell(story: CallStory, event: CallEvent): void {
  switch (event.type) {
    case "CallConnected":
      story.answer ??= event.data;
      break;
    case "CallMessageAdded":
      if (event.data.message.index === story.messages.length && !story.erased)
        story.messages.push(event.data.message);
      break;
    case "CallCompleted":
    case "CallFailed":
      story.end ??= event;
      break;
    case "CallRecordingAvailable":
      story.recording ??= event.data;
      break;
    case "CallContentErased":
      story.erased = true;
      story.messages.length = 0;
      break;
    default:
      break;
  }
}

/** A recording was promised and nothing is known of it yet. */
export function awaitsRecording(story: CallStory): boolean {
  return !story.erased && story.end?.data.recordingStatus === "pending" && story.recording === null;
}
