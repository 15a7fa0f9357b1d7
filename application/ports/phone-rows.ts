import type { EndReason } from "../../domain/call/end-reason.ts";
import type { EndedBy } from "../../domain/call/events.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";

/** A call waits this long for its phone. */
export const AWAY_SECONDS = 10;

/** The state of one call of the phone line. Times are the database's. */
export type PhoneCall = {
  readonly callId: CallId;
  readonly owner: OwnerId;
  readonly from: PhoneNumber;
  readonly assistantName: string;
  /** Nobody answered in time: it has ended, whether or not that was written. */
  readonly rungOut: boolean;
  /** Its phone has been away for too long. */
  readonly lost: boolean;
  readonly ringUntil: Date;
  readonly phoneId: string | null;
  readonly answeredAt: Date | null;
  readonly endedAt: Date | null;
  readonly endReason: EndReason | null;
  readonly endedBy: EndedBy | null;
};

export type NewPhoneCall = {
  readonly callId: CallId;
  readonly owner: OwnerId;
  readonly from: PhoneNumber;
  readonly to: PhoneNumber;
  readonly assistantName: string;
  readonly ringSeconds: number;
};

export type EndOnly = "live" | "ringing" | "away";

/** The state of the phone line, shared by all processes. Rejects as the database does. */
export interface PhoneRows {
  /** The phone is open in this process, for some seconds after each renewal. */
  open(owner: OwnerId, phoneId: string, process: string): Promise<void>;
  /** All phones of this process at once. */
  renew(process: string): Promise<void>;
  /** From now on its calls wait for it. */
  close(owner: OwnerId, phoneId: string, process: string): Promise<void>;
  /** Rings if the owner has an open phone. `known`: it was placed before. */
  place(call: NewPhoneCall): Promise<"ringing" | "known" | "no_phone">;
  find(callId: CallId): Promise<PhoneCall | null>;
  ringingOf(owner: OwnerId): Promise<readonly PhoneCall[]>;
  /** This phone takes the call; null: another has it, it is over, or it belongs to another owner. */
  answer(owner: OwnerId, callId: CallId, phoneId: string): Promise<PhoneCall | null>;
  /** Calls that the phone had when it went away. */
  takeUp(owner: OwnerId, phoneId: string): Promise<readonly PhoneCall[]>;
  /** null: it has ended before, or does not exist. `only`: a call in this state. */
  end(
    callId: CallId,
    endReason: EndReason,
    endedBy: EndedBy | null,
    only?: EndOnly,
  ): Promise<PhoneCall | null>;
}
