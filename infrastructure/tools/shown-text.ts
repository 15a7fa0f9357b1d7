import { storableText } from "../../domain/shared/storable-text.ts";

/** The most bytes (UTF-8) of a tool's answer that the model gets. */
export const SHOWN_BYTES = 4_096;

/** The longest beginning of so many bytes that ends with a whole character. */
export function beginning(text: string, bytes = SHOWN_BYTES): string {
  const encoded = Buffer.from(text);
  let end = bytes;
  while (((encoded[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return encoded.subarray(0, end).toString();
}

/** Bytes of an answer as text; NUL, which no store accepts, and invalid UTF-8 become U+FFFD. */
export function readableText(bytes: Buffer, contentType: string | undefined): string {
  return storableText(decoderOf(contentType).decode(bytes));
}

function decoderOf(contentType = "") {
  try {
    return new TextDecoder(/charset="?([\w-]{1,40})/i.exec(contentType)?.[1]);
  } catch {
    return new TextDecoder();
  }
}
