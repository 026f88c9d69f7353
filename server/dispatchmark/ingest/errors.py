"""Why a document is refused: each kind has a stable code and an HTTP status, and is answered as an ErrorAnswer."""

from dispatchmark.contract.receipt import ErrorAnswer, ErrorBody


class Refused(Exception):
    """A document or request that is not accepted. Nothing of it is stored."""

    code = "refused"
    status = 400

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.fields = [{"field": field, "message": message}] if field else []

    def answer(self) -> ErrorAnswer:
        """The error as it goes over the wire."""
        return ErrorAnswer(error=ErrorBody(code=self.code, message=self.message, fields=self.fields))


class NotFound(Refused):
    """No such sweep or run."""

    code = "not_found"
    status = 404


class Conflict(Refused):
    """Something else is stored under this id or sequence, or the run is closed."""

    code = "conflict"
    status = 409


class OutOfDate(Refused):
    """The sender measured with another suite file than this server's."""

    code = "out_of_date"
    status = 409


class TooLarge(Refused):
    """Beyond a limit of size or number."""

    code = "too_large"
    status = 413


class WrongType(Refused):
    """The body is not plain JSON."""

    code = "unsupported_media_type"
    status = 415


class Malformed(Refused):
    """The document is readable but says something impossible."""

    code = "malformed"
    status = 422
