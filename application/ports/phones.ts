import type { EndReason } from "../../domain/call/end-reason.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";

/** Rings the open phones of its owner, whatever the connection; never given to another carrier. */
export const PHONE_LINE: PhoneNumber = "+15005550099";

/** Messages to a phone (docs/api.md §10). */
export type ToPhone =
  | {
      readonly type: "ringing";
      readonly callId: CallId;
      readonly from: PhoneNumber;
      readonly assistantName: string;
    }
  | { readonly type: "answered"; readonly callId: CallId }
  | { readonly type: "text"; readonly callId: CallId; readonly token: string; readonly last: boolean }
  /** Speech that was not spoken yet is dropped. */
  | { readonly type: "cleared"; readonly callId: CallId }
  /** `endReason` null: another phone took the call. */
  | { readonly type: "ended"; readonly callId: CallId; readonly endReason: EndReason | null };

/** Messages from a phone. `heard`: how much of the current utterance was shown or spoken. */
export type FromPhone =
  | { readonly type: "answer" | "decline" | "hang_up"; readonly callId: CallId }
  | { readonly type: "said"; readonly callId: CallId; readonly text: string }
  | { readonly type: "speaking"; readonly callId: CallId; readonly heard?: string | undefined }
  | { readonly type: "digit"; readonly callId: CallId; readonly digit: string };

/** One open phone. `send` never throws, also when the phone is gone. */
export type PhoneSocket = {
  readonly send: (frame: ToPhone) => void;
  readonly close: () => void;
};

export type ConnectedPhone = {
  readonly receive: (frame: FromPhone) => void;
  /** The phone is gone; its call waits 10 s for it. */
  readonly gone: () => void;
};

/** Telephones in the browser, for people without another one. */
export interface Phones {
  /**
   * `phoneId`: the phone's own name, the same when it connects again. Calls that ring its
   * owner ring it at once.
   */
  connect(owner: OwnerId, phoneId: string, socket: PhoneSocket): Promise<ConnectedPhone>;
}
