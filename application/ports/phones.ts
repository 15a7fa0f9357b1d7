import type { EndReason } from "../../domain/call/end-reason.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";

/** Rings at its owner's open phones, whatever the connection: never given to another carrier. */
export const PHONE_LINE: PhoneNumber = "+15005550099";

/** What a phone is told (docs/api.md §10). */
export type ToPhone =
  | {
      readonly type: "ringing";
      readonly callId: CallId;
      readonly from: PhoneNumber;
      readonly assistantName: string;
    }
  | { readonly type: "answered"; readonly callId: CallId }
  | { readonly type: "text"; readonly callId: CallId; readonly token: string; readonly last: boolean }
  /** What was not said yet is dropped. */
  | { readonly type: "cleared"; readonly callId: CallId }
  /** `endReason` null: another phone has the call. */
  | { readonly type: "ended"; readonly callId: CallId; readonly endReason: EndReason | null };

/** What a phone tells. `heard`: how much of the current utterance was shown or spoken. */
export type FromPhone =
  | { readonly type: "answer" | "decline" | "hang_up"; readonly callId: CallId }
  | { readonly type: "said"; readonly callId: CallId; readonly text: string }
  | { readonly type: "speaking"; readonly callId: CallId; readonly heard?: string | undefined }
  | { readonly type: "digit"; readonly callId: CallId; readonly digit: string };

/** One open phone, as the service sees it. `send` never throws, also when the phone is gone. */
export type PhoneSocket = {
  readonly send: (frame: ToPhone) => void;
  readonly close: () => void;
};

export type ConnectedPhone = {
  readonly receive: (frame: FromPhone) => void;
  /** It is gone; a call that it had waits 10 s for it. */
  readonly gone: () => void;
};

/** The telephones of people who have none yet. */
export interface Phones {
  /** `phoneId`: the phone's own name, the same when it comes back. Calls that ring at its owner ring at it at once. */
  connect(owner: OwnerId, phoneId: string, socket: PhoneSocket): Promise<ConnectedPhone>;
}
