"""What a node answers when it can't speak: the OpenAI API's error shape, one class, one table of words."""

from starlette.responses import JSONResponse

_TYPES = {401: "authentication_error", 429: "rate_limit_error", 500: "server_error", 503: "server_error"}


class NodeError(Exception):
    """A refusal or fault with its status and code. 400 and 422 are the text's own fault, 500 and 503 the node's."""

    def __init__(
        self, status: int, code: str, message: str, *, param: str | None = None, retry_after_sec: int | None = None
    ) -> None:
        """`code` is for programs, `message` for people; neither ever holds the text or a key."""
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.param = param
        self.retry_after_sec = retry_after_sec

    def response(self) -> JSONResponse:
        """Give the answer that a client of the OpenAI API understands."""
        error = {
            "message": self.message,
            "type": _TYPES.get(self.status, "invalid_request_error"),
            "param": self.param,
            "code": self.code,
        }
        headers = {} if self.retry_after_sec is None else {"Retry-After": str(self.retry_after_sec)}
        if self.status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        return JSONResponse({"error": error}, status_code=self.status, headers=headers)
