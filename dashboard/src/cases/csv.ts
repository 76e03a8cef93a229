interface CsvRow {
  /** The line on which the row starts, counted from 1. */
  line: number;
  cells: string[];
}

type ParsedCsv = { rows: CsvRow[]; problem?: undefined } | { rows?: undefined; problem: { line: number; message: string } };

/**
 * Parses CSV as defined by RFC 4180. The separator is the comma, semicolon or tab, whichever occurs most often in the first line. Empty
 * lines are skipped.
 */
export function parseCsv(text: string): ParsedCsv {
  const separator = findSeparator(text);
  const rows: CsvRow[] = [];
  let row: CsvRow = { line: 1, cells: [] };
  let cell = '';
  /** The line on which an unclosed quote starts. */
  let quotedAt: number | undefined;
  let line = 1;
  const endCell = () => {
    row.cells.push(cell);
    cell = '';
  };
  const endRow = () => {
    endCell();
    if (row.cells.some((each) => each !== '')) rows.push(row);
    row = { line: line + 1, cells: [] };
  };
  for (let index = text.startsWith('\uFEFF') ? 1 : 0; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (quotedAt !== undefined) {
      if (char !== '"') cell += char;
      else if (text.charAt(index + 1) === '"') {
        cell += '"';
        index += 1;
      } else quotedAt = undefined;
    } else if (char === '"' && cell === '') quotedAt = line;
    else if (char === separator) endCell();
    else if (char === '\n') endRow();
    else if (char !== '\r' || text.charAt(index + 1) !== '\n') cell += char;
    if (char === '\n') line += 1;
  }
  if (quotedAt !== undefined) return { problem: { line: quotedAt, message: 'The quote that opens here is never closed.' } };
  endRow();
  return { rows };
}

/** Formats cells as CSV with commas, which every spreadsheet reads. */
export function formatCsv(rows: string[][]): string {
  return rows.map((cells) => `${cells.map(quoteCell).join(',')}\r\n`).join('');
}

function quoteCell(cell: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function findSeparator(text: string): string {
  const header = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((separator) => ({ separator, count: header.split(separator).length }));
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).separator;
}
