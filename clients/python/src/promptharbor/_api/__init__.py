"""The parts of the client that call the API."""
