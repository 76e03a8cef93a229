import type { ModelConnection } from '../lib/types.ts';

/** A model as the user enters it. Prices are strings until they are saved. */
export interface ModelRow {
  key: number;
  name: string;
  input: string;
  output: string;
}

type Models = Pick<ModelConnection, 'models' | 'prices'>;

/** Returns the rows for the models of a connection, and for models that only have a price. */
export function toRows({ models, prices }: Models): ModelRow[] {
  const names = [...new Set([...models, ...Object.keys(prices)])];
  return names.map((name, key) => {
    const price = Object.hasOwn(prices, name) ? prices[name] : undefined;
    return { key, name, input: price ? String(price.input) : '', output: price ? String(price.output) : '' };
  });
}

export function addRow(rows: ModelRow[], name = '', price?: { input: number; output: number }): ModelRow[] {
  const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
  return [...rows, { key, name, input: price ? String(price.input) : '', output: price ? String(price.output) : '' }];
}

/** Returns an error message about a row, or undefined if the row is valid. */
export function findRowProblem({ name, input, output }: ModelRow, rows: ModelRow[]): string | undefined {
  if (name.trim() === '') return input === '' && output === '' ? undefined : 'Enter the model to which this price applies.';
  if (rows.filter((row) => row.name.trim() === name.trim()).length > 1) return 'This model is listed twice.';
  if ((input.trim() === '') !== (output.trim() === '')) return 'Enter both prices, or none.';
  return [input, output].every(isPrice) ? undefined : 'Enter prices as numbers, such as 0.25.';
}

/** Returns the models in the format of the API. If all models are allowed, rows without a price are omitted. */
export function fromRows(rows: ModelRow[], allowsAny: boolean): Models {
  const named = rows.map((row) => ({ ...row, name: row.name.trim() })).filter(({ name }) => name !== '');
  const priced = named.filter(({ input }) => input.trim() !== '');
  return {
    models: allowsAny ? [] : named.map(({ name }) => name),
    prices: Object.fromEntries(priced.map(({ name, input, output }) => [name, { input: Number(input), output: Number(output) }])),
  };
}

function isPrice(text: string): boolean {
  return text.trim() === '' || (/^\d*\.?\d+$|^\d+\.$/.test(text.trim()) && Number(text) <= 1_000_000);
}
