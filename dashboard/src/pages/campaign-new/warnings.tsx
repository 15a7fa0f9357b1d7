import { Link } from "@tanstack/react-router";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import type { ImportReport } from "./campaign-api.ts";
import { en } from "./en.ts";
import { tr } from "./tr.ts";
import styles from "./wizard.module.css";

const TEXTS = { en, tr };
type Warning = ImportReport["warnings"][number];

/** The control by which each is mended; a text's own is named by the service. */
const FIELDS: { readonly [Code in Warning["code"]]?: string } = {
  bad_characters: "file",
  never_open: "callWindowStart",
  policy_no_consent: "columns.consentSource",
  policy_zone_unknown: "file",
  no_call_window: "anyHour",
  retries_declined: "retryOn",
  timezone_defaulted: "timezone",
};
const TEXT_FIELDS = ["greetingMessage", "specialInstructions"];

type WarningsProps = {
  readonly warnings: ImportReport["warnings"];
  readonly lead: (field: string) => void;
};

/** What is probably not meant, each with the way to its field. */
export function Warnings({ warnings, lead }: WarningsProps) {
  const say = useTexts(TEXTS);
  if (warnings.length === 0) return null;
  return (
    <div className={styles.note}>
      <h3>{say("report.warnings")}</h3>
      <ul>
        {warnings.map((warning) => (
          <li key={warning.code} data-warning={warning.code}>
            <Said warning={warning} /> <Mend warning={warning} lead={lead} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The way to where it is mended; of who stands on a list to the lists. */
function Mend({ warning, lead }: Pick<WarningsProps, "lead"> & { readonly warning: Warning }) {
  const say = useTexts(TEXTS);
  if (warning.code === "credits_short") return <Link to="/credits">{say("warning.add-credits")}</Link>;
  if (warning.code === "policy_on_a_list") return <Link to="/policy">{say("warning.lists")}</Link>;
  return (
    <button type="button" className={styles.lead} onClick={() => lead(fieldOf(warning))}>
      {say("warning.mend")}
    </button>
  );
}

function Said({ warning }: { readonly warning: Warning }) {
  const say = useTexts(TEXTS);
  const { number, credits } = useFormat();
  const { code, keys = [], count = 0, needed = 0, available = 0 } = warning;
  return (
    <span>
      {say(`warning.${code}`, {
        count: number(count),
        needed: credits(needed),
        available: credits(available),
        missing: credits(needed - available),
        keys: keys.map((key) => `{{${key.name}}} (${number(key.count)})`).join(", "),
      })}
    </span>
  );
}

function fieldOf({ code, path = [] }: Warning): string {
  return FIELDS[code] ?? path.find((name) => TEXT_FIELDS.includes(name)) ?? "greetingMessage";
}
