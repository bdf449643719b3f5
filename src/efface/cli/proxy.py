"""`efface proxy`: placeholders to a language model, originals back to the program."""

from __future__ import annotations

from typing import Annotated

import typer

from efface.cli.shared import options
from efface.cli.shared.console import fail, say


def proxy(
    upstream: Annotated[
        str,
        typer.Option("--upstream", metavar="URL", help="Where the model's paths begin.", show_default=False),
    ],
    policy: options.Policy = None,
    host: Annotated[str, typer.Option("--host", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port to listen at.")] = 8082,
) -> None:
    """Stand between a program and an OpenAI-compatible model: placeholders out, originals back.

    Example: efface proxy --upstream https://api.example.com/v1 --policy names
    """
    from efface.files.web_addresses import is_web_address

    if not is_web_address(upstream):
        fail("--upstream is the address of a model.", "Write for example https://api.example.com/v1.")
    try:
        import uvicorn

        from efface.proxy.app import build
    except ImportError:
        fail("The proxy needs the extra `service`.", "Install efface[service].")
    from efface.api.sanitizer import Sanitizer

    sanitizer = Sanitizer(policy)
    sanitizer.bind()  # mistakes in the policy are found before the first request
    say(f"Send chat completions to [bold]http://{host}:{port}/v1[/]; they go on to the upstream redacted.")
    uvicorn.run(build(sanitizer, upstream), host=host, port=port, access_log=False, log_level="warning")
