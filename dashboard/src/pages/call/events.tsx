import { Json, More, Row } from "../../records/records.tsx";
import { useList } from "../../records/use-list.ts";
import { useRefresh } from "../../records/use-refresh.ts";
import { useTexts } from "../../texts/language.tsx";
import { Panel } from "../../ui/controls.tsx";
import { Failure } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { Sentence } from "../events/sentence.tsx";
import { TEXTS } from "./texts.ts";

/** On a narrow screen it wraps there. */
const BESIDE_THE_MARKER = {
  display: "inline-flex",
  maxWidth: "calc(100% - 1.4em)",
  verticalAlign: "top",
} as const;

/** All stored events of the call, each a sentence, and as JSON. */
export function Events({ callId, to }: { readonly callId: string; readonly to: string }) {
  const say = useTexts(TEXTS);
  const path = `/api/v1/calls/${callId}/events`;
  const list = useList("/api/v1/calls/:callId/events", { params: { callId } });
  useRefresh(path, ({ stream, data }) => data["callId"] === callId || stream.endsWith(callId));
  return (
    <Panel title={say("events")}>
      {list.isError ? <Failure error={list.error} onRetry={() => void list.refetch()} /> : null}
      <div style={{ display: "grid", gap: 6 }} data-testid="events">
        {list.rows.map(({ position, type, data, occurredAt }) => (
          <details key={position} data-event={type}>
            <summary>
              <span style={BESIDE_THE_MARKER}>
                <Row>
                  <Sentence event={{ type, data }} number={to} />
                  <Time at={occurredAt} />
                </Row>
              </span>
            </summary>
            <Json value={data} />
          </details>
        ))}
        <More list={list} />
      </div>
    </Panel>
  );
}
