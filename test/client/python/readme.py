"""
Runs the examples of the README, which come as a JSON list, one after the other in one module. What they take as given
is made first; what they receive comes from the service.
"""
import json
import os
import queue
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from ringfold_client import Client

client = Client(os.environ["SERVICE_URL"], os.environ["RINGFOLD_API_KEY"])
assistant = client.assistants.create({"name": "Ada", "greetingMessage": "Hello!", "systemPrompt": "Be kind."})
client.assistants.publish(assistant["id"])
number = client.phone_numbers.create({"phoneNumber": "+15005550000"})
ready = {"assistantId": assistant["id"], "phoneNumberId": number["id"]}
contacts = [{"phoneNumber": "+15005550006"}]
campaign = client.campaigns.create({"name": "A campaign", **ready, "contacts": contacts})["campaign"]
with open("people.csv", "w") as people:
    people.write("phone\n+15005550006\n")

stored = queue.Queue()
given = {
    "assistant_id": assistant["id"],
    "phone_number_id": number["id"],
    "campaign_id": campaign["id"],
    "secret": client.webhooks.show_secret()["secret"],
    "last_position": None,
    "store": stored.put,
}
for example in json.load(sys.stdin):
    exec(compile(example, "README.md", "exec"), given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        status, answer = given["receive"](self.headers, self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()
client.webhooks.put({"url": f"http://127.0.0.1:{server.server_port}/", "enabled": True})
followed = stored.get(timeout=60)
answered = client.webhooks.test({"event": "call.ended"})
print(json.dumps({"followed": followed["type"], "webhook": answered["status"], "ended": stored.get(timeout=60)["status"]}))
