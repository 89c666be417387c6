"""How the models of the guard are made. Whatever is trained here, the runtime's telemetry is off before it loads."""

import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"
