import type { ReactNode } from 'react';
import { cx } from '../../lib/cx.ts';
import type { Preview, PromptType } from '../../lib/types.ts';
import { OutputChoice } from '../../runs/OutputChoice.tsx';
import type { RunPlace } from '../../runs/use-run-session.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Card } from '../../ui/Card.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { describeFieldError } from '../describe-place.ts';
import { type Draft, includesIn } from '../drafts/draft.ts';
import { RenderedContent } from './lazy.tsx';
import { MissingIncludes } from './MissingIncludes.tsx';
import { isCondition, splitMarks } from './preview-marks.ts';
import type { PreviewState } from './use-preview.ts';

/** Shows the response of the API for the draft and the values. */
export function PreviewOutput({ type, draft, preview, place }: PreviewOutputProps) {
  const { rendered, syntaxErrors, renderError, isRetrying } = preview;
  const isCurrent = syntaxErrors.length === 0 && renderError === undefined;
  return (
    <Card>
      <div className="flex h-11 items-center justify-between gap-2 pr-2 pl-4">
        <h2 className="sr-only">Preview</h2>
        <OutputChoice place={place} />
        {isRetrying && (
          <p role="status" className="animate-pulse-soft truncate text-ink-3 text-xs">
            Waiting for the server…
          </p>
        )}
        {isCurrent && rendered && <CopyAll rendered={rendered} />}
      </div>
      <Body type={type} preview={preview} />
      {renderError !== undefined && <MissingIncludes includes={includesIn(type, draft)} />}
    </Card>
  );
}

interface PreviewOutputProps {
  type: PromptType;
  draft: Draft;
  preview: PreviewState;
  place: RunPlace;
}

function CopyAll({ rendered: { text, messages } }: { rendered: Preview }) {
  if (text !== undefined) return <CopyButton iconOnly label="Copy preview" text={text} />;
  return <CopyButton iconOnly label="Copy all messages as JSON" text={JSON.stringify(messages, null, 2)} />;
}

function Body({ type, preview: { rendered, syntaxErrors, renderError, isRetrying } }: { type: PromptType; preview: PreviewState }) {
  const [syntaxError] = syntaxErrors;
  if (syntaxError) {
    return <Note tone="bg-danger-soft text-danger">{describeFieldError(syntaxError)}</Note>;
  }
  if (renderError !== undefined) return <Note tone="bg-warn-soft text-warn">{renderError}</Note>;
  if (!rendered) return <Skeleton className="mx-4 mb-4 h-20" />;
  const missing = Object.keys(rendered.placeholders ?? {});
  if (type === 'text') return <Output label="Preview" text={rendered.text ?? ''} missing={missing} isStale={isRetrying} />;
  return (
    <ol className="relative max-h-[60vh] divide-y divide-line overflow-y-auto border-line border-t">
      {rendered.messages?.map(({ role, content, ...rest }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rendered messages have no ids.
        <li key={index} className="pt-1">
          <div className="flex items-center justify-between pr-2 pl-4">
            <Badge>{role}</Badge>
            <CopyButton iconOnly label={`Copy message ${index + 1}`} text={copiedText(content, rest)} />
          </div>
          <MessageOutput message={{ content, ...rest }} label={`Preview of message ${index + 1}`} missing={missing} isStale={isRetrying} />
        </li>
      ))}
    </ol>
  );
}

/** Returns text unchanged, and anything else as JSON. */
function copiedText(content: unknown, rest: object): string {
  if (typeof content === 'string') return content;
  return JSON.stringify(Object.keys(rest).length === 0 ? content : { content, ...rest }, null, 2);
}

function Note({ tone, children }: { tone: string; children: ReactNode }) {
  return (
    <p role="status" className={cx('mx-4 mb-4 rounded-md px-3 py-2 text-xs wrap-anywhere', tone)}>
      {children}
    </p>
  );
}

interface MessageOutputProps extends Omit<OutputProps, 'text'> {
  message: { content?: unknown };
}

function MessageOutput({ message: { content, ...rest }, label, ...props }: MessageOutputProps) {
  if (typeof content === 'string' && Object.keys(rest).length === 0) return <Output label={label} text={content} {...props} />;
  const showText = (text: string, index: number) => <Output label={`${label}, part ${index + 1}`} text={text} {...props} />;
  return <RenderedContent content={content} rest={rest} showText={showText} />;
}

interface OutputProps {
  label: string;
  text: string;
  /** The names of the missing variables. */
  missing: string[];
  isStale: boolean;
}

function Output({ label, text, missing, isStale }: OutputProps) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
      tabIndex={0}
      data-testid="preview"
      dir="auto"
      className={cx(
        // This class sets the direction of each line by its text.
        'max-h-[36vh] min-h-10 overflow-y-auto whitespace-pre-wrap px-4 pb-4 font-mono text-xs leading-5 -outline-offset-2 wrap-anywhere [unicode-bidi:plaintext]',
        isStale && 'opacity-60',
      )}
    >
      {text === '' ? <span className="text-ink-3">(empty)</span> : highlight(text, missing)}
    </section>
  );
}

function highlight(text: string, missing: string[]): ReactNode {
  return splitMarks(text, missing).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of the text have no ids.
      <mark key={index} className="rounded-sm bg-warn-soft text-warn" title={describe(part)}>
        {part}
      </mark>
    ),
  );
}

function describe(mark: string): string {
  return isCondition(mark) ? 'Depends on a missing value' : 'Missing';
}
