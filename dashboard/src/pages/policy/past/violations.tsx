import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { VerificationRecord, ViolationRecord } from "../../../../../contract/verification.ts";
import { Muted, Table } from "../../../records/records.tsx";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Button, Check, Chips } from "../../../ui/controls.tsx";
import { Time } from "../../../ui/time.tsx";
import { TEXTS } from "../texts.ts";

const AT_ONCE = 50;

type Rule = ViolationRecord["rule"];
const RULES = [
  "consent",
  "oneCallAtATime",
  "attemptsPerNumber",
  "callableHours",
  "zone_unknown",
  "listAge",
  "eligibility",
] as const satisfies readonly Rule[];

/** Each dial that broke a rule, with the way to its Why; chosen by rule. */
export function Violations({
  of: { count, byRule, items },
}: {
  readonly of: VerificationRecord["violations"];
}) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const [left, setLeft] = useState<readonly Rule[]>([]);
  const [most, setMost] = useState(AT_ONCE);
  const broken = RULES.filter((rule) => (byRule[rule] ?? 0) > 0);
  const chosen = items.filter(({ rule }) => !left.includes(rule));
  const heads = [say("when"), say("violated"), say("number"), say("value"), say("why")];
  return (
    <>
      <Chips label={say("violated")}>
        {broken.map((rule) => (
          <Check
            key={rule}
            label={`${say(`violated.${rule}`)}: ${number(byRule[rule] ?? 0)}`}
            name="rules"
            value={rule}
            checked={!left.includes(rule)}
            onChange={({ target }) =>
              setLeft(target.checked ? left.filter((each) => each !== rule) : [...left, rule])
            }
          />
        ))}
      </Chips>
      {count > items.length ? <Muted>{say("past.first-of", { shown: number(items.length) })}</Muted> : null}
      <Table label={say("violations")} heads={heads}>
        {chosen.slice(0, most).map((violation) => (
          <tr
            key={`${violation.rule} ${violation.event.stream} ${violation.event.revision}`}
            data-violation={violation.rule}
          >
            <td>
              <Time at={violation.at} />
            </td>
            <td>{say(`violated.${violation.rule}`)}</td>
            <td dir="ltr">{violation.phoneNumber ?? say("erased")}</td>
            <td>
              <code>{violation.value ?? "–"}</code> <Muted>/</Muted> <code>{violation.limit ?? "–"}</code>
            </td>
            <td>
              <Why of={violation} />
            </td>
          </tr>
        ))}
      </Table>
      {chosen.length > most ? (
        <div>
          <Button data-testid="more-violations" onClick={() => setMost(most + AT_ONCE)}>
            {say("more")}
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** The contact as it stood when it was dialled, whose Why tells the rest; of a single call the call. */
function Why({ of: { event, campaignId, contactId, callId } }: { readonly of: ViolationRecord }) {
  const say = useTexts(TEXTS);
  if (campaignId === null || contactId === null)
    return (
      <Link to="/calls/$id" params={{ id: callId }}>
        {say("why.call")}
      </Link>
    );
  return (
    <Link to="/campaigns/$campaignId" params={{ campaignId }} search={{ contact: contactId, at: event.at }}>
      {say("why.contact")}
    </Link>
  );
}
