/** How a receiver checks a request over the raw bytes of its body. Each snippet is complete. */
export const SNIPPETS = [
  {
    name: "Node",
    code: `import { createHmac, timingSafeEqual } from "node:crypto";

// body: the raw bytes as received, before any JSON parser
export function isGenuine(secret, headers, body) {
  const timestamp = headers["x-service-timestamp"] ?? "";
  if (!/^\\d+$/.test(timestamp)) return false;
  if (Math.abs(Date.now() - Number(timestamp)) > 300_000) return false;
  const made = createHmac("sha256", secret).update(timestamp + ".").update(body).digest("hex");
  const expected = Buffer.from("sha256=" + made);
  return ["x-service-signature", "x-service-signature-next"].some((name) => {
    const given = Buffer.from(headers[name] ?? "");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
`,
  },
  {
    name: "Python",
    code: `import hashlib
import hmac
import time

# headers: with names in lower case; body: the raw bytes as received
def is_genuine(secret: str, headers: dict[str, str], body: bytes) -> bool:
    timestamp = headers.get("x-service-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdigit()):
        return False
    if abs(time.time() * 1000 - int(timestamp)) > 300_000:
        return False
    message = timestamp.encode() + b"." + body
    expected = "sha256=" + hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
    names = ("x-service-signature", "x-service-signature-next")
    return any(hmac.compare_digest(headers.get(name, "").encode(), expected.encode()) for name in names)
`,
  },
  {
    name: "Go",
    code: `package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"time"
)

// body: the raw bytes as received
func IsGenuine(secret string, header http.Header, body []byte) bool {
	timestamp := header.Get("X-Service-Timestamp")
	millis, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.UnixMilli(millis)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := []byte("sha256=" + hex.EncodeToString(mac.Sum(nil)))
	return hmac.Equal([]byte(header.Get("X-Service-Signature")), expected) ||
		hmac.Equal([]byte(header.Get("X-Service-Signature-Next")), expected)
}
`,
  },
  {
    name: "PHP",
    code: `<?php
// $body: file_get_contents("php://input")
function is_genuine(string $secret, string $body): bool {
    $timestamp = $_SERVER["HTTP_X_SERVICE_TIMESTAMP"] ?? "";
    if (!ctype_digit($timestamp)) return false;
    if (abs(microtime(true) * 1000 - (int) $timestamp) > 300000) return false;
    $expected = "sha256=" . hash_hmac("sha256", $timestamp . "." . $body, $secret);
    return hash_equals($expected, $_SERVER["HTTP_X_SERVICE_SIGNATURE"] ?? "")
        || hash_equals($expected, $_SERVER["HTTP_X_SERVICE_SIGNATURE_NEXT"] ?? "");
}
`,
  },
] as const;
