import type { FromPhone, ToPhone } from "../../contract/phone.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";

/** One open phone. `send` never throws, also when the phone is gone. */
export type PhoneSocket = {
  readonly send: (frame: ToPhone) => void;
  readonly close: () => void;
};

export type ConnectedPhone = {
  readonly receive: (frame: FromPhone) => void;
  /** The phone is gone; its call waits 10 s for it. */
  readonly left: () => void;
};

/** Telephones in the browser, for people without another one. */
export interface Phones {
  /**
   * `phoneId`: the phone's own name, the same when it connects again. Calls that ring its
   * owner ring it at once.
   */
  connect(owner: OwnerId, phoneId: string, socket: PhoneSocket): Promise<ConnectedPhone>;
}
