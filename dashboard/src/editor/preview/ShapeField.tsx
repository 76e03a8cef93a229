import { Plus, Trash2 } from 'lucide-react';
import { messageRoles } from '../../../../src/contract/message-roles.ts';
import { cx } from '../../lib/cx.ts';
import type { Shape } from '../../lib/types.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { inputClass } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { useItemFocus } from '../../ui/use-item-focus.ts';
import { isObject, parseTyped } from './preview-values.ts';

export const areaClass = 'block h-auto min-h-8 resize-y py-1.5';

interface ShapeFieldProps {
  id?: string;
  shape: Shape;
  /** The path of the value, such as `items[0].price`. */
  path: string;
  /** Whether the value belongs to the caller's messages, which always have a role and content. */
  isMessages: boolean;
  /** Whether the variable to which the field belongs has a value. */
  isGiven: boolean;
  /** The placeholder of the text field. */
  hint?: string;
  value: unknown;
  onChange: (value: unknown) => void;
}

/** A form for a value of a known shape: a text field, a set of fields, or rows that can be added and removed. */
export function ShapeField(props: ShapeFieldProps) {
  if (props.shape.kind === 'object') return <ObjectField {...props} />;
  return props.shape.kind === 'list' ? <ListField {...props} /> : <TextField {...props} />;
}

function TextField({ id, path, hint = 'Not set', value, onChange }: ShapeFieldProps) {
  const text = value === undefined ? '' : String(value);
  return (
    <textarea
      id={id}
      aria-label={id === undefined ? path : undefined}
      dir="auto"
      rows={Math.min(6, text.split('\n').length)}
      spellCheck={false}
      placeholder={value === undefined ? hint : 'Empty text'}
      className={cx(inputClass, areaClass)}
      value={text}
      onChange={(event) => onChange(parseTyped(event.target.value, value))}
    />
  );
}

function ObjectField({ shape: { fields = [] }, path, isMessages, isGiven, value, onChange }: ShapeFieldProps) {
  const object = isObject(value) ? value : {};
  const change = (name: string, next: unknown) => {
    const others = Object.entries(object).filter(([key]) => key !== name);
    // An empty field is omitted. To send an empty string, the user can write JSON.
    const isLeftOut = next === '' && !isMessages;
    onChange(Object.fromEntries(isLeftOut ? others : [...others, [name, next]]));
  };
  return (
    <div className="space-y-2 border-line-strong border-l pl-3">
      {fields.map((field) => {
        const own = Object.hasOwn(object, field.name) ? object[field.name] : undefined;
        return isMessages && field.name === 'role' ? (
          <RoleField key={field.name} path={`${path}.role`} value={own} onChange={(next) => change('role', next)} />
        ) : (
          <div key={field.name}>
            <span aria-hidden className="mb-0.5 block truncate font-mono text-2xs text-ink-2">
              {field.name}
            </span>
            <ShapeField
              shape={field}
              path={`${path}.${field.name}`}
              isMessages={isMessages}
              isGiven={isGiven}
              value={own}
              onChange={(next) => change(field.name, next)}
            />
          </div>
        );
      })}
    </div>
  );
}

function RoleField({ path, value, onChange }: { path: string; value: unknown; onChange: (value: string) => void }) {
  return (
    <Select aria-label={path} value={String(value)} onChange={(event) => onChange(event.target.value)}>
      {messageRoles.map((role) => (
        <option key={role}>{role}</option>
      ))}
    </Select>
  );
}

function ListField({ shape: { items = {} }, path, isMessages, isGiven, value, onChange }: ShapeFieldProps) {
  const { list, focusItem, focusAfterRemoval } = useItemFocus<HTMLDivElement>();
  const rows: unknown[] = Array.isArray(value) ? value : [];
  const newRow = isMessages ? { role: 'user', content: '' } : items.kind === 'object' ? {} : items.kind === 'list' ? [] : '';
  const add = () => {
    onChange([...rows, newRow]);
    focusItem(rows.length);
  };
  const remove = (index: number) => {
    onChange(rows.toSpliced(index, 1));
    focusAfterRemoval(index, rows.length);
  };
  return (
    <div ref={list} className="space-y-2">
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ids, and no state of their own.
        <div key={index} className="flex items-start gap-1">
          <div className="min-w-0 flex-1">
            <ShapeField
              shape={items}
              path={`${path}[${index}]`}
              isMessages={isMessages}
              isGiven={isGiven}
              value={row}
              onChange={(next) => onChange(rows.with(index, next))}
            />
          </div>
          <IconButton label={`Remove ${path}[${index}]`} onClick={() => remove(index)}>
            <Trash2 aria-hidden className="size-4" />
          </IconButton>
        </div>
      ))}
      <div className="flex items-center gap-2">
        <Button size="sm" aria-label={`${isMessages ? 'Add message' : 'Add row'} to ${path}`} onClick={add}>
          <Plus aria-hidden className="size-3.5" />
          {isMessages ? 'Add message' : 'Add row'}
        </Button>
        {rows.length === 0 && <span className="text-ink-3 text-xs">{isGiven ? 'Empty list' : 'Not set'}</span>}
      </div>
    </div>
  );
}
