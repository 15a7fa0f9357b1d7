import { useTexts } from "../texts/language.tsx";
import { Badge } from "../ui/controls.tsx";
import { useLiveState } from "./feed.ts";

const TONES = { live: "good", connecting: "quiet", offline: "bad" } as const;

/** Shows whether the data is live. */
export function LiveDot() {
  const say = useTexts();
  const live = useLiveState();
  return (
    <span role="status">
      <Badge tone={TONES[live]} data-testid="live" data-state={live}>
        {say(`live.${live}`)}
      </Badge>
    </span>
  );
}
