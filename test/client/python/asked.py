"""Runs the statement of its first argument with a client, and prints as JSON what became of it."""
import json
import os
import sys

from ringfold_client import Client, RingfoldConnectionError, RingfoldError, WebhookError, verify_webhook

client = Client(os.environ["SERVICE_URL"], "key", **json.loads(os.environ.get("OPTIONS", "{}")))
call = {"phoneNumberId": "pn_1", "assistantId": "ast_1", "to": "+15005550006"}
positions = []
verdicts = []


def follow(**options):
    for event in client.follow_events(**options):
        positions.append(event["position"])


def verify(given):
    for each in given:
        try:
            verdicts.append(verify_webhook(**each)["event"])
        except WebhookError as refused:
            verdicts.append(refused.reason)


try:
    exec(sys.argv[1])
    error = None
except (RingfoldError, RingfoldConnectionError) as raised:
    error = {"kind": type(raised).__name__, "message": str(raised), **vars(raised)}
print(json.dumps({"positions": positions, "verdicts": verdicts, "error": error}))
