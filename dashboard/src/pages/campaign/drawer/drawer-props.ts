import type { ContactRecord } from "../../../../../contract/contact.ts";
import type { ContactBrought } from "../outcomes/wanted.ts";
import type { ContactState } from "../states.ts";

/** Props of the drawer and its parts. */
export type DrawerProps = {
  readonly campaignId: string;
  readonly contact: ContactRecord;
  readonly state: ContactState | null;
  /** What it had brought home by then; undefined: nothing is known. */
  readonly brought: ContactBrought | undefined;
  /** By then it had asked on a call never to be called again. */
  readonly optedOut: boolean;
  /** The call that it agreed on its last one, in ms since 1970; null: it waits for no such call. */
  readonly callbackAt: number | null;
  /** What holds it by the owner's policy; null: nothing, or of the past nothing is said. */
  readonly hold: ContactRecord["hold"];
  /** The contact's own zone, or else the campaign's. */
  readonly timezone: string;
  /** null: now. */
  readonly at: string | null;
  readonly look: (at: number) => void;
  readonly close: () => void;
  /** Whether the campaign still calls people. */
  readonly isOpen: boolean;
};
