import { PenLine, Plus, X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { maxConnectionModels, maxModelNameLength } from '../../../src/contract/limits.ts';
import type { ModelKind } from '../../../src/contract/model-kinds.ts';
import { type BuiltInPrice, findBuiltInPrice, findPriceDate, listBuiltInPrices } from '../../../src/contract/model-prices.ts';
import { cx } from '../lib/cx.ts';
import { formatDate } from '../lib/format.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { ErrorText, inputClass } from '../ui/Field.tsx';
import { useItemFocus } from '../ui/use-item-focus.ts';
import { kindTexts } from './kinds.ts';
import { addRow, findRowProblem, type ModelRow } from './model-rows.ts';

interface ModelRowsProps {
  rows: ModelRow[];
  kind: ModelKind;
  /** The address of the server, which determines the list prices. */
  baseUrl: string;
  allowsAny: boolean;
  /** Whether to show the problems of the rows. */
  isChecked: boolean;
  /** Whether the focus starts here. */
  isFirst: boolean;
  error: string | undefined;
  onChange: (rows: ModelRow[], allowsAny: boolean) => void;
}

/** The allowed models and their prices. */
export function ModelRows({ rows, kind, baseUrl, allowsAny, isChecked, isFirst, error, onChange }: ModelRowsProps) {
  const id = useId();
  const fields = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (isFirst) fields.current?.querySelector<HTMLElement>('input[inputmode], button')?.focus();
  }, [isFirst]);
  const { list, focusItem, focusAfterRemoval } = useItemFocus<HTMLUListElement>();
  const change = (key: number, part: Partial<ModelRow>) =>
    onChange(
      rows.map((row) => (row.key === key ? { ...row, ...part } : row)),
      allowsAny,
    );
  const add = (name?: string, price?: BuiltInPrice) => {
    onChange(addRow(rows, name, price), allowsAny);
    focusItem(rows.length);
  };
  const remove = (index: number) => {
    onChange(rows.toSpliced(index, 1), allowsAny);
    focusAfterRemoval(index, rows.length);
  };
  return (
    <fieldset ref={fields} className="min-w-0" aria-describedby={`${id}-hint`}>
      <legend className="mb-1.5 font-medium">Models</legend>
      <div className="mb-3 space-y-2">
        <label className="flex cursor-pointer items-center gap-2">
          <input type="radio" name={id} className="accent-accent" checked={allowsAny} onChange={() => onChange(rows, true)} />
          Any model on the server
        </label>
        <label className="flex cursor-pointer items-center gap-2">
          <input
            type="radio"
            name={id}
            className="accent-accent"
            checked={!allowsAny}
            onChange={() => onChange(rows.length === 0 ? addRow(rows) : rows, false)}
          />
          Only these (the first is the default)
        </label>
      </div>
      {rows.length > 0 && (
        <div aria-hidden className={cx(rowClass, 'mb-1 text-ink-2 text-xs')}>
          <span>Model</span>
          <span>Input $</span>
          <span>Output $</span>
        </div>
      )}
      <ul ref={list} className="space-y-2">
        {rows.map((row, index) => (
          <li key={row.key}>
            <Row
              row={row}
              number={index + 1}
              example={kindTexts[kind].exampleModel}
              listPrice={findBuiltInPrice(baseUrl, row.name.trim())?.price}
              onChange={(part) => change(row.key, part)}
              onRemove={() => remove(index)}
            />
            <ErrorText id={`${id}-${row.key}`}>{isChecked ? findRowProblem(row, rows) : undefined}</ErrorText>
          </li>
        ))}
      </ul>
      <ErrorText id={`${id}-error`}>{error}</ErrorText>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-2">
        <Button size="sm" disabled={rows.length >= maxConnectionModels} onClick={() => add()}>
          <Plus aria-hidden className="size-3.5" />
          {allowsAny ? 'Add a price' : 'Add a model'}
        </Button>
        <p id={`${id}-hint`} className="text-ink-3 text-xs">
          Prices are in US dollars per million tokens. {describeDefault(baseUrl)}
        </p>
      </div>
      <ListPrices baseUrl={baseUrl} own={rows.map(({ name }) => name.trim())} isFull={rows.length >= maxConnectionModels} onChange={add} />
    </fieldset>
  );
}

/** Describes which prices apply to models without a price in this list. */
function describeDefault(baseUrl: string): string {
  const date = findPriceDate(baseUrl);
  if (date === undefined) return 'Without prices, runs show no cost.';
  return `If prices are empty, runs of well-known models use the list prices of ${formatDate(`${date}T12:00`)}.`;
}

interface ListPricesProps {
  baseUrl: string;
  /** The models that have a row. */
  own: string[];
  isFull: boolean;
  onChange: (model: string, price: BuiltInPrice) => void;
}

/** The prices of models without a row. To change a price, the user adds a row, which starts with the list price. */
function ListPrices({ baseUrl, own, isFull, onChange }: ListPricesProps) {
  const prices = listBuiltInPrices(baseUrl).filter(([model]) => !own.includes(model));
  if (prices.length === 0) return null;
  return (
    <details className="mt-2 text-xs">
      <summary className="cursor-default rounded-sm text-ink-2">List prices</summary>
      <ul className="mt-1">
        {prices.map(([model, price]) => (
          <li key={model} className={rowClass}>
            <span className="truncate font-mono">{model}</span>
            <span className="pl-2.5 tabular">{price.input}</span>
            <span className="pl-2.5 tabular">{price.output}</span>
            <IconButton label={`Change the price of ${model}`} disabled={isFull} onClick={() => onChange(model, price)}>
              <PenLine aria-hidden className="size-3.5" />
            </IconButton>
          </li>
        ))}
      </ul>
      {prices.some(([, { long }]) => long !== undefined) && (
        <p className="mt-1 text-ink-3">
          Some of these models cost more for long inputs. A price that you enter applies to inputs of any length.
        </p>
      )}
    </details>
  );
}

const rowClass = 'grid grid-cols-[minmax(0,1fr)_4rem_4rem_2rem] items-center gap-2 sm:grid-cols-[minmax(0,1fr)_5rem_5rem_2rem]';

interface RowProps {
  row: ModelRow;
  number: number;
  example: string;
  listPrice: { input: number; output: number } | undefined;
  onChange: (part: Partial<ModelRow>) => void;
  onRemove: () => void;
}

function Row({ row: { name, input, output }, number, example, listPrice, onChange, onRemove }: RowProps) {
  const text = { autoComplete: 'off', spellCheck: false, className: inputClass };
  return (
    <div className={rowClass}>
      <input
        {...text}
        aria-label={`Model ${number}`}
        placeholder={example}
        maxLength={maxModelNameLength}
        value={name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <input
        {...text}
        aria-label={`Input price of model ${number}`}
        placeholder={listPrice ? String(listPrice.input) : 'None'}
        inputMode="decimal"
        value={input}
        onChange={(event) => onChange({ input: event.target.value })}
      />
      <input
        {...text}
        aria-label={`Output price of model ${number}`}
        placeholder={listPrice ? String(listPrice.output) : 'None'}
        inputMode="decimal"
        value={output}
        onChange={(event) => onChange({ output: event.target.value })}
      />
      <IconButton label={`Remove model ${number}`} onClick={onRemove}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
}
