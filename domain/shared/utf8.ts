/** Bytes of a text in UTF-8; an unpaired surrogate counts as the three bytes of its replacement. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(index + 1))) index += 1;
  }
  return bytes;
}

/** Whether a text has at most so many bytes in UTF-8. It is not counted where its length alone tells. */
export function fitsUtf8(text: string, maxBytes: number): boolean {
  // A UTF-16 code unit takes one to three bytes.
  return text.length <= maxBytes && (3 * text.length <= maxBytes || utf8Length(text) <= maxBytes);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** False for NaN, which stands for the end of the text. */
function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
