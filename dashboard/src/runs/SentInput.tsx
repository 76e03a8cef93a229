import type { ReactNode } from 'react';
import { RenderedContent } from '../editor/preview/RenderedContent.tsx';
import type { Run } from '../lib/types.ts';
import { Badge } from '../ui/Badge.tsx';
import { Card } from '../ui/Card.tsx';
import { JsonText } from './JsonText.tsx';

/** Shows the input of a run: the messages that were sent, the values and the parameters. */
export function SentInput({ run: { messages, variables, parameters, truncated } }: { run: Run }) {
  return (
    <Card className="divide-y divide-line">
      {truncated && (
        <p className="px-4 py-3 text-ink-3 text-xs">This run was too large to store in full. Parts of its input are missing.</p>
      )}
      {messages.length > 0 && (
        <Part title={`Messages (${messages.length})`}>
          <ol className="space-y-3">
            {messages.map((message, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: messages have no ids.
              <li key={index}>
                <Badge>{String(message.role ?? 'message')}</Badge>
                <MessageContent message={message} />
              </li>
            ))}
          </ol>
        </Part>
      )}
      <Part title={`Values (${Object.keys(variables).length})`}>
        <Json value={variables} />
      </Part>
      <Part title={`Parameters (${Object.keys(parameters).length})`}>
        <Json value={parameters} />
      </Part>
    </Card>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="px-4 py-2.5">
      <summary className="cursor-default rounded-sm font-medium text-xs">{title}</summary>
      <div className="max-h-80 overflow-y-auto pt-2">{children}</div>
    </details>
  );
}

const preClass = 'whitespace-pre-wrap font-mono text-xs leading-5 wrap-anywhere';

function Json({ value }: { value: unknown }) {
  return (
    <pre className={preClass}>
      <JsonText text={JSON.stringify(value, null, 2)} />
    </pre>
  );
}

/** Shows the content of a message, which is either text or a list of parts such as images. Other fields of a message are shown as JSON. */
function MessageContent({ message }: { message: Record<string, unknown> }) {
  const { role: _role, content, ...rest } = message;
  return (
    <div className="-mx-4 mt-1 space-y-2">
      <RenderedContent
        content={content}
        rest={rest}
        showText={(text) => (
          <p dir="auto" className={`${preClass} px-4`}>
            {text}
          </p>
        )}
      />
    </div>
  );
}
