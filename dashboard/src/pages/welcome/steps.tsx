import type { ReactNode } from "react";
import { Row } from "../../records/records.tsx";
import { useTexts } from "../../texts/language.tsx";
import { Badge, Panel } from "../../ui/controls.tsx";
import { Icon } from "../../ui/icons.tsx";
import { en } from "./en.ts";
import { STEPS, type Step } from "./first-call.ts";
import { tr } from "./tr.ts";

/** The steps in order, and their state. */
export function Steps({
  step,
  isDone,
  hasFailed,
  children,
}: {
  readonly step: Step | null;
  readonly isDone: boolean;
  readonly hasFailed: boolean;
  readonly children: ReactNode;
}) {
  const say = useTexts({ en, tr });
  const at = step === null ? -1 : STEPS.indexOf(step);
  const stateOf = (place: number) => {
    if (isDone || place < at) return "done";
    if (place > at) return "waiting";
    return hasFailed ? "failed" : "now";
  };
  return (
    <Panel title={say("steps")}>
      <ol style={{ display: "grid", gap: 8, margin: "0 0 14px", padding: 0, listStyle: "none" }}>
        {STEPS.map((each, place) => (
          <li key={each} data-step={each} data-state={stateOf(place)}>
            <Row>
              <Badge tone={TONES[stateOf(place)]}>
                <Icon of={SIGNS[stateOf(place)]} isSmall />
              </Badge>
              {say(`step.${each}`)}
            </Row>
          </li>
        ))}
      </ol>
      {children}
    </Panel>
  );
}

const TONES = { done: "good", waiting: "quiet", failed: "bad", now: "accent" } as const;
const SIGNS = { done: "good", waiting: "waits", failed: "close", now: "now" } as const;
