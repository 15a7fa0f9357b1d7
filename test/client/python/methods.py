"""Prints the methods of the client as JSON, each with its parameters and with what it sends, type hints resolved."""
import inspect
import json
import typing

from ringfold_client import Client, operations, types

sent = []


class Recorder:
    """In place of what sends: the first request of each method is enough."""

    def ask(self, method, path, **request):
        sent.append({"method": method, "path": path, **request})
        return {"data": [], "pagination": {"nextCursor": None}}

    open = ask


client = Client("http://127.0.0.1:1", "key")
methods = []
for group, operations_of_group in vars(operations.Operations(Recorder())).items():
    for name, method in inspect.getmembers(operations_of_group, inspect.ismethod):
        if name.startswith("_"):
            continue
        hints = typing.get_type_hints(method, vars(operations))
        parameters = inspect.signature(method).parameters
        # Of names that only begin as documented, one stands for all.
        arguments = {
            each: {"<name>": "<value>"} if "Mapping[str, str | int" in str(hints[each]) else f"<{each}>"
            for each in parameters
        }
        answer = method(**arguments)
        if type(answer).__name__ == "Rows":
            answer.page("<cursor>")
        request = sent.pop()
        assert set(hints) == {*parameters, "return"}, name
        assert request.pop("timeout") == "<timeout>", name
        methods.append({"group": group, "name": name, "parameters": list(parameters), **request})
for name, kind in vars(types).items():
    if typing.is_typeddict(kind):
        typing.get_type_hints(kind)
print(json.dumps(methods))
