import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { CallRecord } from "../../../contract/call.ts";
import { get } from "../api/request.ts";
import { StatusBadge } from "../pages/calls/words.tsx";
import { isOver } from "../records/call.ts";
import { Fault, Row } from "../records/records.tsx";
import { useRefresh } from "../records/use-refresh.ts";
import { useTexts } from "../texts/language.tsx";
import { Lines } from "./lines.tsx";
import styles from "./phone.module.css";
import { usePhone } from "./phone-line.ts";
import { PhonePlace } from "./phone-place.tsx";
import type { Line } from "./phone-state.ts";
import { TEXTS } from "./texts.ts";

type CallHereProps = {
  /** null: none yet. Its place is there before it rings, so that nothing moves under a finger. */
  readonly callId: string | null;
  /** `data-testid` of what tells about the call. */
  readonly testid: string;
  readonly assistantName: string;
  /** After the call. */
  readonly children: ReactNode;
};

/**
 * A call to the phone of this page, which rings and talks here; what the service's record has of it, if
 * another phone answered.
 */
export function CallHere({ callId, testid, assistantName, children }: CallHereProps) {
  const say = useTexts(TEXTS);
  const id = callId ?? "";
  const path = `/api/v1/calls/${id}`;
  const call = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => get("/api/v1/calls/:callId", { params: { callId: id }, signal }),
    enabled: callId !== null,
  });
  useRefresh(path, ({ stream, data }) => callId !== null && (data["callId"] === id || stream.endsWith(id)));
  const { talk, over } = usePhone();
  const isHere = [talk, over].some((each) => each?.call.callId === callId && each.lines.length > 0);
  const { data } = call;
  const lines = isHere || data === undefined ? [] : linesOf(data);
  const stage =
    data !== undefined && isOver(data) ? "over" : isHere || lines.length > 0 ? "talking" : "rings";
  return (
    <div className={styles.here} data-testid={testid} data-call={callId} data-state={stage}>
      <Fault error={call.error} />
      {data === undefined ? null : (
        <Row>
          <StatusBadge status={data.status} testid="call-status" />
          {stage === "rings" ? <span role="status">{say("here.rings")}</span> : null}
        </Row>
      )}
      <PhonePlace />
      {lines.length === 0 ? null : <Lines lines={lines} name={assistantName} />}
      {stage === "over" ? children : null}
    </div>
  );
}

const linesOf = ({ messages }: CallRecord): readonly Line[] =>
  messages.flatMap(({ role, content, interrupted }) =>
    role === "assistant" || role === "customer"
      ? [
          {
            role,
            text: content ?? "",
            shown: content?.length ?? 0,
            whole: true,
            cut: interrupted === true,
          },
        ]
      : [],
  );
