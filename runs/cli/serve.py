"""`isoplane serve`: the runs in a folder in a browser, as they go."""

from omegaconf import DictConfig

from isoplane.runs.config.config_values import path_of, plain
from isoplane.runs.server.server import ADDRESS, listening
from isoplane.runs.terminal import codes
from isoplane.runs.terminal.heartbeat import waiting


def run(config: DictConfig) -> int:
    """Serve the runs in a folder until Ctrl-C."""
    options = plain(config)
    folder = path_of("folder", options["folder"])
    with listening(folder, options["port"]) as server:
        print(f"http://{ADDRESS}:{server.server_port}/ shows the runs in {folder}; Ctrl-C ends it", flush=True)
        with waiting():
            server.serve_forever()
    return codes.DONE
