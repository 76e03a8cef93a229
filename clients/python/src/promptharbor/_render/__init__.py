"""Renders templates without the service."""
