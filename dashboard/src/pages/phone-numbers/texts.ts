import { en } from "./en.ts";
import { tr } from "./tr.ts";

export const TEXTS = { en, tr };
export const PATH = "/api/v1/phone-numbers";

export type PhoneNumber = {
  readonly id: string;
  readonly phoneNumber: string;
  readonly label: string | null;
  readonly active: boolean;
  readonly carrier: string | null;
  /**
   * null: the installation's default carrier. Absent in the answer of a service without carrier connections.
   */
  readonly connectionId?: string | null;
  readonly updatedAt: string;
};
