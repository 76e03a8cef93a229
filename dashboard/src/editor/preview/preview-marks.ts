/** The maximum number of marks to show, because elements cost far more than text. Text beyond this limit is shown without marks. */
const maxMarks = 2000;

const conditions = '(?:if|elsif|unless|case|when) [^‹›]*|else|end';

/** Splits a preview into plain text and marks: the names of missing variables, and conditions that depend on them. */
export function splitMarks(text: string, missing: string[]): string[] {
  if (missing.length === 0) return [text];
  const names = missing.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  const marks = text.matchAll(new RegExp(`‹(?:(?:${names})(?:[.[][^‹›]*)?|${conditions})›`, 'gu'));
  const parts: string[] = [];
  let end = 0;
  for (const { 0: mark, index } of marks) {
    if (parts.length >= 2 * maxMarks) break;
    parts.push(text.slice(end, index), mark);
    end = index + mark.length;
  }
  return [...parts, text.slice(end)];
}

export function isCondition(mark: string): boolean {
  return new RegExp(`^‹(?:${conditions})›$`).test(mark);
}
