import { Plus, Trash2 } from 'lucide-react';
import { Button, IconButton } from '../../ui/Button.tsx';
import { inputClass } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { useItemFocus } from '../../ui/use-item-focus.ts';
import { isObject } from '../preview/preview-values.ts';
import {
  hiddenKeywords,
  kindNames,
  kindOf,
  newName,
  type Property,
  propertiesOf,
  type Schema,
  type SchemaKind,
  toStrict,
  withKind,
  withProperties,
} from './json-schema.ts';
import { NameField, SchemaJson, ValuesField } from './SchemaFields.tsx';

interface SchemaRowsProps {
  /** The noun for a row: a parameter of a tool, or a field of the output. */
  noun: 'parameter' | 'field';
  /** The name of the tool or field to which the rows belong, such as "find_order", for screen readers. */
  of: string;
  schema: Schema;
  /** Whether the schema is strict. In a strict schema, everything is required. */
  isStrict: boolean;
  onChange: (schema: Schema) => void;
}

/** The properties of an object schema, as rows with a name, a type and a description. */
export function SchemaRows({ noun, of, schema, isStrict, onChange }: SchemaRowsProps) {
  const { list, focusItem, focusAfterRemoval } = useItemFocus<HTMLUListElement>();
  const properties = propertiesOf(schema);
  const set = (next: Property[]) => onChange(withProperties(schema, next));
  const add = () => {
    set([...properties, { name: newName(properties, noun), schema: { type: 'string' }, isRequired: true }]);
    focusItem(properties.length);
  };
  const remove = (index: number) => {
    set(properties.toSpliced(index, 1));
    focusAfterRemoval(index, properties.length);
  };
  return (
    <div className="space-y-2">
      <ul ref={list} className="space-y-2 empty:hidden">
        {properties.map((property, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a name changes while it is typed, and rows keep their order.
          <li key={index} className="@container rounded-md border border-line bg-sunken p-2">
            <PropertyRow
              noun={noun}
              of={of}
              property={property}
              others={properties.toSpliced(index, 1)}
              isStrict={isStrict}
              onChange={(changed) => set(properties.with(index, changed))}
              onRemove={() => remove(index)}
            />
          </li>
        ))}
      </ul>
      <Button size="sm" aria-label={`Add ${noun} to ${of}`} onClick={add}>
        <Plus aria-hidden className="size-3.5" />
        Add {noun}
      </Button>
    </div>
  );
}

interface PropertyRowProps extends Pick<SchemaRowsProps, 'noun' | 'of' | 'isStrict'> {
  property: Property;
  others: Property[];
  onChange: (property: Property) => void;
  onRemove: () => void;
}

function PropertyRow({ noun, of, property, others, isStrict, onChange, onRemove }: PropertyRowProps) {
  const { name, schema, isRequired } = property;
  const kind = kindOf(schema);
  const path = `${of}.${name}`;
  const setSchema = (next: unknown) => onChange({ ...property, schema: isStrict ? toStrict(next) : next });
  const hidden = kind === 'other' ? [] : hiddenKeywords(schema);
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-start gap-2">
        {/* In a narrow row, the button stays beside the name, and the type moves to the next line. */}
        <div className="min-w-32 flex-1 @max-md:basis-2/3">
          <NameField
            label={`Name of ${path}`}
            name={name}
            taken={others.map((each) => each.name)}
            onChange={(next) => onChange({ ...property, name: next })}
          />
        </div>
        <IconButton label={`Remove ${noun} ${path}`} className="@md:order-last" onClick={onRemove}>
          <Trash2 aria-hidden className="size-4" />
        </IconButton>
        <KindSelect
          label={`Type of ${path}`}
          className="@max-md:min-w-32 @max-md:flex-1"
          kind={kind}
          onChange={(next) => setSchema(withKind(schema, next))}
        />
        <label className="flex h-8 items-center gap-1.5 text-xs">
          <input
            type="checkbox"
            className="accent-accent"
            aria-label={`${path} is required`}
            title={isStrict ? 'In strict mode, everything is required' : undefined}
            disabled={isStrict && isRequired}
            checked={isRequired}
            onChange={(event) => onChange({ ...property, isRequired: event.target.checked })}
          />
          Required
        </label>
      </div>
      {kind !== 'other' && isObject(schema) && (
        <input
          aria-label={`Description of ${path}`}
          dir="auto"
          placeholder="Description for the model"
          className={inputClass}
          value={typeof schema.description === 'string' ? schema.description : ''}
          onChange={(event) => setSchema(withDescription(schema, event.target.value))}
        />
      )}
      <KindFields noun={noun} path={path} kind={kind} schema={schema} isStrict={isStrict} onChange={setSchema} />
      {hidden.length > 0 && (
        <p className="text-ink-3 text-xs wrap-anywhere">
          Also has <span className="font-mono">{hidden.join(', ')}</span>, which you can edit as JSON.
        </p>
      )}
    </div>
  );
}

interface KindSelectProps {
  label: string;
  kind: SchemaKind;
  className?: string;
  onChange: (kind: keyof typeof kindNames) => void;
}

function KindSelect({ label, kind, className, onChange }: KindSelectProps) {
  return (
    <Select
      aria-label={label}
      className={className}
      value={kind}
      // The values of the options are the keys of `kindNames`.
      onChange={(event) => onChange(event.target.value as keyof typeof kindNames)}
    >
      {kind === 'other' && <option value="other">JSON Schema</option>}
      {Object.entries(kindNames).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </Select>
  );
}

interface KindFieldsProps {
  noun: SchemaRowsProps['noun'];
  path: string;
  kind: SchemaKind;
  schema: unknown;
  isStrict: boolean;
  onChange: (schema: unknown) => void;
}

/** Edits the values, fields or items of a kind, if it has any. */
function KindFields({ noun, path, kind, schema, isStrict, onChange }: KindFieldsProps) {
  if (kind === 'other') return <SchemaJson label={`JSON Schema of ${path}`} schema={schema} onChange={onChange} />;
  if (!isObject(schema)) return null;
  if (kind === 'enum') {
    return (
      <ValuesField
        label={`Values of ${path}`}
        values={schema.enum as string[]}
        onChange={(values) => onChange({ ...schema, enum: values })}
      />
    );
  }
  if (kind === 'object') {
    return (
      <div className="border-line-strong border-l pl-3">
        <SchemaRows noun="field" of={path} schema={schema} isStrict={isStrict} onChange={onChange} />
      </div>
    );
  }
  if (kind !== 'array') return null;
  const items = schema.items ?? { type: 'string' };
  const itemKind = kindOf(items);
  const setItems = (next: unknown) => onChange({ ...schema, items: next });
  return (
    <div className="space-y-2 border-line-strong border-l pl-3">
      <div className="flex items-center gap-2 text-ink-2 text-xs">
        Each item is
        <KindSelect label={`Type of the items of ${path}`} kind={itemKind} onChange={(next) => setItems(withKind(items, next))} />
      </div>
      <KindFields noun={noun} path={`${path}[]`} kind={itemKind} schema={items} isStrict={isStrict} onChange={setItems} />
    </div>
  );
}

/** Puts the description directly after the type, where people expect it in JSON. */
function withDescription({ type, description: _, ...rest }: Schema, description: string): Schema {
  return { ...(type !== undefined && { type }), ...(description !== '' && { description }), ...rest };
}
