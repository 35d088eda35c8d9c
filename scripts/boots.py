# SPDX-License-Identifier: MIT
"""Runs boots of the guest from a list (guesttests.py), one or several at a time."""
import concurrent.futures
import dataclasses
import threading

import traces
from guest import Guest, GuestError, Result


def run(boot, options, slow=1, say=lambda text: None):
    """Runs one boot. `options` hold what goes for any boot, `slow` is a factor for all time limits. Returns the Result.

    A boot that cannot run has that as its trouble.
    """
    options = dataclasses.replace(options, name="vm-" + boot.name, properties=boot.properties, device=boot.device,
                                  gpus=boot.gpus, **boot.options)
    options.slow_down(slow)
    guest = Guest(options, boot.commands, say)
    try:
        result = guest.run() if boot.commands else Result(folder=guest.folder)
    except GuestError as error:
        result = Result(folder=guest.folder, trouble=[str(error)])
    if options.trace and result.runs:
        result.runs.append(traces.compare(result.folder))
    result.trouble += [f"no program {line}" for line in boot.missing]
    return result


def run_all(boots, options, jobs, begin, report):
    """Runs boots, `jobs` at a time, in their order. begin(boot) is called before each, report(boot, result) after it, one at a time."""
    speaks = threading.Lock()

    def run_one(boot):
        with speaks:
            begin(boot)
        return boot, run(boot, options)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for done in concurrent.futures.as_completed([pool.submit(run_one, boot) for boot in boots]):
            with speaks:
                report(*done.result())
