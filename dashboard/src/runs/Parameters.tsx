import { isObject } from '../editor/preview/preview-values.ts';
import { JsonText } from './JsonText.tsx';

/** The parameters that are sent to the model. Shows the short parameters in one line, and all parameters when expanded. */
export function Parameters({ parameters }: { parameters: Record<string, unknown> }) {
  const names = Object.keys(parameters);
  if (names.length === 0) return <p className="text-ink-3 text-xs">The config has no parameters, so the model uses its defaults.</p>;
  return (
    <details className="text-xs">
      <summary className="cursor-default truncate rounded-sm text-ink-3">
        Parameters: <span className="text-ink-2">{names.map((name) => describe(name, parameters[name])).join(', ')}</span>
      </summary>
      <pre className="mt-1.5 max-h-48 overflow-y-auto whitespace-pre-wrap rounded-md border border-line bg-sunken px-3 py-2 font-mono leading-5 wrap-anywhere">
        <JsonText text={JSON.stringify(parameters, null, 2)} />
      </pre>
    </details>
  );
}

function describe(name: string, value: unknown): string {
  if (Array.isArray(value)) return `${name} (${value.length})`;
  if (name === 'response_format' && isObject(value) && value.type === 'json_schema') return 'output schema';
  return typeof value === 'object' && value !== null ? name : `${name} ${value}`;
}
