import { Plus } from 'lucide-react';
import type { FieldError, Output } from '../../lib/types.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorText } from '../../ui/Field.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { useOwnToast } from '../../ui/toasts.ts';
import { useItemFocus } from '../../ui/use-item-focus.ts';
import { formatPart, parseOutput } from '../drafts/draft.ts';
import { exampleOutput } from './examples.ts';
import { JsonCard } from './JsonCard.tsx';
import { emptyObject, isShownAtField, kindOf, type Schema, toStrict } from './json-schema.ts';
import { SchemaJson } from './SchemaFields.tsx';
import { SchemaRows } from './SchemaRows.tsx';

interface OutputCardProps {
  text: string;
  errors: FieldError[];
  onChange: (text: string) => void;
}

/** The schema that the output of the model must follow. */
export function OutputCard({ text, errors, onChange }: OutputCardProps) {
  const { value: output, error } = parseOutput(text);
  const toast = useOwnToast();
  const { list, focusItem, focusAfterRemoval } = useItemFocus<HTMLDivElement>();
  const set = (next: Output) => onChange(formatPart(next));
  const add = (next: Output) => {
    set(next);
    focusItem(0);
  };
  const remove = () => {
    onChange('');
    focusAfterRemoval(0, 1);
    toast('Output schema removed.', { undo: () => onChange(text) });
  };
  return (
    <JsonCard
      title="Output schema"
      explanation="Without a schema, the model responds with text. With a schema, it responds with JSON that has the fields you list here, so that your program can read it."
      label="Output schema as JSON"
      text={text}
      problem={error}
      errors={errors}
      onChange={onChange}
    >
      <div ref={list}>
        {output ? (
          <OutputForm output={output} errors={errors} onChange={set} onRemove={remove} />
        ) : (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => add({ schema: emptyObject(), strict: true })}>
              <Plus aria-hidden className="size-4" />
              Add output schema
            </Button>
            <Button kind="ghost" onClick={() => add(exampleOutput)}>
              Insert an example
            </Button>
          </div>
        )}
      </div>
    </JsonCard>
  );
}

interface OutputFormProps {
  output: Output;
  errors: FieldError[];
  onChange: (output: Output) => void;
  onRemove: () => void;
}

function OutputForm({ output, errors, onChange, onRemove }: OutputFormProps) {
  const { schema, strict = false, name } = output;
  const problem = errors.find(({ message }) => !isShownAtField(message));
  const setSchema = (next: Schema) => onChange({ ...output, schema: next });
  const setStrict = (isStrict: boolean) => {
    const { strict: _, ...rest } = output;
    // Model APIs refuse a strict schema whose fields are not all required, so all fields become required. The result is still a schema.
    onChange(isStrict ? { ...output, schema: toStrict(schema) as Schema, strict: true } : rest);
  };
  return (
    <div className="space-y-4">
      {kindOf(schema) === 'object' ? (
        <SchemaRows noun="field" of="output" schema={schema} isStrict={strict} onChange={setSchema} />
      ) : (
        <>
          {/* The field accepts only objects. */}
          <SchemaJson label="Output schema as JSON Schema" schema={schema} onChange={(next) => setSchema(next as Schema)} />
          <p className="text-ink-3 text-xs">This schema uses features of JSON Schema that the form does not show.</p>
        </>
      )}
      <ErrorText id="output-error">{problem?.message}</ErrorText>
      <Switch
        label="Strict"
        hint="The output always matches the schema, if the model supports strict mode. Every field becomes required."
        checked={strict}
        onChange={setStrict}
      />
      {name !== undefined && (
        <p className="text-ink-3 text-xs">
          The model sees this schema under the name <span className="font-mono">{name}</span>. To change the name, edit the schema as JSON.
        </p>
      )}
      <Button kind="danger-quiet" onClick={onRemove}>
        Remove output schema
      </Button>
    </div>
  );
}
