import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { allows, sessionQuery } from "../../api/session.ts";
import { useTexts } from "../../texts/language.tsx";
import { LINK_BUTTON } from "../../ui/controls.tsx";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };

/** Absent for a key that may not create campaigns. */
export function NewCampaign() {
  const say = useTexts(TEXTS);
  const session = useQuery(sessionQuery).data ?? null;
  if (session === null || !allows(session, "campaigns:write")) return null;
  return (
    <Link to="/campaigns/new" className={LINK_BUTTON} data-testid="new-campaign">
      {say("new")}
    </Link>
  );
}
