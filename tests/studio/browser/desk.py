"""Desk: one browser page at a studio, with what a user does there. Everything is found by its role and name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.studio.browser.process import Studio

AXE = Path(__file__).parents[3] / "web" / "node_modules" / "axe-core" / "axe.min.js"
WATCH = (
    "addEventListener('securitypolicyviolation', "
    "event => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))"
)
PATIENCE = 20_000
SETTLED = "main:not([aria-busy]):not(:has(.loading))"
SETTLE = """([settled, patience]) => new Promise(done => {
    const end = Date.now() + patience;
    const look = () => document.querySelector(settled) || Date.now() > end ? done() : setTimeout(look, 10);
    look();
})"""


class Desk:
    """A page in a browser context of its own. `complaints` is what the console said that it should not."""

    def __init__(self, studio: Studio, browser: Any, **options: Any) -> None:
        self.studio = studio
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(WATCH)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.page.on("console", self._listen)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _listen(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.text} ({message.location.get('url', '')})")

    def enter(self) -> Desk:
        self.page.goto(self.studio.address)
        self.page.get_by_role("heading", level=1).wait_for()
        return self

    # asking the studio what it knows, to compare with what is shown

    def ask(self, verb: str, path: str, body: Any = None) -> Any:
        """The API's answer, with the page's own cookie."""
        script = """async ([verb, path, body]) => {
            const init = {method: verb};
            if (body !== null) {
                init.body = JSON.stringify(body);
                init.headers = {'Content-Type': 'application/json'};
            }
            const answer = await fetch(path, init);
            return [answer.status, await answer.json()];
        }"""
        status, answer = self.page.evaluate(script, [verb, path, body])
        assert status == 200, answer
        return answer

    @property
    def session(self) -> str:
        found = re.search(r"#/([0-9a-z-]+)", self.page.url)
        assert found, self.page.url
        return found.group(1)

    def own(self, verb: str, path: str, body: Any = None) -> Any:
        return self.ask(verb, f"/api/sessions/{self.session}{path}", body)

    # getting about

    def open_example(self, name: str) -> None:
        self.page.get_by_role("button", name=re.compile(f"^{name}")).click()
        self.page.get_by_role("navigation", name="Perspectives").wait_for()

    def go(self, perspective: str) -> None:
        steps = self.page.get_by_role("navigation", name="Perspectives")
        link = steps.get_by_role("link", name=re.compile(f"^{perspective}"))
        link.click()
        expect(link).to_have_attribute("aria-current", "page")
        self.settled()

    def show(self, session: str, where: str) -> None:
        """A page by its address."""
        self.page.goto(f"{self.studio.root}#/{session}/{where}")
        self.page.wait_for_url(f"**/#/{session}/{where}*")
        self.settled()

    def settled(self) -> None:
        """The page is there, and nothing on it is still being loaded."""
        self.page.evaluate(SETTLE, [SETTLED, PATIENCE])  # looks more often than Playwright
        self.page.locator(SETTLED).get_by_role("heading", level=1).wait_for()

    def forgive(self, what: str) -> None:
        """The browser logs every answer that is not a success; here one is meant."""
        self.complaints = [said for said in self.complaints if what not in said]

    def prepare(self, name: str, guards: list[dict[str, Any]], methods: list[dict[str, Any]]) -> str:
        """A session with a finished run, made through the API, for tests of what comes after."""
        made = self.ask("POST", "/api/sessions", {"dataset": name})["id"]
        own = f"/api/sessions/{made}"
        self.ask("PUT", f"{own}/guards", {"guards": guards})
        self.ask("PUT", f"{own}/settings", {"methods": methods})
        run = self.ask("POST", f"{own}/runs", {})["id"]
        self.show(made, "search")
        self.finished(run)
        return str(made)

    def finished(self, run: str = "r1", state: str = "done") -> dict[str, Any]:
        for _ in range(400):
            head: dict[str, Any] = self.own("GET", f"/runs/{run}")["run"]
            if head["state"] != "running":
                assert head["state"] == state, head
                return head
            self.page.wait_for_timeout(100)
        raise AssertionError("the run does not end")

    def tick(self, box: Any) -> None:
        """The box itself is hidden behind a drawn one, and is ticked when the studio has answered."""
        box.locator("xpath=ancestor::label").click()
        expect(box).to_be_checked()

    # what must be true of every page

    def audit(self) -> None:
        """axe finds nothing."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE.read_text())
        found = self.page.evaluate(
            "axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map(v => "
            "[v.id, ...v.nodes.slice(0, 2).map(n => n.html.slice(0, 160) + ' | ' + n.failureSummary)]))"
        )
        assert not found, (self.page.url, found)

    def fits(self) -> None:
        """Nothing has to be scrolled sideways."""
        wide = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, (self.page.url, wide)

    def leave(self) -> None:
        self.context.close()
        assert not self.complaints, self.complaints
