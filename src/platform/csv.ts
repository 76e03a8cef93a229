type Cell = string | number | null;

/**
 * Formats rows as CSV (RFC 4180). Text that a spreadsheet would run as a formula gets a leading apostrophe, as OWASP advises, because users
 * choose names.
 */
export function formatCsv(rows: Cell[][]): string {
  return rows.map((cells) => `${cells.map(formatCell).join(',')}\r\n`).join('');
}

function formatCell(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  // Spreadsheets also recognize formulas that start with spaces or full-width characters.
  const text = /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(cell) ? `'${cell}` : cell;
  return /[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
