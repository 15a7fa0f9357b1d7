import { useQuery } from "@tanstack/react-query";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import layout from "../../ui/layout.module.css";
import { isTooMany, tryFile } from "./campaign-api.ts";
import { type Draft, fileSettingsOf } from "./draft.ts";
import { en } from "./en.ts";
import { RejectedTable } from "./rejected-rows.tsx";
import { tr } from "./tr.ts";
import styles from "./wizard.module.css";

const TEXTS = { en, tr };

/** What the service makes of the file, as soon as it is there. */
export function FileTrial({ draft }: { readonly draft: Draft }) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const { file } = draft;
  const isPossible =
    file !== null && draft.assistantId !== "" && draft.phoneNumberId !== "" && draft.columns.phone !== "";
  const trial = useQuery({
    queryKey: ["file-trial", fileSettingsOf(draft), file?.name, file?.size, file?.lastModified],
    queryFn: () => tryFile(draft),
    enabled: isPossible,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!isPossible) return null;
  if (trial.isPending) return <p role="status">{say("report.trying")}</p>;
  if (trial.isError)
    return (
      <p role="alert" className={styles.fault}>
        {isTooMany(trial.error) ? say("report.too_many") : <ErrorText error={trial.error} />}
      </p>
    );
  const { totalContacts, rejectedContacts, duplicateContacts } = trial.data;
  const { count } = rejectedContacts;
  const hasDuplicates = duplicateContacts.count > 0 && !draft.skipDuplicates;
  const said = [
    say("file.good", { count: number(totalContacts) }),
    ...(hasDuplicates ? [say("file.duplicates", { count: number(duplicateContacts.count) })] : []),
    ...(count === 0 ? [] : [say("file.refused", { count: number(count) })]),
  ];
  return (
    <div className={`${layout.stack} ${layout.wide}`} data-testid="file-trial" data-rejected={count}>
      <p role="status" className={count === 0 ? styles.good : styles.note}>
        {said.join(" ")}
      </p>
      <RejectedTable rejected={rejectedContacts} hasCountry={draft.defaultCountry !== ""} />
    </div>
  );
}
