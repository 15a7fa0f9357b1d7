import type { Policy } from "../../../domain/policy/policy.ts";
import type { ContactId } from "../../../domain/shared/ids.ts";
import { isAnybodyAsked } from "./eligibility-rules.ts";
import { lacksConsent, versionsAt, zoneIsUnknown } from "./hold-rules.ts";
import { mayListsBeOld } from "./list-rules.ts";
import { atMillis, type PolicyAudit, type PolicyPause } from "./policy-book.ts";

/** The policy pauses a campaign only for what keeps everybody in it from being called. */
export function judgePauses(audit: PolicyAudit): void {
  for (const each of audit.book.pauses) {
    const illegal = (problem: string) => audit.report("policy-pause-legal", problem, each.pause);
    const { reason } = each.pause.event.data;
    if (reason === "policy_refuses_all") judgeRefusal(audit, each, illegal);
    else if (reason === "list_outdated") judgeOutdated(audit, each, illegal);
    else if (reason === "eligibility_unavailable" && !isAnybodyAsked(audit, each.pause.place))
      illegal("It is paused for an address, and nobody is asked");
  }
}

/** One rule of the version that it names refuses all who are left, two at least. */
function judgeRefusal(
  audit: PolicyAudit,
  { pause, left }: PolicyPause,
  illegal: (problem: string) => void,
): void {
  const { policyVersion } = pause.event.data;
  const version = versionsAt(audit, pause).find(({ event }) => event.data.version === policyVersion);
  if (version === undefined) {
    illegal(`It is paused by version ${policyVersion}, which does not stand`);
    return;
  }
  const { policy } = version.event.data;
  const millis = atMillis(pause);
  const rules = [lacksConsent, zoneIsUnknown].map(
    (refuses) => (contactId: ContactId, by: Policy) => refuses(audit, contactId, by, millis),
  );
  const allowed = rules.map((refuses) => left.find((contactId) => !refuses(contactId, policy)));
  if (left.length < 2) illegal(`It is paused, and ${left.length} are left`);
  else if (allowed.every((contactId) => contactId !== undefined))
    illegal(`It is paused, and ${allowed[0]} may be called`);
}

/** A list may also be older than the log says, which only its settings show: then there is one. */
function judgeOutdated(audit: PolicyAudit, { pause }: PolicyPause, illegal: (problem: string) => void): void {
  const { book } = audit;
  const millis = atMillis(pause);
  const isOld = versionsAt(audit, pause).some(({ event }) => {
    const { listMaxAgeDays } = event.data.policy;
    return listMaxAgeDays !== undefined && mayListsBeOld(book, listMaxAgeDays, millis);
  });
  const mayBeBehind = book.lists.some(({ event }) => event.type === "SuppressionListReplaced");
  if (!isOld && !mayBeBehind) illegal("It is paused for a list, and none is too old");
}
