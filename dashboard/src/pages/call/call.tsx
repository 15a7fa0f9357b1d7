import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { CallRecord } from "../../../../contract/call.ts";
import { get } from "../../api/request.ts";
import { Beside, Json } from "../../records/records.tsx";
import { ScriptedCall } from "../../records/scripted-model.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { useRefresh } from "../../records/use-refresh.ts";
import { useTexts } from "../../texts/language.tsx";
import { Panel } from "../../ui/controls.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { StatusBadge } from "../calls/words.tsx";
import { Commands } from "./commands.tsx";
import { Deliveries } from "./deliveries.tsx";
import { Details, Figures, Times } from "./details.tsx";
import { Events } from "./events.tsx";
import { Outcome } from "./outcome.tsx";
import { TEXTS } from "./texts.ts";
import { Transcript } from "./transcript.tsx";
import { useNames } from "./use-names.ts";

/** One call: what was said, facts beside it, and its commands. */
export function Call() {
  const say = useTexts(TEXTS);
  const frame = useTexts();
  const { id = "" } = useParams({ strict: false });
  const path = `/api/v1/calls/${id}`;
  const call = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => get("/api/v1/calls/:callId", { params: { callId: id }, signal }),
  });
  useRefresh(path, ({ stream, data }) => data["callId"] === id || stream.endsWith(id));
  const { data } = call;
  return (
    <Page
      name="call"
      title={data === undefined ? say("about") : say("title", { to: data.to })}
      crumb={<Link to="/calls">{frame("nav.calls")}</Link>}
      status={data === undefined ? null : <StatusBadge status={data.status} testid="call-status" />}
      state={stateOf({ ...call, isEmpty: false })}
      failure={call.error}
      onRetry={() => void call.refetch()}
      actions={data === undefined ? undefined : <Commands call={data} />}
    >
      {data === undefined ? null : <Whole key={id} call={data} />}
    </Page>
  );
}

function Whole({ call }: { readonly call: CallRecord }) {
  const say = useTexts(TEXTS);
  const names = useNames();
  const allowed = useAllowed();
  return (
    <>
      <Beside
        facts={
          <>
            <Details call={call} names={names} />
            <Times call={call} />
            <Figures call={call} />
          </>
        }
      >
        <Outcome call={call} names={names} />
        <Transcript call={call} names={names} />
        <ScriptedCall callId={call.id} />
      </Beside>
      {allowed("webhooks:*") ? <Deliveries callId={call.id} /> : null}
      {Object.keys(call.metadata).length === 0 ? null : (
        <Panel title={say("metadata")}>
          <Json value={call.metadata} />
        </Panel>
      )}
      <Events callId={call.id} to={call.to} />
    </>
  );
}
