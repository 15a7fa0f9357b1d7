import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { NumberRecord } from "../../../../contract/number.ts";
import { OptOutCall } from "../../records/opt-out-call.tsx";
import { UserText } from "../../records/records.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { useRefresh } from "../../records/use-refresh.ts";
import { useFormat } from "../../texts/format.ts";
import { useLanguage, useTexts } from "../../texts/language.tsx";
import { Badge, Panel } from "../../ui/controls.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { CallTable } from "../calls/call-table.tsx";
import { useReason } from "../do-not-call/source.tsx";
import { TEXTS } from "../numbers/texts.ts";
import { EraseNumber } from "../privacy/erase.tsx";
import { Contacts } from "./contacts.tsx";
import { NUMBER, numberQuery } from "./number-api.ts";
import { Verdicts } from "./verdicts.tsx";

/** One telephone number: why it was called or not, and the outcome. */
export function NumberPage() {
  const say = useTexts(TEXTS);
  const { language } = useLanguage();
  const { number = "" } = useParams({ strict: false });
  const mayErase = useAllowed()("admin");
  const history = useQuery(numberQuery(number, language));
  useRefresh(
    NUMBER,
    ({ stream, type }) => type.startsWith("Contact") || type.startsWith("Call") || stream.includes(number),
  );
  return (
    <Page
      name="number"
      title={<bdi dir="ltr">{number}</bdi>}
      crumb={<Link to="/numbers">{say("back")}</Link>}
      status={history.data === undefined ? null : <Suppression suppression={history.data.suppression} />}
      state={stateOf({ ...history, isEmpty: false })}
      failure={history.error}
      onRetry={() => void history.refetch()}
      actions={mayErase ? <EraseNumber phoneNumber={number} changes={[NUMBER]} /> : undefined}
    >
      {history.data === undefined ? null : <History history={history.data} />}
    </Page>
  );
}

function History({ history }: { readonly history: NumberRecord }) {
  const say = useTexts(TEXTS);
  const { calls, contacts, verdicts } = history;
  return (
    <>
      <Reason suppression={history.suppression} />
      <Verdicts verdicts={verdicts} />
      {contacts.length === 0 ? null : <Contacts contacts={contacts} />}
      <h2>{say("calls.all")}</h2>
      {calls.length === 0 ? <p>{say("calls.none")}</p> : <CallTable label={say("calls.all")} calls={calls} />}
    </>
  );
}

function Suppression({ suppression }: Pick<NumberRecord, "suppression">) {
  const say = useTexts(TEXTS);
  return (
    <span data-testid="suppression" data-value={suppression !== null}>
      <Badge tone={suppression === null ? "good" : "bad"}>
        {say(suppression === null ? "suppressed.not" : "suppressed.is")}
      </Badge>
    </span>
  );
}

function Reason({ suppression }: Pick<NumberRecord, "suppression">) {
  const say = useTexts(TEXTS);
  const { time } = useFormat();
  const reasonOf = useReason();
  if (suppression === null) return null;
  return (
    <Panel>
      <p>
        {suppression.list === undefined ? (
          say("suppressed", { at: time(suppression.createdAt) })
        ) : (
          <>
            {say("suppressed.list", { at: time(suppression.createdAt) })}{" "}
            <UserText>{suppression.list.name}</UserText>
          </>
        )}
      </p>
      {suppression.reason === null ? null : (
        <UserText>{say("suppressed.reason", { reason: reasonOf(suppression.reason) ?? "" })}</UserText>
      )}{" "}
      <OptOutCall of={{ optOutCallId: suppression.callId }} />
    </Panel>
  );
}
