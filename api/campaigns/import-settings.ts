import { checkJson } from "../body/check-json.ts";
import { tooManyValues, validationError } from "../errors.ts";
import { type ImportSettingsInput, importSettings } from "./schemas.ts";

/** The JSON text of the part or query `settings`; its problems are reported under that name. */
export function importSettingsOf(text: string | undefined): ImportSettingsInput {
  if (text === undefined) throw problems([{ path: [], message: "Required" }]);
  const checked = checkJson(Buffer.from(text), importSettings);
  if (checked.ok) return importSettings.parse(checked.value);
  if (checked.kind === "too_many_values") throw tooManyValues();
  throw problems(checked.kind === "invalid" ? checked.details : [{ path: [], message: checked.message }]);
}

function problems(
  details: readonly { readonly path: readonly (string | number)[]; readonly message: string }[],
) {
  return validationError(
    "The request",
    details.map(({ path, message }) => ({ path: ["settings", ...path], message })),
  );
}
