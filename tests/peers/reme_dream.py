"""Run jobs of ReMe on a workspace; for the Python of the peer's environment, which has no part of
this project.

``reme_dream.py WORKSPACE BASE_URL DAY JOB…`` prints one JSON object: what each job answered, and
the seconds from the first job to the last.
"""

import asyncio
import json
import sys
import time

from reme.config import resolve_app_config
from reme.reme import ReMe


async def run(workspace: str, url: str, day: str, jobs: list[str]) -> dict:
    config = resolve_app_config(log_config=False)
    config.update(workspace_dir=workspace, enable_logo=False, log_to_console=False)
    config["components"]["as_llm"]["default"].update(
        model="scripted",
        stream=False,
        max_retries=0,
        credential={"api_key": "none", "base_url": url},
    )
    loop = config["jobs"]["index_update_loop"]
    # The scan with which its own service begins, so that its search and graph know the workspace.
    index = {**loop, "backend": "base", "steps": loop["steps"][:1]}
    config["jobs"] = {
        name: job
        for name, job in config["jobs"].items()
        if job.get("backend") not in ("background", "cron")
    }
    config["jobs"]["index_once"] = index
    steps = config["jobs"]["auto_dream"]["steps"]
    config["jobs"]["auto_dream"]["steps"] = [s for s in steps if s["backend"] != "auto_tag_step"]
    app = ReMe(**config)
    await app.start()
    answers = {}
    began = time.perf_counter()
    try:
        await app.run_job("index_once")
        for name in jobs:
            given = {"date": day} if name == "auto_dream" else {}
            response = await app.run_job(name, **given)
            answers[name] = {
                "success": response.success,
                "metadata": response.metadata,
                "answer": response.answer,
            }
    finally:
        seconds = time.perf_counter() - began
        await app.close()
    return {"answers": answers, "seconds": seconds}


if __name__ == "__main__":
    workspace, url, day, *jobs = sys.argv[1:]
    print("\n" + json.dumps(asyncio.run(run(workspace, url, day, jobs)), default=str))
