"""CUDA graphs made by capturing a stream: what it was given is kept, and done again at each launch."""

from __future__ import annotations

from dataclasses import dataclass, field

from trainer.cuda.host_state import Arguments, Handler, HostState, Work
from trainer.cuda.status import Status


@dataclass
class GraphCalls:
    state: HostState
    graphs: dict[int, tuple[Work, ...]] = field(default_factory=dict)  # by handle

    def handlers(self) -> dict[str, Handler]:
        return {
            "wd_capture_begin": self.begin,
            "wd_capture_end": self.end,
            "wd_is_capturing": lambda a: self.state.captured is not None,
            "wd_graph_launch": self.launch,
        }

    def begin(self, a: Arguments) -> int:
        if self.state.captured is not None:
            return self.state.fail(
                Status.INVALID_VALUE, "cudaStreamBeginCapture while a stream is captured", a.line
            )
        self.state.captured = []
        return Status.SUCCESS

    def end(self, a: Arguments) -> int:
        if self.state.captured is None:
            return self.state.fail(Status.INVALID_VALUE, "cudaStreamEndCapture without a beginning", a.line)
        handle = len(self.graphs) + 1
        self.graphs[handle] = tuple(self.state.captured)
        self.state.captured = None
        self.state.store(a.word(0), handle, 8, a.line)
        return Status.SUCCESS

    def launch(self, a: Arguments) -> int:
        if a.word(0) not in self.graphs:
            return self.state.fail(Status.INVALID_VALUE, "cudaGraphLaunch of what is no graph", a.line)
        failed = [status for work in self.graphs[a.word(0)] if (status := work())]
        return failed[0] if failed else Status.SUCCESS
