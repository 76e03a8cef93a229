@rem npm scripts begin with "exec", so that signals to npm reach Node and not a shell. Windows has no such command: this is it.
@rem npm runs scripts in the root of the package, and cmd.exe looks there first, unless NoDefaultCurrentDirectoryInExePath is set.
@%*
