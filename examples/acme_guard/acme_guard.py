from websearch_core import Allow, Block, RequestFilter, hookimpl


class Projects(RequestFilter):
    name = "acme-projects"

    async def check(self, request):
        return Block(reason="names an internal project") if "bluebird" in request.text.lower() else Allow()


@hookimpl
def websearch_request_filters():
    yield Projects()
