"""`efface restore`: put back what the operator `encrypt` took out."""

from __future__ import annotations

from efface.cli.shared import options
from efface.cli.shared.console import Stages, counted, escape, say


def restore(
    source: options.Source,
    output: options.OutputFile,
    policy: options.NeededPolicy,
    force: options.Force = False,
) -> None:
    """Put back what the operator `encrypt` took out, with the policy's key.

    Example: efface restore out.docx -o note.docx --policy policy.yaml
    """
    from efface.api.sanitizer import Sanitizer
    from efface.files.local import check_output, read_input, write_output
    from efface.pipeline.restore import restore as put_back

    check_output(output, force=force)
    sanitizer = Sanitizer.from_policy(policy)
    with Stages("restoring"):
        key = sanitizer.policy.secret_key(sanitizer.folder)
        data, count = put_back(read_input(source), source.name, key)
    write_output(output, data, force=force, private=True)
    say(f"{counted(count, 'term')} restored → [bold]{escape(str(output))}[/]")
