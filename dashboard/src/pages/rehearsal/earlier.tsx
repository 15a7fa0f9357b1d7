import { Link } from "@tanstack/react-router";
import type { RehearsalSummary } from "../../../../contract/rehearsal.ts";
import { Muted } from "../../records/records.tsx";
import { useSearch } from "../../records/use-search.ts";
import { useTexts } from "../../texts/language.tsx";
import { Badge, Panel } from "../../ui/controls.tsx";
import layout from "../../ui/layout.module.css";
import { Time } from "../../ui/time.tsx";
import { TEXTS } from "./texts.ts";

export type EarlierProps = { readonly rehearsals: readonly RehearsalSummary[] };

/** Rehearsals of the assistant, newest first; each leads to what came of it. */
export function Earlier({ rehearsals }: EarlierProps) {
  const say = useTexts(TEXTS);
  const [shown] = useSearch();
  if (rehearsals.length === 0) return null;
  return (
    <Panel title={say("earlier")}>
      <ul className={layout.stack} style={{ listStyle: "none", margin: 0, padding: 0 }} data-testid="earlier">
        {rehearsals.map((rehearsal) => (
          <li key={rehearsal.id} data-rehearsal={rehearsal.id}>
            <Link
              to="/assistants/$id/rehearsal"
              params={{ id: rehearsal.assistantId ?? "" }}
              search={{ rehearsal: rehearsal.id }}
              aria-current={shown["rehearsal"] === rehearsal.id ? "true" : undefined}
              data-user-text=""
              dir="auto"
            >
              {rehearsal.name}
            </Link>{" "}
            <Verdict of={rehearsal} />
            <div>
              <Muted>
                <Time at={rehearsal.createdAt} />
              </Muted>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Whether the draft may be published by it, in a word. */
export function Verdict({ of }: { readonly of: RehearsalSummary }) {
  const say = useTexts(TEXTS);
  const verdict = verdictOf(of);
  const tone = {
    running: "accent",
    passed: "good",
    failed: "bad",
    errors: "wait",
    cancelled: "quiet",
  } as const;
  return (
    <Badge tone={tone[verdict]} data-testid="verdict" data-value={verdict}>
      {say(`verdict.${verdict}`, { passed: of.passed, all: of.passed + of.failed + of.errors })}
    </Badge>
  );
}

function verdictOf({ status, failed, errors, passed }: RehearsalSummary) {
  if (status === "running") return "running";
  if (failed > 0) return "failed";
  if (errors > 0) return "errors";
  return status === "cancelled" || passed === 0 ? "cancelled" : "passed";
}
