import { type Assistant, DRAFT_FIELDS, NULLABLE } from "../../records/assistant.ts";

/** The fields of the form that differ from the draft; only these are sent. */
export function changesOf(assistant: Assistant, fields: FormData): Readonly<Record<string, unknown>> {
  const changes = DRAFT_FIELDS.filter(({ name }) => assistant[name] !== undefined).map(({ name, kind }) => {
    if (kind === "check") return [name, fields.has(name)] as const;
    if (kind === "tools") return [name, fields.getAll(name).map(String)] as const;
    const text = String(fields.get(name) ?? "");
    if (text === "" && NULLABLE.has(name)) return [name, null] as const;
    return [name, kind === "number" ? Number(text) : text] as const;
  });
  return Object.fromEntries(
    changes.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(assistant[name])),
  );
}
