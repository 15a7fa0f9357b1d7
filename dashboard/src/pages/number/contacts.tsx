import type { NumberRecord } from "../../../../contract/number.ts";
import { CampaignLink } from "../../records/campaign-link.tsx";
import { Table, UserText } from "../../records/records.tsx";
import { useTexts } from "../../texts/language.tsx";
import { TEXTS } from "../numbers/texts.ts";

/** The campaigns that have this number. */
export function Contacts({ contacts }: Pick<NumberRecord, "contacts">) {
  const say = useTexts(TEXTS);
  return (
    <>
      <h2>{say("contacts")}</h2>
      <Table label={say("contacts")} heads={[say("name"), say("status"), say("campaign")]}>
        {contacts.map(({ campaignId, contactId, name, status }) => (
          <tr key={contactId} data-contact={contactId} data-status={status}>
            <td>
              <UserText>{name}</UserText>
            </td>
            <td>{say(`contact.${status}`)}</td>
            <td>
              <CampaignLink id={campaignId} contact={contactId} />
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
