/** Returns whether a prompt in a config is the path of a file, and not its text. */
export function isFilePath(text: string): boolean {
  if (text.includes('\n') || text.includes('{{') || text.startsWith('[')) return false;
  return (
    text.startsWith('file://') ||
    text.startsWith('exec:') ||
    /^[\w./*@ -]+\.(?:txt|md|j2|jsonl?|ya?ml|csv|[cm]?[jt]s|py)(?::\w+)?$/i.test(text)
  );
}

/**
 * Resolves the path of a file that a config names, relative to the chosen folder. Returns undefined if the file is outside the chosen
 * folder.
 */
export function resolvePath(from: string, reference: string): string | undefined {
  const relative = reference.replace(/^file:\/\//, '');
  if (relative.startsWith('/') || /^[a-z]:/i.test(relative)) return undefined;
  const parts = from.split('/').slice(0, -1);
  for (const part of relative.replaceAll('\\', '/').split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

/**
 * Returns a function that matches paths. `*` matches any part of a name, and `**` any folders. Matching a pattern with several `**` would
 * take a long time, so such a pattern matches nothing.
 */
export function createMatcher(pattern: string): (path: string) => boolean {
  const steps = pattern.split('/');
  if (steps.filter((step) => step === '**').length > 1) return () => false;
  const matchStep = (step: string, part: string) => {
    const [head = '', ...rest] = step.split('*');
    if (!part.startsWith(head)) return false;
    const tail = rest.pop() ?? '';
    if (step === head) return part === head;
    let at = head.length;
    for (const literal of rest) {
      const found = part.indexOf(literal, at);
      if (found < 0) return false;
      at = found + literal.length;
    }
    return part.length - tail.length >= at && part.endsWith(tail);
  };
  const match = (step: number, parts: string[], part: number): boolean => {
    const current = steps[step];
    if (current === undefined) return part === parts.length;
    if (current === '**') return parts.slice(part).some((_, skipped) => match(step + 1, parts, part + skipped));
    const own = parts[part];
    return own !== undefined && matchStep(current, own) && match(step + 1, parts, part + 1);
  };
  return (path) => match(0, path.split('/'), 0);
}
