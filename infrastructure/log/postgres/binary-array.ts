import { Buffer } from "node:buffer";

/*
 * PostgreSQL's binary form of one-dimensional arrays without nulls: five words (dimensions, has nulls,
 * element type, length, lower bound), then each element with its length. `pg` sends a Buffer unchanged; its
 * text form escapes every quote of every payload, which takes twice the time.
 */
const HEADER = 20;
const JSON_TYPE = 114;
const TEXT = 25;
const INTEGER = 23;
const UUID = 2950;

export function textArray(values: readonly string[]): Buffer {
  return arrayOfTexts(TEXT, values);
}

/** `values`: JSON texts. */
export function jsonArray(values: readonly string[]): Buffer {
  return arrayOfTexts(JSON_TYPE, values);
}

function arrayOfTexts(elementType: number, values: readonly string[]): Buffer {
  const sizes = values.map((value) => Buffer.byteLength(value));
  const bytes = sizes.reduce((total, size) => total + size + 4, HEADER);
  const array = headed(bytes, elementType, values.length);
  let at = HEADER;
  for (const value of values) {
    const written = array.write(value, at + 4);
    array.writeInt32BE(written, at);
    at += written + 4;
  }
  return array;
}

export function integerArray(values: readonly number[]): Buffer {
  const array = headed(HEADER + values.length * 8, INTEGER, values.length);
  let at = HEADER;
  for (const value of values) {
    array.writeInt32BE(4, at);
    array.writeInt32BE(value, at + 4);
    at += 8;
  }
  return array;
}

/** `values` as text with dashes. */
export function uuidArray(values: readonly string[]): Buffer {
  const array = headed(HEADER + values.length * 20, UUID, values.length);
  let at = HEADER;
  for (const value of values) {
    array.writeInt32BE(16, at);
    array.write(value.replaceAll("-", ""), at + 4, "hex");
    at += 20;
  }
  return array;
}

function headed(bytes: number, elementType: number, length: number): Buffer {
  const array = Buffer.allocUnsafe(bytes);
  [1, 0, elementType, length, 1].forEach((word, index) => {
    array.writeInt32BE(word, index * 4);
  });
  return array;
}
