type Item = { readonly phoneNumber: string; readonly reason: string | null; readonly line: number };

const LINE = /^([^,;\t]*)[,;\s]*(.*)$/;

/**
 * One number a line, with its reason after the first comma, semicolon or tab; empty lines are left out.
 * `line` is counted from 1.
 */
export function itemsOf(text: string, reason: string | null): readonly Item[] {
  return text
    .split(/\r?\n/)
    .map((line, index): Item => {
      const [, number = "", own = ""] = LINE.exec(line) ?? [];
      const ownReason = own.trim();
      return {
        phoneNumber: number.trim(),
        reason: ownReason === "" ? reason : ownReason,
        line: index + 1,
      };
    })
    .filter(({ phoneNumber }) => phoneNumber !== "");
}
