/** whole: no range was asked for, or one that may be ignored. Both ends are included. */
export type ByteRange =
  | { readonly kind: "whole" }
  | { readonly kind: "part"; readonly from: number; readonly to: number }
  | { readonly kind: "unsatisfiable" };

/**
 * One range of bytes (RFC 9110, 14.1.2). Several ranges get the whole file, which every client must accept.
 */
export function byteRange(header: string | undefined, bytes: number): ByteRange {
  const [, first = "", last = ""] =
    /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replaceAll(" ", "") ?? "") ?? [];
  if (first === "" && last === "") return { kind: "whole" };
  if (first === "") {
    const from = Math.max(0, bytes - Number(last));
    return Number(last) === 0 || bytes === 0
      ? { kind: "unsatisfiable" }
      : { kind: "part", from, to: bytes - 1 };
  }
  const from = Number(first);
  const to = last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (last !== "" && Number(last) < from) return { kind: "whole" };
  return from >= bytes ? { kind: "unsatisfiable" } : { kind: "part", from, to };
}
