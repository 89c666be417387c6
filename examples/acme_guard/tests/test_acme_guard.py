from acme_guard import Projects
from websearch_core.testing import RequestFilterContract


class TestProjects(RequestFilterContract):
    component = Projects
    allowed = ("weather in Oslo", "blue birds of Norway")
    blocked = ("bluebird launch date", "who works on BlueBird?")

    def filter(self, ctx):
        return Projects()
