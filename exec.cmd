@rem npm scripts begin with "exec", so that signals to npm reach Node and not a shell. Windows has no such command: this is it.
@%*
