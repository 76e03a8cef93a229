import { Wrench } from 'lucide-react';
import { isObject } from '../editor/preview/preview-values.ts';
import { Badge } from '../ui/Badge.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { formatIfJson, JsonText } from './JsonText.tsx';

/** The tools that the model calls, each with its arguments. */
export function ToolCalls({ calls }: { calls: Record<string, unknown>[] }) {
  return (
    <ul className="space-y-2">
      {calls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: servers may send calls without ids.
        <li key={index} className="overflow-hidden rounded-md border border-line">
          <ToolCall call={call} />
        </li>
      ))}
    </ul>
  );
}

function ToolCall({ call }: { call: Record<string, unknown> }) {
  const called = isObject(call.function) ? call.function : {};
  const name = typeof called.name === 'string' ? called.name : 'tool';
  const sent = typeof called.arguments === 'string' ? called.arguments : '';
  const shown = formatIfJson(sent) ?? sent;
  return (
    <>
      <div className="flex items-center gap-2 bg-sunken py-0.5 pr-1 pl-3">
        <Wrench aria-hidden className="size-3.5 shrink-0 text-ink-3" />
        <code className="min-w-0 truncate font-mono font-semibold text-xs" title={name}>
          {name}
        </code>
        <Badge>tool call</Badge>
        <span className="ml-auto">
          <CopyButton iconOnly label={`Copy the call to ${name}`} text={JSON.stringify(call, null, 2)} />
        </span>
      </div>
      <pre className="max-h-60 overflow-y-auto whitespace-pre-wrap border-line border-t px-3 py-2 font-mono text-xs leading-5 wrap-anywhere">
        {shown === '' ? <span className="text-ink-3">(no arguments)</span> : <JsonText text={shown} />}
      </pre>
    </>
  );
}
