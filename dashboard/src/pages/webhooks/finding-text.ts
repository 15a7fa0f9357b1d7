import type { Say } from "../../texts/language.tsx";
import type { Key } from "./en.ts";
import type { Finding } from "./verify-request.ts";

export function findingText(say: Say<Key>, finding: Finding): string {
  switch (finding.what) {
    case "valid_by":
      return say("finding.valid_by", { header: finding.header });
    case "standard":
      return say(finding.fits ? "finding.standard_fits" : "finding.standard_refused");
    case "header_missing":
      return say("finding.header_missing", { headers: finding.headers.join(", ") });
    case "timestamp_unreadable":
      return say("finding.timestamp_unreadable", { text: finding.text });
    case "clock_off": {
      const seconds = Math.abs(finding.seconds);
      return say(finding.seconds > 0 ? "finding.clock_late" : "finding.clock_early", { seconds });
    }
    case "length":
      return say("finding.length", { announced: finding.announced, bytes: finding.bytes });
    default:
      return say(`finding.${finding.what}`);
  }
}
