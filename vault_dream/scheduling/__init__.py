"""The nightly run in the hands of the system's own scheduler: systemd, launchd, Task Scheduler or
cron. A module each says how its entry is written, put in place and taken away.
"""
