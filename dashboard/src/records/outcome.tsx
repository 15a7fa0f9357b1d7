import type { CallOutcome } from "../../../contract/outcome.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.tsx";
import { Badge } from "../ui/controls.tsx";

export type OutcomeValue = CallOutcome["fields"][string];

/** As the service stores the instant of a datetime. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A value in the reader's words. What a model wrote is as it wrote it. */
export function useOutcomeText(): (value: OutcomeValue) => string {
  const say = useTexts();
  const { number, time } = useFormat();
  return (value) => {
    if (value === null) return "–";
    if (typeof value === "boolean") return say(value ? "outcome.yes" : "outcome.no");
    if (typeof value === "number") return number(value);
    return INSTANT.test(value) ? time(value) : value;
  };
}

/** Whether a call was a success; nothing where nobody says. */
export function SuccessBadge({ success }: { readonly success: boolean | null }) {
  const say = useTexts();
  if (success === null) return null;
  return (
    <span data-testid="success" data-value={success}>
      <Badge tone={success ? "good" : "wait"}>
        {say(success ? "outcome.succeeded" : "outcome.unsuccessful")}
      </Badge>
    </span>
  );
}
