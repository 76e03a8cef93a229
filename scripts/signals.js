const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const parentCheckMs = 200;

/**
 * Ignores signals while the program is already handling one. Ctrl+C reaches every process of the terminal, and npm then sends the
 * same signal again; without this, the second one would kill the program while it shuts down.
 */
export function ignoreRepeatedSignals() {
  let isStopping = false;
  for (const signal of signals) {
    process.on(signal, function onSignal() {
      isStopping ||= process.listenerCount(signal) > 1;
      if (isStopping) return;
      // Nothing else listens, so the signal has its default effect.
      process.off(signal, onSignal);
      process.kill(process.pid, signal);
    });
  }
}

/** Passes signals on to the child, and makes this process end when and how the child does. */
export function relaySignals(child) {
  for (const signal of signals) {
    // On Windows the console sends Ctrl+C to the child too, and kill() would end it at once.
    process.on(signal, () => process.platform !== 'win32' && child.kill(signal));
  }
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/**
 * Sends this process SIGTERM when its parent is gone. npm runs scripts in a shell, and sends its own SIGTERM only to that shell;
 * some, such as Debian's, die of it without passing it on.
 */
export function stopWithParent() {
  if (process.platform === 'win32') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, parentCheckMs);
  timer.unref();
}
