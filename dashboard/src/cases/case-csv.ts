import { checkKinds } from '../../../src/contract/check-kinds.ts';
import { plural } from '../lib/format.ts';
import type { CaseCheck, NewCase } from '../lib/types.ts';
import type { CaseFile, FileProblem, PlacedCase } from './case-file-types.ts';
import { newCheckDraft, parseCheckDraft } from './check-draft.ts';
import { formatCsv, parseCsv } from './csv.ts';

// In CSV, each line is a test case. The columns with these names describe the test case. Every other column is a variable. A column whose
// name starts with `variable:` is always a variable.
const nameColumn = 'case';
const checksColumn = 'checks';
const checkPrefix = 'check:';
const variablePrefix = 'variable:';

/** Reads test cases from CSV. */
export function parseCsvCases(text: string): CaseFile {
  const { rows, problem } = parseCsv(text);
  if (problem) return { cases: [], problems: [{ place: `Line ${problem.line}`, message: problem.message }] };
  const [header, ...lines] = rows;
  if (!header || lines.length === 0) {
    return {
      cases: [],
      problems: [
        {
          place: 'File',
          message: 'The file has no test cases. The first line contains the column names, and each following line is a test case.',
        },
      ],
    };
  }
  const { columns, problems } = readHeader(header.cells);
  const cases: PlacedCase[] = [];
  for (const [index, { line, cells }] of lines.entries()) {
    const place = `Line ${line}`;
    const { input, messages } = readCase(columns, cells, `Test case ${index + 1}`);
    cases.push({ place, input });
    problems.push(...messages.map((message) => ({ place, message })));
  }
  return { cases, problems };
}

/** Formats test cases as CSV. Reading the result returns the same test cases. */
export function formatCsvCases(cases: Required<NewCase>[]): string {
  const variables = [...new Set(cases.flatMap((each) => Object.keys(each.variables)))];
  const rows = cases.map((each) => [
    toCell(each.name),
    ...variables.map((name) => (Object.hasOwn(each.variables, name) ? toCell(each.variables[name]) : '')),
    each.checks.length === 0 ? '' : JSON.stringify(each.checks),
  ]);
  return formatCsv([[nameColumn, ...variables.map(toColumn), checksColumn], ...rows]);
}

function toColumn(variable: string): string {
  const isTaken = [nameColumn, checksColumn].includes(variable) || variable.startsWith(checkPrefix) || variable.startsWith(variablePrefix);
  return isTaken || isFormula(variable) || variable !== variable.trim() ? `${variablePrefix}${variable}` : variable;
}

/**
 * Formats a value as a cell. A string is written unchanged. All other values are written as JSON. This also applies to a string that would
 * be read as another type, or that a spreadsheet would run as a formula.
 */
function toCell(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return fromCell(value) === value && !isFormula(value) ? value : JSON.stringify(value);
}

/**
 * Parses a cell. An empty cell has no value. A cell becomes a number only if the number would be rendered exactly as written, so 007 and
 * 1.0 stay text.
 */
function fromCell(cell: string): unknown {
  if (cell === '') return undefined;
  const isJson = /^[[{"]/.test(cell) || ['true', 'false', 'null'].includes(cell) || String(Number(cell)) === cell;
  if (!isJson) return cell;
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

function isFormula(text: string): boolean {
  return /^[=+\-@\t\r]/.test(text) && String(Number(text)) !== text;
}

type Column =
  | { type: 'name' }
  | { type: 'checks' }
  | { type: 'check'; kind: CaseCheck['kind']; on: 'output' | 'prompt' }
  | { type: 'variable'; name: string };

function readHeader(cells: string[]): { columns: Column[]; problems: FileProblem[] } {
  const problems: FileProblem[] = [];
  const refuse = (message: string) => problems.push({ place: 'Line 1', message });
  const names = cells.map((cell) => cell.trim());
  const columns = names.map((name, index): Column => {
    if (names.indexOf(name) < index && name !== '') refuse(`The column ${name} appears twice.`);
    if (name === nameColumn) return { type: 'name' };
    if (name === checksColumn) return { type: 'checks' };
    if (!name.startsWith(checkPrefix))
      return { type: 'variable', name: name.startsWith(variablePrefix) ? name.slice(variablePrefix.length) : name };
    const [, on, kindName] = /^check:(prompt:|output:)?(.*)$/.exec(name) ?? [];
    const kind = checkKinds.find((each) => each === kindName);
    if (!kind) refuse(`${name} is not a check. Use one of ${checkKinds.map((each) => `${checkPrefix}${each}`).join(', ')}.`);
    return { type: 'check', kind: kind ?? 'contains', on: on === 'prompt:' ? 'prompt' : 'output' };
  });
  return { columns, problems };
}

function readCase(columns: Column[], cells: string[], unnamed: string): { input: Required<NewCase>; messages: string[] } {
  const messages: string[] = [];
  const variables: [string, unknown][] = [];
  const checks: CaseCheck[] = [];
  let name = unnamed;
  for (const [index, cell] of cells.entries()) {
    const column = columns[index];
    if (!column || (column.type === 'variable' && column.name === '')) {
      if (cell !== '')
        messages.push(
          `${plural(cells.length, 'cell')} for ${plural(columns.length, 'named column')}. Put values that contain commas in quotes.`,
        );
      if (cell !== '') break;
    } else if (column.type === 'variable') {
      const value = fromCell(cell);
      if (value !== undefined) variables.push([column.name, value]);
    } else if (column.type === 'name') {
      name = cell.trim() === '' ? '' : String(fromCell(cell.trim()));
      if (name === '') messages.push(`The column ${nameColumn} is empty. Enter a name.`);
    } else if (cell.trim() !== '') {
      const parsed = column.type === 'checks' ? readChecks(cell) : readCheck(column, cell);
      checks.push(...parsed.checks);
      if (parsed.problem !== undefined) messages.push(parsed.problem);
    }
  }
  return { input: { name, variables: Object.fromEntries(variables), checks }, messages };
}

function readChecks(cell: string): { checks: CaseCheck[]; problem?: string } {
  const value = fromCell(cell.trim());
  // The server validates the checks.
  if (Array.isArray(value)) return { checks: value as CaseCheck[] };
  return { checks: [], problem: `The column ${checksColumn} must be a JSON array, such as [{"kind":"contains","value":"order"}].` };
}

function readCheck(
  { kind, on }: { kind: CaseCheck['kind']; on: 'output' | 'prompt' },
  cell: string,
): { checks: CaseCheck[]; problem?: string } {
  const { check, problem } = parseCheckDraft({ ...newCheckDraft(), judgesBy: 'prompt', kind, on, text: cell });
  return check ? { checks: [check] } : { checks: [], problem: `${checkPrefix}${kind}: ${problem}` };
}
