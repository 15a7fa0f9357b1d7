import { Link } from "@tanstack/react-router";
import type { ask } from "../../api/request.ts";
import { Muted, Row } from "../../records/records.tsx";
import { useTexts } from "../../texts/language.tsx";
import { Panel } from "../../ui/controls.tsx";
import styles from "./live-calls.module.css";
import { StatusBadge, TEXTS } from "./words.tsx";

type ActiveCalls = Awaited<ReturnType<typeof ask<"GET", "/api/v1/calls/outbound/active">>>;

/**
 * Calls in progress, above the list: three lines are visible, others scroll, so that the
 * list keeps its place.
 */
export function LiveCalls({ answer: { data, body } }: { readonly answer: ActiveCalls }) {
  const say = useTexts(TEXTS);
  const lines = body.concurrency;
  return (
    <Panel
      title={say("now")}
      actions={
        <span data-count="activeCalls" data-value={lines.active}>
          <Muted>{say("lines", lines)}</Muted>
        </span>
      }
    >
      {data.length === 0 ? (
        <Muted>{say("now.none")}</Muted>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
        <ul className={styles.live} tabIndex={0} aria-label={say("now")}>
          {data.map(({ callId, to, status }) => (
            <li key={callId} data-live-call={callId} data-status={status}>
              <Row>
                <Link to="/calls/$id" params={{ id: callId }}>
                  {to}
                </Link>
                <StatusBadge status={status} />
              </Row>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
