const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const parentCheckMs = 200;

/** Forwards signals to the child, and makes this process end when and how the child does. */
export function relaySignals(child) {
  for (const signal of signals) {
    let isRelayed = false;
    process.on(signal, () => {
      // The signal is forwarded only once, because a terminal also sends Ctrl+C to the child. On Windows, kill() would end the child at
      // once.
      if (!isRelayed && process.platform !== 'win32') child.kill(signal);
      isRelayed = true;
    });
  }
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/**
 * Sends this process SIGTERM when its parent has ended because npm was killed. Other signals to npm arrive here, because npm forwards them
 * to the shell of a script, which `exec` in the script has replaced with this process.
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
