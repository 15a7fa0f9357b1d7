import { type CallStatus, TONES } from "../../records/call.ts";
import { useTexts } from "../../texts/language.tsx";
import { Badge } from "../../ui/controls.tsx";
import { type CallsKey, en } from "./en.ts";
import { tr } from "./tr.ts";

export const TEXTS = { en, tr };

export function StatusBadge({ status, testid }: { readonly status: CallStatus; readonly testid?: string }) {
  const say = useTexts(TEXTS);
  return (
    <Badge
      tone={TONES[status]}
      data-value={status}
      {...(testid === undefined ? {} : { "data-testid": testid })}
    >
      {say(`status.${status}`)}
    </Badge>
  );
}

const isKnown = (key: string): key is CallsKey => key in en;

/** The end reason in words; an unknown one is as the API names it. */
export function useEndReason(): (endReason: string) => string {
  const say = useTexts(TEXTS);
  return (endReason) => {
    const key = `end.${endReason}`;
    return isKnown(key) ? say(key) : endReason;
  };
}

export function EndReason({ endReason }: { readonly endReason: string | null }) {
  const said = useEndReason();
  return endReason === null ? <span>–</span> : <span data-value={endReason}>{said(endReason)}</span>;
}
