import { Link } from '@tanstack/react-router';
import { Columns2, Play, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type Draft, parseConfig, schemasOf } from '../editor/drafts/draft.ts';
import { type Entries, valuesOf } from '../editor/preview/preview-values.ts';
import { messageOf } from '../lib/api.ts';
import { controlKey } from '../lib/control-key.ts';
import { cx } from '../lib/cx.ts';
import type { ModelConnection, Preview, PromptType } from '../lib/types.ts';
import { Button, buttonClass } from '../ui/Button.tsx';
import { toastFailure } from '../ui/toasts.ts';
import { Continue } from './Continue.tsx';
import { type Conversation, type Turn, toConversationInput, toTurn, valuesOfConversation } from './conversation.ts';
import { writeLastChoice } from './last-choice.ts';
import { ModelFields } from './ModelFields.tsx';
import { Parameters } from './Parameters.tsx';
import { RunResult } from './RunResult.tsx';
import { findInputProblem, modelOf, parametersOf } from './run-input.ts';
import { createRunner } from './runner.ts';
import { SaveAsTestCase } from './SaveAsTestCase.tsx';
import { TokenEstimate } from './TokenEstimate.tsx';
import { Turns } from './Turns.tsx';
import { useModelChoice } from './use-model-choice.ts';
import type { RunPlace, RunSession } from './use-run-session.ts';
import { useRunState } from './use-runner.ts';
import { WithConnections } from './WithConnections.tsx';

export interface RunPanelProps {
  place: RunPlace;
  type: PromptType;
  draft: Draft;
  entries: Entries;
  /** The result of rendering the draft with these values. */
  rendered: Preview | undefined;
  /** The name of the prompt. Undefined if it is not saved yet. */
  promptName: string | undefined;
  /** The version that equals the draft, if any. */
  version: number | undefined;
  /** The id of the candidate that equals the draft, if any. */
  candidate: string | undefined;
  onStart: () => void;
}

/** Runs the content of the editor with the values of the preview. */
export function RunPanel(props: RunPanelProps) {
  return <WithConnections>{(connections) => <Panel {...props} connections={connections} />}</WithConnections>;
}

function Panel({
  place,
  type,
  draft,
  entries,
  rendered,
  promptName,
  version,
  candidate,
  onStart,
  connections,
}: RunPanelProps & { connections: ModelConnection[] }) {
  const [runner] = useState(() => sessionRunner(place.session));
  const state = useRunState(runner);
  const { phase } = state;
  const [conversation, setConversation] = useState(place.session.conversation);
  const { config } = parseConfig(draft.config);
  const configured = modelOf(config);
  const { choice, choose } = useModelChoice(place.session, connections, configured);
  const { values } = valuesOf(entries);
  const problem = findInputProblem({ draft, entries }) ?? (choice.model.trim() === '' ? 'Choose a model.' : undefined);

  const run = () => {
    if (problem !== undefined) return;
    const saved = candidate !== undefined ? { candidate } : version !== undefined ? { version } : undefined;
    const source = promptName !== undefined && saved ? { promptName, ...saved } : { promptName, type, draft };
    void start({ start: { source, type, draft, values }, turns: [] });
    onStart();
  };
  const start = async (next: Conversation) => {
    try {
      const input = await toConversationInput(next, choice);
      place.session.conversation = next;
      setConversation(next);
      runner.start(input);
      writeLastChoice(choice);
    } catch (err) {
      toastFailure(messageOf(err));
    }
  };
  const proceed = (turns: Turn[]) => {
    if (conversation) void start({ ...conversation, turns: [...conversation.turns, toTurn(state), ...turns] });
  };
  const canContinue = phase === 'ended' && !state.problem && (state.hasOutput || state.toolCalls.length > 0);
  const isConversation = conversation !== undefined && conversation.turns.length > 0 && phase !== 'idle';
  const caseValues = isConversation ? valuesOfConversation(conversation) : undefined;
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (place.requests === (place.session.handledRequests ?? 0)) return;
    place.session.handledRequests = place.requests;
    latest.current();
  }, [place.requests, place.session]);

  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (phase === 'running') result.current?.scrollIntoView({ block: 'nearest' });
  }, [phase]);

  return (
    <div className="space-y-3">
      <ModelFields connections={connections} choice={choice} configured={configured} onChange={choose} />
      <Parameters parameters={parametersOf(config, schemasOf(draft))} />
      <div className="flex flex-wrap items-center gap-2">
        {phase === 'running' ? (
          <Button onClick={runner.stop}>
            <Square aria-hidden className="size-3.5" />
            Stop
          </Button>
        ) : (
          <Button kind="primary" disabled={problem !== undefined} onClick={run} title={`Run (${controlKey}+Enter)`}>
            <Play aria-hidden className="size-3.5" />
            Run
          </Button>
        )}
        {promptName !== undefined && <CompareLink promptName={promptName} />}
        <TokenEstimate rendered={rendered} config={config} />
      </div>
      {problem !== undefined && <p className="text-warn text-xs">{problem}</p>}
      {/* While the output grows, the panel has its maximum height, so that it is visible from the start. */}
      <div ref={result} className={cx('empty:hidden', phase === 'running' && 'min-h-[calc(45vh+3rem)]')}>
        {isConversation && (
          <div className="mb-3">
            <Turns turns={conversation.turns} />
          </div>
        )}
        <RunResult runner={runner} />
      </div>
      {canContinue && conversation && <Continue key={conversation.turns.length} toolCalls={state.toolCalls} onSend={proceed} />}
      {canContinue && caseValues && promptName !== undefined && (
        <div className="-ml-2">
          <SaveAsTestCase promptName={promptName} values={caseValues} />
        </div>
      )}
      {phase === 'idle' && (
        <p className="text-ink-3 text-xs">
          Runs {candidate !== undefined ? 'the candidate' : version === undefined ? 'the draft' : `version ${version}`} with the values
          above.
        </p>
      )}
    </div>
  );
}

/** Returns the runner that is stored with the page, so that looking at another view does not end the run. */
function sessionRunner(session: RunSession) {
  session.runner ??= createRunner();
  session.runners.add(session.runner);
  return session.runner;
}

function CompareLink({ promptName }: { promptName: string }) {
  return (
    <Link to="/dashboard/prompts/$" params={{ _splat: promptName }} search={{ view: 'compare' }} className={buttonClass('ghost', 'sm')}>
      <Columns2 aria-hidden className="size-3.5" />
      Compare
    </Link>
  );
}
