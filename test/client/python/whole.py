"""
A project of somebody else's, which knows the service through the package alone: client.python.test.ts installs it
from its wheel and runs this. It prints what it saw as JSON.
"""
import io
import json
import os
import queue
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from ringfold_client import Client, RingfoldError, WebhookError, verify_webhook

NUMBER = "+15005550006"
api_key = os.environ["API_KEY"]
client = Client(os.environ["SERVICE_URL"], api_key)
# Through a proxy that cuts answers.
cut_off = Client(os.environ["PROXY_URL"], api_key)


def refusal(ask):
    try:
        ask()
    except RingfoldError as error:
        names = ("status", "code", "details", "request_id")
        return {"message": str(error), **{name: getattr(error, name) for name in names}}
    raise AssertionError("It was not refused")


class Receiver(BaseHTTPRequestHandler):
    """Says of each delivery who takes it: the old secret, the new one, and with one byte more nobody."""

    secrets = [client.webhooks.show_secret()["secret"]]
    seen = queue.Queue()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        verdicts = [self.verdict(secret, body) for secret in self.secrets]
        self.seen.put((verdicts, self.verdict(self.secrets[0], body + b" ")))
        self.send_response(200)
        self.end_headers()

    def verdict(self, secret, body):
        try:
            event = verify_webhook(secret=secret, headers=self.headers, body=body)
            return [event["event"], event["data"]["callId"]]
        except WebhookError as error:
            return error.reason

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()
client.webhooks.put({"url": f"http://127.0.0.1:{server.server_port}/", "enabled": True})

assistant = client.assistants.create({"name": "Ada", "greetingMessage": "Hello!", "systemPrompt": "Be kind."})
client.assistants.publish(assistant["id"])
number = client.phone_numbers.create({"phoneNumber": "+15005550000"})
ready = {"assistantId": assistant["id"], "phoneNumberId": number["id"]}

contacts = [{"phoneNumber": NUMBER, "externalId": f"row {index}"} for index in range(250)]
request = {"name": "From outside", **ready, "contacts": contacts}
created = cut_off.campaigns.create(request)["campaign"]

call_id = client.calls.start_outbound({**ready, "to": NUMBER})["callId"]
followed = []
with cut_off.follow_events() as events:
    for event in events:
        followed.append(event["position"])
        if event["type"] == "CallCompleted" and event["data"]["callId"] == call_id:
            break
# Whoever reads is waiting for more when another thread closes it.
open_events = client.follow_events(after="now")
ending = threading.Thread(target=lambda: [event for event in open_events])
ending.start()
while open_events._response is None:
    time.sleep(0.01)
open_events.close()
ending.join()

started_and_ended = [Receiver.seen.get(timeout=120) for _ in range(2)]
Receiver.secrets = [*Receiver.secrets, client.webhooks.rotate_secret({"overlapSeconds": 3600})["secret"]]
client.calls.start_outbound({**ready, "to": NUMBER})
rotated = [Receiver.seen.get(timeout=120) for _ in range(2)]

csv = io.BytesIO(b"phone,name\n+15005550006,Zo\xc3\xab\n")
imported = client.campaigns.import_({"settings": json.dumps({"name": "From a file", **ready}), "file": csv})
with client.campaigns.export_contacts(created["id"]) as exported:
    csv_lines = len(exported.read().decode().strip().split("\n"))
with client.calls.get_recording(call_id) as recording:
    head = recording.read(4).decode("latin-1")

print(
    json.dumps(
        {
            "created": created["id"],
            "campaigns": [each["id"] for each in client.campaigns.list() if each["name"] == "From outside"],
            "rows": [each["externalId"] for each in client.campaigns.list_contacts(created["id"], limit=100)],
            "unknown": refusal(lambda: client.campaigns.get("cmp_not/there")),
            "invalid": refusal(lambda: client.campaigns.create({**request, "name": ""})),
            "plain": refusal(lambda: client.calls.start_outbound({**ready, "assistantId": "no", "to": NUMBER})),
            "followed": followed,
            "listed": [each["position"] for each in client.history.list_events(limit=50)],
            "call": call_id,
            "webhooks": started_and_ended,
            "rotated": rotated,
            "imported": imported["campaign"]["totalContacts"],
            "csvLines": csv_lines,
            "recording": head,
        }
    )
)
