type Cell = string | number | null;

/**
 * Formats rows as CSV (RFC 4180). Users choose names, so text that a spreadsheet would run as a formula gets an apostrophe, as OWASP
 * advises.
 */
export function formatCsv(rows: Cell[][]): string {
  return rows.map((cells) => `${cells.map(formatCell).join(',')}\r\n`).join('');
}

function formatCell(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  // A spreadsheet also finds a formula behind spaces, and in full-width characters.
  const text = /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(cell) ? `'${cell}` : cell;
  return /[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
