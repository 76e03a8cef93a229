import { Plus, Trash2 } from 'lucide-react';
import { maxTools } from '../../../../src/contract/limits.ts';
import { cx } from '../../lib/cx.ts';
import type { FieldError, Tool } from '../../lib/types.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { ErrorText, inputClass } from '../../ui/Field.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { useOwnToast } from '../../ui/toasts.ts';
import { useItemFocus } from '../../ui/use-item-focus.ts';
import { formatPart, parseTools } from '../drafts/draft.ts';
import { areaClass } from '../preview/ShapeField.tsx';
import { exampleTool } from './examples.ts';
import { JsonCard } from './JsonCard.tsx';
import { emptyObject, isShownAtField, kindOf, type Schema, toStrict } from './json-schema.ts';
import { SchemaJson } from './SchemaFields.tsx';
import { SchemaRows } from './SchemaRows.tsx';

interface ToolsCardProps {
  text: string;
  errors: FieldError[];
  onChange: (text: string) => void;
}

/** The tools, each with its name, its description and its parameters. */
export function ToolsCard({ text, errors, onChange }: ToolsCardProps) {
  const { value: tools = [], error } = parseTools(text);
  const toast = useOwnToast();
  const { list, focusItem, focusAfterRemoval } = useItemFocus<HTMLUListElement>();
  const set = (next: Tool[]) => onChange(formatPart(next));
  const add = (tool: Tool) => {
    set([...tools, tool]);
    focusItem(tools.length);
  };
  const remove = (index: number, tool: Tool) => {
    set(tools.toSpliced(index, 1));
    focusAfterRemoval(index, tools.length);
    toast(`Tool ${tool.name} removed.`, { undo: () => onChange(text) });
  };
  const general = errors.find(({ path, message }) => !/^\/tools\/\d+/.test(path) && !isShownAtField(message));
  return (
    <JsonCard
      title="Tools"
      explanation="A tool is a function of your program, such as looking up an order. The model does not run the tool: it responds with the tool’s name and arguments. Your program then runs the tool and sends the result back to the model."
      label="Tools as JSON"
      text={text}
      problem={error}
      errors={errors}
      onChange={onChange}
    >
      {general && <ErrorText id="tools-error">{general.message}</ErrorText>}
      <ul ref={list} className="space-y-4 empty:hidden">
        {tools.map((tool, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a name changes while it is typed, and tools keep their order.
          <li key={index}>
            <ToolForm
              number={index + 1}
              tool={tool}
              errors={errors.flatMap(({ path, message }) => {
                const start = `/tools/${index}`;
                return path === start || path.startsWith(`${start}/`) ? [{ path: path.slice(start.length), message }] : [];
              })}
              onChange={(changed) => set(tools.with(index, changed))}
              onRemove={() => remove(index, tool)}
            />
          </li>
        ))}
      </ul>
      <div className={cx('flex flex-wrap gap-2', tools.length > 0 && 'mt-4')}>
        <Button disabled={tools.length >= maxTools} onClick={() => add({ name: newToolName(tools), parameters: emptyObject() })}>
          <Plus aria-hidden className="size-4" />
          Add tool
        </Button>
        {tools.length === 0 && (
          <Button kind="ghost" onClick={() => add(exampleTool)}>
            Insert an example
          </Button>
        )}
      </div>
    </JsonCard>
  );
}

function newToolName(tools: Tool[]): string {
  let number = tools.length + 1;
  while (tools.some(({ name }) => name === `tool_${number}`)) number += 1;
  return `tool_${number}`;
}

interface ToolFormProps {
  number: number;
  tool: Tool;
  /** The errors of this tool. Their paths are relative to the tool. */
  errors: { path: string; message: string }[];
  onChange: (tool: Tool) => void;
  onRemove: () => void;
}

const namePattern = /^[A-Za-z0-9_-]{1,64}$/;

function ToolForm({ number, tool, errors, onChange, onRemove }: ToolFormProps) {
  const { name, description, parameters, strict = false } = tool;
  const errorAt = (field: string) => errors.find(({ path }) => path === field || path.startsWith(`${field}/`))?.message;
  const nameProblem = namePattern.test(String(name)) ? errorAt('/name') : 'Use up to 64 letters, digits, “_” and “-”.';
  const schema = parameters ?? emptyObject();
  const others = errors.filter(({ path }) => !/^\/(?:name|description|parameters)(?:\/|$)/.test(path));
  const setSchema = (next: Schema) => onChange({ ...tool, parameters: next });
  const setStrict = (isStrict: boolean) => {
    const { strict: _, ...rest } = tool;
    // Model APIs refuse a strict tool whose parameters are not all required, so all parameters become required.
    if (!isStrict) onChange(rest);
    else onChange({ ...tool, parameters: toStrict(schema) as Schema, strict: true });
  };
  return (
    <fieldset aria-label={`Tool ${number}`} className="min-w-0 space-y-3 rounded-lg border border-line p-3">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <label htmlFor={`tool-${number}`} className="mb-1 block font-medium text-xs">
            Name
          </label>
          <input
            id={`tool-${number}`}
            aria-label={`Name of tool ${number}`}
            aria-invalid={nameProblem ? true : undefined}
            aria-describedby={`tool-${number}-name`}
            spellCheck={false}
            autoComplete="off"
            placeholder="find_order"
            className={cx(inputClass, 'font-mono font-semibold text-xs')}
            value={String(name)}
            onFocus={(event) => event.target.select()}
            onChange={(event) => onChange({ ...tool, name: event.target.value })}
          />
          <ErrorText id={`tool-${number}-name`}>{nameProblem}</ErrorText>
        </div>
        <IconButton label={`Remove tool ${number}`} className="mt-5" onClick={onRemove}>
          <Trash2 aria-hidden className="size-4" />
        </IconButton>
      </div>
      <div>
        <label htmlFor={`tool-${number}-text`} className="mb-1 block font-medium text-xs">
          Description
        </label>
        <textarea
          id={`tool-${number}-text`}
          aria-label={`Description of tool ${number}`}
          dir="auto"
          placeholder="Say what the tool does and when to call it. You can use variables such as {{ name }}."
          className={cx(inputClass, areaClass, 'field-sizing-content max-h-60 min-h-14')}
          value={description ?? ''}
          onChange={(event) => onChange(withDescription(tool, event.target.value))}
        />
        <ErrorText id={`tool-${number}-description`}>{errorAt('/description')}</ErrorText>
      </div>
      <div>
        <h3 className="mb-1 font-medium text-xs">Parameters</h3>
        <p className="mb-2 text-ink-3 text-xs">The arguments that the model sends when it calls the tool.</p>
        {kindOf(schema) === 'object' ? (
          <SchemaRows noun="parameter" of={String(name)} schema={schema} isStrict={strict} onChange={setSchema} />
        ) : (
          <>
            <SchemaJson
              label={`Parameters of tool ${number} as JSON Schema`}
              schema={schema}
              // The field accepts only objects.
              onChange={(next) => setSchema(next as Schema)}
            />
            <p className="mt-1 text-ink-3 text-xs">These parameters use features of JSON Schema that the form does not show.</p>
          </>
        )}
        <ErrorText id={`tool-${number}-parameters`}>{errorAt('/parameters')}</ErrorText>
      </div>
      <Switch
        label="Strict"
        hint="The arguments always match the parameters, if the model supports strict mode. Every parameter becomes required."
        checked={strict}
        onChange={setStrict}
      />
      {others.map(({ path, message }) => (
        <ErrorText key={path} id={`tool-${number}-other`}>
          {message}
        </ErrorText>
      ))}
    </fieldset>
  );
}

/** Puts the description directly after the name, where people expect it in JSON. */
function withDescription({ name, description: _, ...rest }: Tool, description: string): Tool {
  return { name, ...(description !== '' && { description }), ...rest };
}
