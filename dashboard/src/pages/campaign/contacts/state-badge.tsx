import { useTexts } from "../../../texts/language.tsx";
import { Badge } from "../../../ui/controls.tsx";
import { en } from "../en.ts";
import type { CALLBACK, ContactState } from "../states.ts";
import { tr } from "../tr.ts";

const TONES = {
  pending: "quiet",
  dialing: "accent",
  waiting_retry: "wait",
  callback: "wait",
  succeeded: "good",
  failed: "bad",
  skipped: "quiet",
} as const;

export function StateBadge({
  state,
  isBefore = false,
}: {
  readonly state: ContactState | typeof CALLBACK;
  readonly isBefore?: boolean;
}) {
  const say = useTexts({ en, tr });
  const text = say(`state.${state}`);
  return isBefore ? text : <Badge tone={TONES[state]}>{text}</Badge>;
}

/** The person asked on a call never to be called again. */
export function OptedOutBadge() {
  const say = useTexts({ en, tr });
  return (
    <span data-testid="opted-out" title={say("opted-out.told")}>
      {" "}
      <Badge tone="bad">{say("opted-out")}</Badge>
    </span>
  );
}
