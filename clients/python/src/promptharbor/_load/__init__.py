"""Prompts that an application loads."""
