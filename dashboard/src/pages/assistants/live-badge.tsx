import { useTexts } from "../../texts/language.tsx";
import { Badge } from "../../ui/controls.tsx";
import { TEXTS } from "./texts.ts";

export function LiveBadge({ version }: { readonly version: number | null }) {
  const say = useTexts(TEXTS);
  return (
    <Badge
      tone={version === null ? "quiet" : "good"}
      data-testid="published"
      data-value={String(version ?? "")}
    >
      {version === null ? say("live.none") : say("live.version", { version })}
    </Badge>
  );
}
