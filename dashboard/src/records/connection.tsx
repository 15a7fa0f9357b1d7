import type { ConnectionRecord } from "../../../contract/connection.ts";
import type { ConnectionKind } from "../../../contract/connection-settings.ts";
import { useTexts } from "../texts/language.tsx";
import { Choice, Field } from "../ui/controls.tsx";
import { useAllowed } from "./use-allowed.ts";
import { ALL, useList } from "./use-list.ts";

export const CONNECTIONS = "/api/v1/connections";

/** A setting of whatever kind; undefined: this one has none of that name. */
export const settingOf = (
  { settings }: ConnectionRecord,
  name: string,
): string | number | boolean | null | undefined =>
  Object.entries(settings).find(([each]) => each === name)?.[1];

/**
 * Selects one of the owner's connections of these kinds; without the right to list them, a
 * text field for the id.
 */
export function ConnectionChoice({
  label,
  name,
  kinds,
  value,
  none,
}: {
  readonly label: string;
  readonly name: string;
  readonly kinds: readonly ConnectionKind[];
  readonly value: string;
  /** Label for no connection. */
  readonly none?: string;
}) {
  const say = useTexts();
  const enabled = useAllowed()("admin");
  const list = useList(CONNECTIONS, { query: ALL, enabled });
  if (!list.isSuccess) return <Field label={label} name={name} defaultValue={value} dir="ltr" />;
  const offered = list.rows.filter((each) => kinds.includes(each.kind) && !each.default);
  const isUnknown = value !== "" && !offered.some(({ id }) => id === value);
  return (
    <Choice label={label} name={name} defaultValue={value}>
      <option value="">{none ?? say("connection.default")}</option>
      {isUnknown ? <option value={value}>{value}</option> : null}
      {offered.map(({ id, name: title }) => (
        <option key={id} value={id} data-user-text="">
          {title}
        </option>
      ))}
    </Choice>
  );
}
