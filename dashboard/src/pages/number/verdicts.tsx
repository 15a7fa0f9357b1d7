import type { NumberRecord } from "../../../../contract/number.ts";
import { CampaignLink } from "../../records/campaign-link.tsx";
import { OptOutCall } from "../../records/opt-out-call.tsx";
import { Muted, Row } from "../../records/records.tsx";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Panel } from "../../ui/controls.tsx";
import { Time } from "../../ui/time.tsx";
import { Told } from "../../ui/told.tsx";
import { EventName } from "../campaign/drawer/event-name.tsx";
import { TEXTS } from "../numbers/texts.ts";

type Shown = Pick<NumberRecord, "verdicts">;

/** The service's sentence for each campaign, unchanged, and the events that it is based on. */
export function Verdicts({ verdicts }: Shown) {
  const say = useTexts(TEXTS);
  return (
    <Panel title={say("verdicts")}>
      {verdicts.length === 0 ? <Muted>{say("verdicts.none")}</Muted> : null}
      <ul style={{ display: "grid", gap: 14, margin: 0, padding: 0, listStyle: "none" }}>
        {verdicts.map((verdict) => (
          <Verdict key={`${verdict.campaignId} ${verdict.contactId}`} of={verdict} />
        ))}
      </ul>
    </Panel>
  );
}

function Verdict({ of }: { readonly of: Shown["verdicts"][number] }) {
  const say = useTexts(TEXTS);
  const { time } = useFormat();
  const { campaignId, contactId, verdict, sentence, until, because } = of;
  return (
    <li data-verdict={verdict} data-campaign={campaignId}>
      <p data-testid="why">
        <span data-user-text="" dir="ltr">
          <Told sentence={sentence} />
        </span>
      </p>
      <Row>
        <CampaignLink id={campaignId} contact={contactId} />
        <OptOutCall of={of} />
        {until === null ? null : <Muted>{say("until", { at: time(until) })}</Muted>}
        {because.map((event) => (
          <span key={event.position} data-testid="evidence" data-type={event.type}>
            <Muted>
              <EventName type={event.type} /> · <Time at={event.at} />
            </Muted>
          </span>
        ))}
      </Row>
    </li>
  );
}
